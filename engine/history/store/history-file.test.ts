import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId } from '../../base/ids.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { envelope, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { openDb } from './db.ts';
import { migrate } from './migrate.ts';
import { openWorkspaceStore } from './open-workspace-store.ts';
import { currentOwner } from './owner.ts';
import { createSqliteRunStore, openRunStore } from './sqlite-run-store.ts';

const context = { clock: systemClock, owner: currentOwner() };

let workspace: string;
let file: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'millrace-store-'));
  file = join(workspace, 'runs.db');
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

async function makeDatabase(sql: string): Promise<void> {
  const db = await openDb(file);
  db.exec(sql);
  db.close();
}

describe('migrate', () => {
  test('upgrades a new file to the current format, and changes nothing the second time', async () => {
    for (const _ of [1, 2]) {
      const db = await openDb(file);
      await migrate(db);
      expect(db.get('PRAGMA user_version')).toEqual({ user_version: 11 });
      expect(db.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
      expect(db.all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)).toEqual(
        [
          'answer',
          'event_group',
          'firing',
          'run',
          'run_label',
          'run_pause',
          'run_request',
          'session',
          'session_event',
          'session_snapshot',
          'sqlite_sequence',
          'trigger_watch',
          'value',
          'waiting',
          'work',
        ].map((name) => ({ name })),
      );
      db.close();
    }
  });

  test('sets the pragmas that crash safety and concurrent writers rely on', async () => {
    const db = await openDb(file);
    await migrate(db);
    expect(
      ['synchronous', 'foreign_keys', 'busy_timeout', 'wal_autocheckpoint'].map((name) => db.get(`PRAGMA ${name}`)),
    ).toEqual([{ synchronous: 1 }, { foreign_keys: 1 }, { timeout: 5_000 }, { wal_autocheckpoint: 4_000 }]);
    db.close();
  });
});

/** Identifies our files permanently. */
const ourMark = `PRAGMA application_id = ${0x4d6c7263}`;

/** Files that are not a Millrace history, with the expected error code. */
const strangers: readonly { title: string; code: string; make: () => Promise<void> | void }[] = [
  { title: 'no database at all', code: 'store.unreadable', make: () => writeFileSync(file, 'my notes\n'.repeat(200)) },
  {
    title: 'a database cut in the middle',
    code: 'store.unreadable',
    make: async () => {
      await makeDatabase(`${ourMark}; CREATE TABLE a (x); CREATE TABLE b (x); CREATE TABLE c (x)`);
      writeFileSync(file, readFileSync(file).subarray(0, 5_000));
    },
  },
  {
    title: "another program's database",
    code: 'store.unreadable',
    make: () => makeDatabase('CREATE TABLE invoices (amount)'),
  },
  {
    title: 'a history of a newer version',
    code: 'store.newer-version',
    make: () => makeDatabase(`${ourMark}; PRAGMA user_version = 99; CREATE TABLE run (id)`),
  },
  ...[-1, -5, -2147483648].map((version) => ({
    title: `a history of format ${version}`,
    code: 'store.unreadable',
    make: () => makeDatabase(`${ourMark}; PRAGMA user_version = ${version}; CREATE TABLE run (id)`),
  })),
];

describe.each(strangers)('$title', ({ code, make }) => {
  test('rejects the file if the user named it, without modifying it', async () => {
    await make();
    const before = readFileSync(file);
    await expect(openWorkspaceStore({ workspace, storeFile: file, ...context })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(file),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("leaves the file alone as the workspace's history, keeps runs in memory, and reports the reason in a notice", async () => {
    await make();
    const own = join(workspace, '.millrace', 'runs.db');
    mkdirSync(join(workspace, '.millrace'));
    renameSync(file, own);
    const stranger = readFileSync(own);
    const { store, notices } = await openWorkspaceStore({ workspace, ...context });
    expect({ file: store.file, notices }).toEqual({
      file: null,
      notices: [{ code: 'store.unreadable', message: expect.stringContaining(own) }],
    });
    store.createRun(newRun('r1'));
    store.close();
    expect(readFileSync(own).equals(stranger)).toBe(true);
  });
});

describe('the history of a workspace', () => {
  test('stores the history in .millrace, which is ignored by Git as a whole', async () => {
    const { store, notices } = await openWorkspaceStore({ workspace, ...context });
    expect({ file: store.file, notices }).toEqual({ file: join(workspace, '.millrace', 'runs.db'), notices: [] });
    expect(readFileSync(join(workspace, '.millrace', '.gitignore'), 'utf8')).toBe('*\n');
    store.close();
  });

  test('keeps an existing .gitignore in .millrace', async () => {
    (await openWorkspaceStore({ workspace, ...context })).store.close();
    writeFileSync(join(workspace, '.millrace', '.gitignore'), '*\n!notes.md\n');
    (await openWorkspaceStore({ workspace, ...context })).store.close();
    expect(readFileSync(join(workspace, '.millrace', '.gitignore'), 'utf8')).toBe('*\n!notes.md\n');
  });

  test('keeps the history in memory if .millrace is a file', async () => {
    writeFileSync(join(workspace, '.millrace'), 'mine');
    const { store, notices } = await openWorkspaceStore({ workspace, ...context });
    expect({ file: store.file, codes: notices.map(({ code }) => code) }).toEqual({
      file: null,
      codes: ['store.in-memory'],
    });
    store.close();
    expect(readFileSync(join(workspace, '.millrace'), 'utf8')).toBe('mine');
  });

  test('uses the file named by the user, in an existing folder', async () => {
    const { store } = await openWorkspaceStore({ workspace, storeFile: file, ...context });
    expect(store.file).toBe(file);
    store.close();
    const missing = openWorkspaceStore({ workspace, storeFile: join(workspace, 'none', 'runs.db'), ...context });
    await expect(missing).rejects.toMatchObject({ code: 'store.write-failed' });
  });
});

describe('a full disk', () => {
  test('a full disk fails the append with store.full, keeps what was stored, and lets the store continue once there is space', async () => {
    const db = await openDb(file);
    await migrate(db);
    const store = createSqliteRunStore(db, context);
    const runId = asRunId('r1');
    store.createRun(newRun('r1'));
    store.append(runId, [envelope(runId, runStart, 0)]);
    const pages = db.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
    db.exec(`PRAGMA max_page_count = ${pages}`);
    const text = envelope(runId, { type: 'agent:text', content: 'x'.repeat(15_000) }, 1);
    expect(() => store.append(runId, [text])).toThrow(
      expect.objectContaining({ code: 'store.full', message: expect.stringContaining(file) }),
    );
    expect(() => store.intern('v'.repeat(100_000))).toThrow(expect.objectContaining({ code: 'store.full' }));
    expect(store.readEvents(runId, -1, 10)).toHaveLength(1);
    db.exec('PRAGMA max_page_count = 1000000');
    store.append(runId, [text, envelope(runId, runCompleted, 2)]);
    expect(store.getRun(runId)?.status).toBe('completed');
    store.close();
  });

  test('a real disk that fills up during a run keeps every recorded event and accepts the rest later', async (context) => {
    if (!mountSmallDisk(workspace)) context.skip('Only root can mount a disk that is small enough to fill.');
    try {
      const store = await openRunStore({ file, clock: systemClock, owner: currentOwner() });
      const runId = asRunId('r1');
      store.createRun(newRun('r1'));
      let seq = 0;
      const text = (): EventEnvelope => envelope(runId, { type: 'agent:text', content: 'x'.repeat(3_000) }, seq);
      const fill = (): void => {
        for (; seq < 1_000; seq += 1) store.append(runId, [text()]);
      };
      expect(fill).toThrow(expect.objectContaining({ code: 'store.full' }));
      expect(seq).toBeGreaterThan(10);
      expect(store.readEvents(runId, -1, 1_000).map((event) => event.seq)).toEqual([...Array(seq).keys()]);
      execFileSync('mount', ['-o', 'remount,size=32m', workspace]);
      fill();
      store.append(runId, [envelope(runId, runCompleted, seq)]);
      expect(store.readEvents(runId, -1, 2_000)).toHaveLength(1_001);
      store.close();
      const db = await openDb(file);
      expect(db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
      db.close();
    } finally {
      // Lazy, because the packaged driver keeps a closed file open for a while.
      execFileSync('umount', ['-l', workspace]);
    }
  });
});

/** Returns false if the user lacks the permission. */
function mountSmallDisk(folder: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]).status === 0;
}

describe('links in a workspace', () => {
  let elsewhere: string;
  beforeEach(() => {
    elsewhere = mkdtempSync(join(tmpdir(), 'millrace-elsewhere-'));
    writeFileSync(join(elsewhere, 'mine.txt'), 'mine');
  });
  afterEach(() => rmSync(elsewhere, { recursive: true, force: true }));

  const place = (name: string): string => {
    mkdirSync(join(workspace, '.millrace'), { recursive: true });
    return join(workspace, '.millrace', name);
  };
  const cases: readonly [string, () => void][] = [
    ['the folder', () => symlinkSync(elsewhere, join(workspace, '.millrace'))],
    ['the folder, to nothing', () => symlinkSync(join(elsewhere, 'new'), join(workspace, '.millrace'))],
    ...['runs.db', 'runs.db-wal', 'runs.db-shm', 'runs.db-journal'].flatMap((name): [string, () => void][] => [
      [name, () => symlinkSync(join(elsewhere, 'mine.txt'), place(name))],
      [`${name}, to nothing`, () => symlinkSync(join(elsewhere, 'new.db'), place(name))],
      [`${name}, a folder`, () => mkdirSync(place(name))],
    ]),
    ['a file in place of the folder', () => writeFileSync(join(workspace, '.millrace'), 'x')],
  ];

  test.each(cases)('links are not followed: %s', async (_title, make) => {
    make();
    const { store, notices } = await openWorkspaceStore({ workspace, ...context });
    expect(store.file).toBeNull();
    expect(notices).toEqual([expect.objectContaining({ code: 'store.in-memory' })]);
    store.close();
    expect(readdirSync(elsewhere)).toEqual(['mine.txt']);
    expect(readFileSync(join(elsewhere, 'mine.txt'), 'utf8')).toBe('mine');
  });

  test.skipIf(process.platform === 'win32')('a pipe is not opened, because that would block', async () => {
    execFileSync('mkfifo', [place('runs.db')]);
    const { store, notices } = await openWorkspaceStore({ workspace, ...context });
    expect(store.file).toBeNull();
    expect(notices[0]?.message).toContain('runs.db is no file');
    store.close();
  });

  test.skipIf(process.platform === 'win32')('a file named by the user may be a link but not a pipe', async () => {
    symlinkSync(join(elsewhere, 'named.db'), join(workspace, 'named.db'));
    const named = await openWorkspaceStore({ workspace, storeFile: join(workspace, 'named.db'), ...context });
    named.store.close();
    expect(readdirSync(elsewhere)).toContain('named.db');
    execFileSync('mkfifo', [join(workspace, 'pipe')]);
    const piped = openWorkspaceStore({ workspace, storeFile: join(workspace, 'pipe'), ...context });
    await expect(piped).rejects.toMatchObject({ code: 'store.write-failed' });
  });

  test('a linked .gitignore is replaced and not followed, even under the name of its draft', async () => {
    symlinkSync(join(elsewhere, 'new'), place('.gitignore'));
    symlinkSync(join(elsewhere, 'drafted'), place(`.gitignore.${process.pid}.tmp`));
    const { store, notices } = await openWorkspaceStore({ workspace, ...context });
    store.close();
    expect(notices).toEqual([]);
    expect(readFileSync(place('.gitignore'), 'utf8')).toBe('*\n');
    expect(readdirSync(elsewhere)).toEqual(['mine.txt']);
  });
});
