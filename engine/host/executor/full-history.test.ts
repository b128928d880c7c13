/** Tests runs when the disk with the history is full: real SQLite, with a limit on its pages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { type Db, openDb } from '../../history/store/db.ts';
import { migrate } from '../../history/store/migrate.ts';
import { createSqliteRunStore } from '../../history/store/sqlite-run-store.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';

/** Returns nodes that each output the same text. */
const nodes = (count: number, text: string): string => `
flow: { name: same, input: { text: "${text}" } }
nodes:
${Array.from({ length: count }, (_, index) => `  - { id: n${index}, type: echo, input: { text: "{{flow.input.text}}" } }`).join('\n')}
edges: []`;

const many = nodes(100, 'x'.repeat(2000));

let folder: string;
let db: Db;
let world: TestExecutor;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-full-'));
  db = await openDb(path.join(folder, 'runs.db'));
  await migrate(db);
  world = await createTestExecutor({ openStore: async (context) => createSqliteRunStore(db, context) });
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

/** Leaves space for this many more pages of 4 KiB. */
function leaveRoom(pages: number): void {
  const { page_count: used = 0 } = db.get<{ page_count: number }>('PRAGMA page_count') ?? {};
  db.exec(`PRAGMA max_page_count = ${used + pages}`);
}

test('a run that fills the disk fails with that error, subscribers receive its end, and what was stored is kept', async () => {
  const before = await (await world.run(nodes(1, 'x'))).ended;
  leaveRoom(20);
  const { runId, ended } = await world.run(many);
  const summary = await ended;
  expect(summary).toMatchObject({ status: 'failed', error: { code: 'store.full' } });
  expect(world.told.at(-1)?.event).toMatchObject({ type: 'run:end', status: 'failed', error: { code: 'store.full' } });
  expect(world.failures.map(({ code }) => code)).toEqual(['store.full']);
  const stored = world.store.readEvents(runId, -1, 1000);
  expect(stored.length).toBeGreaterThan(10);
  expect(stored).toEqual(world.told.filter((event) => event.runId === runId).slice(0, stored.length));
  expect(world.store.getRun(before.runId)).toMatchObject({ status: 'completed' });
  expect(db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
});

test('a value too large to be stored also fails its run', async () => {
  leaveRoom(12);
  const summary = await (await world.run(nodes(1, 'x'.repeat(30_000)))).ended;
  expect(summary).toMatchObject({ status: 'failed', error: { code: 'store.full' } });
});

test('a run with an end that could not be recorded is interrupted in the history and does not continue', async () => {
  leaveRoom(20);
  const { runId, ended } = await world.run(many);
  await ended;
  expect(world.store.getRun(runId)?.status).toBe('interrupted');
  // The action of the run ends after the run.
  await world.clock.settle();
  expect(world.clock.openTimers).toBe(0);
});

test('a run that cannot be recorded is rejected', async () => {
  leaveRoom(0);
  const definition = nodes(1, 'x'.repeat(60_000));
  expect(await world.run(definition).catch(toErrorRecord)).toMatchObject({ code: 'store.full' });
  expect(world.told).toEqual([]);
});

test('the next run is recorded once there is space again', async () => {
  leaveRoom(20);
  await (await world.run(many)).ended;
  db.exec('PRAGMA max_page_count = 1000000');
  const { runId, ended } = await world.run(many);
  expect(await ended).toMatchObject({ status: 'completed' });
  expect(world.store.getRun(runId)?.status).toBe('completed');
});
