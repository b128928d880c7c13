import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Db, openDb, type TxDb } from './db.ts';

let db: Db;
beforeEach(async () => {
  db = await openDb(null);
  db.exec('CREATE TABLE item (name TEXT UNIQUE)');
});
afterEach(() => db.close());

const insert = 'INSERT INTO item (name) VALUES (?)';

function names(handle: TxDb = db): string[] {
  return handle.all<{ name: string }>('SELECT name FROM item ORDER BY name').map(({ name }) => name);
}

describe('single statements', () => {
  test('statements return the number of changes and rows', () => {
    expect(db.run(insert, 'a')).toEqual({ changes: 1, lastRowId: 1 });
    expect(db.get('SELECT name FROM item')).toEqual({ name: 'a' });
    expect(db.get('SELECT name FROM item WHERE name = ?', 'none')).toBeUndefined();
    expect(names()).toEqual(['a']);
  });

  test('a mistake in the statement or a violated constraint throws a plain error', () => {
    db.run(insert, 'a');
    expect(() => db.run(insert, 'a')).toThrow(/UNIQUE/);
    expect(() => db.all('SELEC')).toThrow(/syntax/);
    expect(() => db.run(insert, 'a')).not.toThrow(expect.objectContaining({ code: expect.stringMatching(/^store\./) }));
  });
});

describe('execTx', () => {
  test('commits when the work returns and returns its result', () => {
    const result = db.execTx((tx) => {
      tx.run(insert, 'a');
      tx.run(insert, 'b');
      return names(tx);
    });
    expect({ result, after: names() }).toEqual({ result: ['a', 'b'], after: ['a', 'b'] });
  });

  test('rolls everything back if the work throws, and rethrows the error', () => {
    const failure = new Error('stop');
    expect(() =>
      db.execTx((tx) => {
        tx.run(insert, 'a');
        throw failure;
      }),
    ).toThrow(failure);
    expect(names()).toEqual([]);
  });

  test('allows no other statement in between; the database refuses them until the transaction ends', () => {
    db.execTx((tx) => {
      tx.run(insert, 'a');
      expect(() => db.run(insert, 'b')).toThrow(/handle/);
      expect(() => db.execTx(() => undefined)).toThrow(/handle/);
      expect(() => db.close()).toThrow(/inside a transaction/);
    });
    expect(names()).toEqual(['a']);
    db.run(insert, 'b');
    expect(names()).toEqual(['a', 'b']);
  });

  test('hides its writes from another connection until the commit', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-db-'));
    const writer = await openDb(join(folder, 'x.db'));
    const reader = await openDb(join(folder, 'x.db'));
    writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE item (name TEXT)');
    const seen = writer.execTx((tx) => {
      tx.run(insert, 'a');
      return names(reader);
    });
    expect({ seen, after: names(reader) }).toEqual({ seen: [], after: ['a'] });
    writer.close();
    reader.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('excludes other writers from the start, even while it only reads', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-db-'));
    const [holder, other] = [await openDb(join(folder, 'x.db')), await openDb(join(folder, 'x.db'))];
    holder.exec('PRAGMA journal_mode = WAL; CREATE TABLE item (name TEXT)');
    other.exec('PRAGMA busy_timeout = 0');
    const busy = expect.objectContaining({ code: 'store.write-failed', recoverable: true });
    holder.execTx((tx) => {
      names(tx);
      expect(() => other.run(insert, 'a')).toThrow(busy);
      expect(() => other.execTx(() => undefined)).toThrow(busy);
    });
    other.execTx((tx) => tx.run(insert, 'b'));
    expect(names(holder)).toEqual(['b']);
    holder.close();
    other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('invalidates its handle afterwards', () => {
    const kept = db.execTx((tx) => tx);
    expect(() => kept.run(insert, 'a')).toThrow(/handle/);
    expect(() => kept.execTx(() => undefined)).toThrow(/handle/);
  });

  test('rejects work that returns a promise, rolls it back, and ignores its later failures', async () => {
    let later: Promise<unknown> | undefined;
    expect(() =>
      db.execTx((tx) => {
        tx.run(insert, 'a');
        later = Promise.resolve().then(() => tx.run(insert, 'b'));
        return later;
      }),
    ).toThrow(/synchronous/);
    await expect(later).rejects.toThrow(/handle/);
    expect(names()).toEqual([]);
  });

  test('rolls back and throws if the commit fails', () => {
    db.exec('PRAGMA foreign_keys = ON');
    db.exec('CREATE TABLE parent (id INTEGER PRIMARY KEY)');
    db.exec('CREATE TABLE child (parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)');
    expect(() => db.execTx((tx) => tx.run('INSERT INTO child VALUES (7)'))).toThrow(/FOREIGN KEY/);
    expect(db.all('SELECT * FROM child')).toEqual([]);
    db.run(insert, 'a');
    expect(names()).toEqual(['a']);
  });
});

describe('a nested transaction', () => {
  test('a nested transaction can fail alone, and the outer one keeps its other changes', () => {
    db.execTx((outer) => {
      outer.run(insert, 'before');
      expect(() =>
        outer.execTx((inner) => {
          inner.run(insert, 'lost');
          expect(() => outer.run(insert, 'between')).toThrow(/handle/);
          throw new Error('inner');
        }),
      ).toThrow('inner');
      outer.run(insert, 'after');
    });
    expect(names()).toEqual(['after', 'before']);
  });

  test('a nested transaction has a separate handle, which is invalid after a commit or rollback', () => {
    const handles: TxDb[] = [];
    db.execTx((outer) => {
      outer.execTx((inner) => handles.push(inner));
      const undone = (inner: TxDb): void => {
        handles.push(inner);
        throw new Error('undone');
      };
      expect(() => outer.execTx(undone)).toThrow('undone');
      for (const handle of handles) {
        expect(() => handle.run(insert, 'late')).toThrow(/handle/);
      }
      outer.run(insert, 'a');
    });
    expect(handles).toHaveLength(2);
    expect(names()).toEqual(['a']);
  });

  test('a nested transaction is rolled back alone if it returns a promise', () => {
    db.execTx((outer) => {
      outer.run(insert, 'a');
      expect(() =>
        outer.execTx((inner) => {
          inner.run(insert, 'b');
          return Promise.resolve();
        }),
      ).toThrow(/synchronous/);
    });
    expect(names()).toEqual(['a']);
  });

  test('a nested transaction is rolled back with the outer one at any depth', () => {
    expect(() =>
      db.execTx((outer) => {
        outer.execTx((middle) => middle.execTx((inner) => inner.run(insert, 'deep')));
        expect(names(outer)).toEqual(['deep']);
        throw new Error('outer');
      }),
    ).toThrow('outer');
    expect(names()).toEqual([]);
  });
});

describe('a full disk', () => {
  const blob = 'INSERT INTO item (name) VALUES (hex(randomblob(40000)))';

  test('a full disk is reported as store.full and leaves the database usable', async () => {
    db.exec('PRAGMA max_page_count = 4');
    expect(() => db.run(blob)).toThrow(expect.objectContaining({ code: 'store.full' }));
    db.run(insert, 'small');
    expect(names()).toEqual(['small']);
  });

  test('a full disk rolls back the whole transaction even if the work continues', () => {
    db.exec('PRAGMA max_page_count = 4');
    const full = expect.objectContaining({ code: 'store.full' });
    const seen: string[] = [];
    expect(() =>
      db.execTx((tx) => {
        tx.run(insert, 'first');
        expect(() => tx.execTx((inner) => inner.run(blob))).toThrow(full);
        seen.push('went on');
        tx.run(insert, 'second');
        throw new Error('the end');
      }),
    ).toThrow();
    expect({ seen, names: names() }).toEqual({ seen: ['went on'], names: [] });
  });
});
