/**
 * Tests connecting to PostgreSQL, and creating and rejecting schemas.
 */
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../testing/free-port.ts';
import { newRun } from '../../testing/run-samples.ts';
import { isMissing, sharedPostgres } from '../../testing/test-postgres.ts';
import { parseSharedUrl } from './connection-url.ts';
import { openSharedHistory } from './open-shared-history.ts';
import { openPgDb } from './pg-db.ts';
import type { SharedHistory, SharedHistoryOptions } from './shared-history.ts';

const postgres = await sharedPostgres();
const why = isMissing(postgres) ? ` (skipped: ${postgres.missing})` : '';
const host = { engine: 'restate' };

describe('the URL of a history', () => {
  test('the password comes from the URL or the environment, and is in no message', () => {
    const at = parseSharedUrl('postgres://me:p%40ss@db.example/runs?schema=team', {});
    expect(at).toMatchObject({ schema: 'team', place: 'db.example:5432/runs (schema team)' });
    expect(at.connection).toMatchObject({ user: 'me', password: 'p@ss', host: 'db.example', database: 'runs' });
    expect(parseSharedUrl('postgres://me@db/runs', { PGPASSWORD: 'x' }).connection.password).toBe('x');
    for (const url of [
      'postgres://me:secret@h/d?schema=A',
      'mysql://me:secret@h/d',
      'postgres://me:secret@h',
      ':secret',
    ])
      expect(() => parseSharedUrl(url, {})).toThrow(expect.objectContaining({ code: 'store.bad-url' }));
    try {
      parseSharedUrl('postgres://me:secret%@h/d', {});
    } catch (error) {
      expect(String(error)).not.toContain('secret');
    }
  });

  test('other machines are reached with TLS unless the URL says otherwise', () => {
    const tlsOf = (url: string) => parseSharedUrl(url, {}).connection.ssl;
    expect(tlsOf('postgres://localhost/d')).toBe(false);
    expect(tlsOf('postgres://[::1]/d')).toBe(false);
    expect(tlsOf('postgres://db/d')).toMatchObject({ rejectUnauthorized: false });
    expect(tlsOf('postgres://db/d?sslmode=disable')).toBe(false);
    expect(tlsOf('postgres://db/d?sslmode=verify-full')).toEqual({ rejectUnauthorized: true });
    expect(() => tlsOf('postgres://db/d?sslmode=maybe')).toThrow('sslmode must be');
  });
});

describe.skipIf(isMissing(postgres))(`opening a history in PostgreSQL${why}`, () => {
  const open: SharedHistory[] = [];
  let url: string;

  beforeAll(async () => {
    if (!isMissing(postgres)) url = await postgres.createDatabase();
  });
  afterEach(async () => {
    for (const history of open.splice(0)) await history.close();
  });

  async function openHistory(more: Partial<SharedHistoryOptions> = {}): Promise<SharedHistory> {
    const history = await openSharedHistory({ url, workspace: 'w', ...more });
    open.push(history);
    return history;
  }

  function changed(change: (url: URL) => unknown): string {
    const other = new URL(url);
    change(other);
    return other.href;
  }

  async function ask(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(sql);
    await client.end();
  }

  test('many processes may create the schema at once', async () => {
    const schema = changed((u) => u.searchParams.set('schema', 'user'));
    const histories = await Promise.all(Array.from({ length: 6 }, () => openHistory({ url: schema, connections: 1 })));
    await histories[0]!.createRun({ ...newRun('r1'), host });
    expect(await histories[5]!.listRuns({ limit: 5 })).toHaveLength(1);
  });

  test('workspaces of one database do not see each other', async () => {
    const [one, other] = [await openHistory({ workspace: 'one' }), await openHistory({ workspace: 'other' })];
    const { number } = await one.createRun({ ...newRun('separate'), host });
    const runId = newRun('separate').runId;
    expect([await other.listRuns({ limit: 9 }), await other.findSummary(runId), await other.findRun(number)]).toEqual([
      [],
      undefined,
      undefined,
    ]);
    expect(await one.findRun(number)).toBe(runId);
  });

  test.each([
    ['a wrong password', (u: URL): unknown => (u.password = 'wrong'), 'store.denied', 'denied access'],
    ['a missing database', (u: URL): unknown => (u.pathname = '/none'), 'store.not-found', 'does not exist'],
    [
      'a server without TLS',
      (u: URL): unknown => u.searchParams.set('sslmode', 'require'),
      'store.unreachable',
      'sslmode=disable',
    ],
    ['no password', (u: URL): unknown => (u.password = ''), 'store.denied', 'PGPASSWORD'],
    ['an unknown host', (u: URL): unknown => (u.hostname = 'db.invalid'), 'store.unreachable', 'db.invalid'],
  ] as const)('%s is reported with advice and without the password', async (_what, change, code, part) => {
    const { password } = new URL(url);
    const failed = openHistory({ url: changed(change) });
    await expect(failed).rejects.toMatchObject({ code, message: expect.stringContaining(part) });
    await expect(failed).rejects.not.toMatchObject({ message: expect.stringContaining(password) });
  });

  test('a stopped server is temporarily unreachable', async () => {
    const port = await freePort();
    await expect(openHistory({ url: changed((u) => (u.port = String(port))) })).rejects.toMatchObject({
      code: 'store.unreachable',
      recoverable: true,
    });
  });

  test('a pooler that gives each transaction another connection is recognized', async () => {
    const db = await openPgDb(parseSharedUrl(url), 1);
    const read = () => db.prepared('SELECT $1::text', ['a']);
    await read();
    // The statement is prepared on one connection, and another one is asked for it.
    await db.run('DEALLOCATE ALL');
    await expect(read()).rejects.toMatchObject({
      code: 'store.unreachable',
      recoverable: false,
      message: expect.stringContaining('session pooling'),
    });
    await db.close();
  });

  test('a missing table is reported as damage', async () => {
    const damaged = changed((u) => u.searchParams.set('schema', 'lost'));
    const history = await openHistory({ url: damaged });
    await ask('DROP TABLE lost.waiting');
    await expect(history.listWaiting(9)).rejects.toMatchObject({ code: 'store.unreadable' });
    expect(await history.listRuns({ limit: 9 })).toEqual([]);
  });

  test('a schema of a newer version, or of another program, is unchanged', async () => {
    const newer = changed((u) => u.searchParams.set('schema', 'newer'));
    await openHistory({ url: newer });
    await ask('UPDATE newer.millrace_history SET version = 99');
    await expect(openHistory({ url: newer })).rejects.toMatchObject({
      code: 'store.newer-version',
      details: { version: 99 },
    });
    await ask('CREATE SCHEMA foreign_one; CREATE TABLE foreign_one.a (b integer)');
    const foreign = changed((u) => u.searchParams.set('schema', 'foreign_one'));
    await expect(openHistory({ url: foreign })).rejects.toMatchObject({ code: 'store.unreadable' });
  });

  test('a user who may only read can read, and creates nothing', async () => {
    const writer = await openHistory({ workspace: 'read' });
    await writer.createRun({ ...newRun('read'), host });
    await ask(`CREATE ROLE reader LOGIN PASSWORD 'r'; GRANT USAGE ON SCHEMA millrace TO reader;
      GRANT SELECT ON ALL TABLES IN SCHEMA millrace TO reader`);
    const as = changed((u) => Object.assign(u, { username: 'reader', password: 'r' }));
    const reader = await openHistory({ url: as, workspace: 'read', isReadOnly: true });
    expect(await reader.listRuns({ limit: 9 })).toMatchObject([{ runId: 'read' }]);
    await expect(reader.createRun({ ...newRun('r2'), host })).rejects.toMatchObject({ code: 'store.denied' });
    const empty = changed((u) => u.searchParams.set('schema', 'empty'));
    await expect(openHistory({ url: empty, isReadOnly: true })).rejects.toMatchObject({ code: 'store.not-found' });
    expect(await (await openHistory({ workspace: 'none', isReadOnly: true })).listRuns({ limit: 9 })).toEqual([]);
  });

  test('a damaged row affects only its run', async () => {
    const history = await openHistory({ workspace: 'damaged' });
    for (const id of ['d1', 'd2', 'd3']) await history.createRun({ ...newRun(id), host });
    await ask(`UPDATE millrace.run SET status = 'odd', error = '{', failed_nodes = 'x' WHERE run_id = 'd1';
      UPDATE millrace.run SET definition_hash = 'gone', part = '[', spending = '{' WHERE run_id = 'd2'`);
    const runs = await history.listRuns({ limit: 9 });
    expect(runs.map(({ runId, damage }) => [runId, damage !== undefined])).toEqual([
      ['d3', false],
      ['d2', true],
      ['d1', true],
    ]);
  });
});
