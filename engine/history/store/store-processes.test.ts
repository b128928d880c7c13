import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId } from '../../base/ids.ts';
import { envelope, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { bundleStoreChild, type StoreChild, type StoreChildProgram } from '../../testing/spawn-store-child.ts';
import { openDb } from './db.ts';
import { currentOwner, isOwnerAlive, type Owner } from './owner.ts';
import { openRunStore } from './sqlite-run-store.ts';

const context = { clock: systemClock, owner: currentOwner() };

let program: StoreChildProgram;
let folder: string;
beforeAll(async () => {
  program = await bundleStoreChild();
});
afterAll(() => program.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-store-'));
  chmodSync(folder, 0o755);
});
afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

/** Signals all children to continue once each has printed this many lines. */
async function tellTogether(children: readonly StoreChild[], lines = 1): Promise<void> {
  await Promise.all(children.map((child) => child.hasSaid(lines)));
  for (const child of children) child.tell();
}

test('processes that create a history at the same time do not lock each other out', async () => {
  const startAt = String(Date.now() + 500);
  const children = Array.from({ length: 4 }, () => program.start('open-many', folder, startAt));
  const results = await Promise.all(children.map(({ ended }) => ended));
  expect(results.map(({ errors }) => errors)).toEqual(['', '', '', '']);
});

test('several processes write one history concurrently and lose nothing', async () => {
  const file = join(folder, 'runs.db');
  const names = ['a', 'b', 'c', 'd'];
  const children = names.map((name) => program.start('write-run', file, name));
  const results = await Promise.all(children.map(({ ended }) => ended));
  expect(results.map(({ errors }) => errors)).toEqual(['', '', '', '']);
  const store = await openRunStore({ file, ...context });
  for (const name of names) {
    expect(store.getRun(asRunId(name))?.status).toBe('completed');
    expect(store.readEvents(asRunId(name), -1, 1_000).map(({ seq }) => seq)).toEqual([...Array(200).keys()]);
  }
  store.close();
});

test('everything that was appended survives kill -9, and the run is interrupted immediately', async () => {
  const file = join(folder, 'runs.db');
  const child = program.start('write-forever', file, 'r1');
  const store = await openRunStore({ file, ...context });
  await expect.poll(() => store.readEvents(asRunId('r1'), 50, 1).length, { timeout: 10_000 }).toBe(1);
  expect(store.getRun(asRunId('r1'))?.status).toBe('queued');
  child.process.kill('SIGKILL');
  const { said } = await child.ended;
  expect(store.getRun(asRunId('r1'))?.status).toBe('interrupted');
  const seqs = store.readEvents(asRunId('r1'), -1, 1_000_000).map(({ seq }) => seq);
  const durable = said.slice(1);
  expect(seqs.slice(0, durable.length)).toEqual(durable);
  expect(seqs.length - durable.length).toBeLessThanOrEqual(1);
  store.close();
});

test('the run of a killed process is unchanged until it is claimed, and then continues where it stopped', async () => {
  const file = join(folder, 'runs.db');
  const runId = asRunId('r1');
  const child = program.start('write-forever', file, 'r1');
  const store = await openRunStore({ file, ...context });
  await expect.poll(() => store.readEvents(runId, 20, 1).length, { timeout: 10_000 }).toBe(1);
  expect(() => store.claim(runId)).toThrow(expect.objectContaining({ code: 'run.invalid-state' }));
  child.process.kill('SIGKILL');
  await child.ended;
  const left = store.readEvents(runId, -1, 1_000_000);
  store.close();
  const later = await openRunStore({ file, ...context });
  expect(later.readEvents(runId, -1, 1_000_000)).toEqual(left);
  expect(() => later.append(runId, [envelope(runId, runCompleted, left.length)])).toThrow(/another engine/);
  later.claim(runId);
  later.append(runId, [envelope(runId, { type: 'run:resumed' }, left.length)]);
  later.append(runId, [envelope(runId, runCompleted, left.length + 1)]);
  expect(later.readEvents(runId, -1, 1_000_000).map(({ seq }) => seq)).toEqual([...Array(left.length + 2).keys()]);
  expect(later.getRun(runId)?.status).toBe('completed');
  later.close();
});

test('exactly one of several processes that claim a run at the same time succeeds', async () => {
  const file = join(folder, 'runs.db');
  const store = await openRunStore({ file, ...context });
  const ids = Array.from({ length: 20 }, (_, index) => `r${index}`);
  for (const [index, id] of ids.entries()) {
    store.createRun(newRun(id));
    if (index % 2 === 0) {
      const suspended = { type: 'run:suspended', reason: 'operator' } as const;
      store.append(asRunId(id), [envelope(asRunId(id), runStart, 0), envelope(asRunId(id), suspended, 1)]);
    }
  }
  store.close();
  const children = Array.from({ length: 3 }, () => program.start('claim-many', file, ''));
  await tellTogether(children);
  // All have tried and are ready to end; the runs of a process that has ended can be claimed again.
  await tellTogether(children, 22);
  const results = await Promise.all(children.map(({ ended }) => ended));
  expect(results.map(({ errors }) => errors)).toEqual(['', '', '']);
  const outcomes = ids.map((_, index) => results.map(({ said }) => said[index + 1]).sort());
  expect(outcomes).toEqual(ids.map(() => ['done', 'run.invalid-state', 'run.invalid-state']));
});

test('several processes record the same firings, and each starts exactly one run', async () => {
  const file = join(folder, 'runs.db');
  const children = ['a', 'b', 'c'].map((name) => program.start('fire-many', file, name));
  await tellTogether(children);
  const results = await Promise.all(children.map(({ ended }) => ended));
  expect(results.map(({ errors }) => errors)).toEqual(['', '', '']);
  const outcomes = [...Array(20).keys()].map((index) => results.map(({ said }) => said[index + 1]).sort());
  expect(outcomes).toEqual(outcomes.map(() => ['done', 'firing.taken', 'firing.taken']));
  const store = await openRunStore({ file, ...context });
  const started = store.firings.list({ limit: 100 }).map(({ state, runId }) => [state, runId]);
  const runs = store.listRuns({ limit: 100 }).map(({ runId }) => runId);
  expect(runs).toHaveLength(20);
  expect(started.map(([state]) => state)).toEqual(runs.map(() => 'started'));
  expect(new Set(started.map(([, runId]) => runId))).toEqual(new Set(runs));
  store.close();
});

test('transactions of several processes neither lose nor mix updates', async () => {
  const file = join(folder, 'x.db');
  const db = await openDb(file);
  db.exec(`PRAGMA journal_mode = WAL; CREATE TABLE counter (n INTEGER); INSERT INTO counter VALUES (0);
    CREATE TABLE item (id INTEGER PRIMARY KEY, writer TEXT, batch INTEGER, place INTEGER)`);
  const writers = ['a', 'b', 'c', 'd'];
  const children = writers.map((name) => program.start('count-and-add', file, name));
  await tellTogether(children);
  const results = await Promise.all(children.map(({ ended }) => ended));
  expect(results.map(({ errors }) => errors)).toEqual(['', '', '', '']);
  expect(db.get('SELECT n FROM counter')).toEqual({ n: 800 });
  const batches = db.all<{ rows: number; span: number }>(
    'SELECT count(*) AS rows, max(id) - min(id) AS span FROM item GROUP BY writer, batch',
  );
  expect(batches).toEqual(Array.from({ length: 640 }, () => ({ rows: 5, span: 4 })));
  // Checks that the processes did alternate; otherwise the test would prove nothing.
  const turns = db.all<{ writer: string }>('SELECT writer FROM item WHERE place = 0 ORDER BY id');
  expect(turns.filter(({ writer }, index) => writer !== turns[index + 1]?.writer).length).toBeGreaterThan(4);
  db.close();
});

test.runIf(process.platform === 'linux')('a killed process that its parent has not reaped counts as dead', async () => {
  const file = join(folder, 'runs.db');
  const writer = [process.execPath, program.file, 'write-forever', file, 'r1'];
  // A parent that never reaps its children: the shell becomes `sleep` after it starts the writer.
  const parent = spawn('sh', ['-c', '"$@" & exec sleep 60', 'sh', ...writer]);
  const owner = await new Promise<Owner>((done) => {
    parent.stdout.once('data', (chunk) => done(JSON.parse(String(chunk).split('\n')[0] ?? '') as Owner));
  });
  const lease = { until: Number.MAX_SAFE_INTEGER, now: 0 };
  expect(isOwnerAlive(owner, lease)).toBe(true);
  process.kill(owner.pid, 'SIGKILL');
  await expect.poll(() => isOwnerAlive(owner, lease)).toBe(false);
  expect(execFileSync('ps', ['-o', 'stat=', '-p', String(owner.pid)], { encoding: 'utf8' })).toMatch(/^Z/);
  parent.kill();
});

test.runIf(process.getuid !== undefined)('a workspace without write permission is used with a notice', async () => {
  mkdirSync(join(folder, 'flows'));
  chmodSync(folder, 0o555);
  const otherUser = process.getuid?.() === 0 ? '65534' : '';
  const { said, errors } = await program.start('open-as', folder, otherUser).ended;
  expect({ said, errors }).toEqual({
    said: [
      {
        file: null,
        runs: 1,
        notices: [{ code: 'store.in-memory', message: expect.stringContaining(join(folder, '.millrace')) }],
      },
    ],
    errors: '',
  });
  expect(readdirSync(folder)).toEqual(['flows']);
});

test.runIf(process.getuid !== undefined)('a read-only history is not changed and causes a notice', async () => {
  const otherUser = process.getuid?.() === 0 ? '65534' : '';
  const file = join(folder, '.millrace', 'runs.db');
  await program.start('open-as', folder, '').ended;
  expect(existsSync(file)).toBe(true);
  chmodSync(file, 0o444);
  chmodSync(join(folder, '.millrace'), 0o555);
  const { said, errors } = await program.start('open-as', folder, otherUser).ended;
  chmodSync(join(folder, '.millrace'), 0o755);
  expect({ said, errors }).toMatchObject({
    said: [{ file: null, notices: [{ code: 'store.in-memory', message: expect.stringContaining(file) }] }],
    errors: '',
  });
});

test.runIf(process.getuid !== undefined)(
  'a read-only history named by the user is rejected and unchanged',
  async () => {
    const otherUser = process.getuid?.() === 0 ? '65534' : '';
    const file = join(folder, 'runs.db');
    await program.start('open-named-as', file, '').ended;
    const before = readFileSync(file);
    const refused = [{ code: 'store.write-failed', message: expect.stringContaining(file) }];
    chmodSync(file, 0o444);
    const readOnlyFile = await program.start('open-named-as', file, otherUser).ended;
    chmodSync(folder, 0o555);
    const readOnlyFolder = await program.start('open-named-as', file, otherUser).ended;
    const fresh = join(folder, 'fresh.db');
    const noFile = await program.start('open-named-as', fresh, otherUser).ended;
    expect([readOnlyFile.said, readOnlyFolder.said, noFile.said]).toEqual([
      refused,
      refused,
      [{ code: 'store.write-failed', message: expect.stringContaining(fresh) }],
    ]);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(['runs.db']);
  },
);
