/** What becomes of runs when the disk under the history is full: real SQLite, with a limit on its pages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toErrorRecord } from '../base/engine-error.ts';
import { type Db, openDb } from '../store/db.ts';
import { migrate } from '../store/migrate.ts';
import { createSqliteRunStore } from '../store/sqlite-run-store.ts';
import { createTestExecutor, type TestExecutor } from '../testing/executor-world.ts';

/** Nodes that each give the same text. */
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

/** Leaves room for this many more pages of 4 KiB. */
function leaveRoom(pages: number): void {
  const { page_count: used = 0 } = db.get<{ page_count: number }>('PRAGMA page_count') ?? {};
  db.exec(`PRAGMA max_page_count = ${used + pages}`);
}

test('in the middle of a run: it fails with that error, people see its end, and what was stored stays', async () => {
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

test('a value too large to be kept fails its run as well', async () => {
  leaveRoom(12);
  const summary = await (await world.run(nodes(1, 'x'.repeat(30_000)))).ended;
  expect(summary).toMatchObject({ status: 'failed', error: { code: 'store.full' } });
});

test('a run whose end could not be recorded goes on for nobody: the history has it as interrupted', async () => {
  leaveRoom(20);
  const { runId, ended } = await world.run(many);
  await ended;
  expect(world.store.getRun(runId)?.status).toBe('interrupted');
  expect(world.clock.openTimers).toBe(0);
});

test('before a run: it is refused', async () => {
  leaveRoom(0);
  const definition = nodes(1, 'x'.repeat(60_000));
  expect(await world.run(definition).catch(toErrorRecord)).toMatchObject({ code: 'store.full' });
  expect(world.told).toEqual([]);
});

test('with room again, the next run is recorded', async () => {
  leaveRoom(20);
  await (await world.run(many)).ended;
  db.exec('PRAGMA max_page_count = 1000000');
  const { runId, ended } = await world.run(many);
  expect(await ended).toMatchObject({ status: 'completed' });
  expect(world.store.getRun(runId)?.status).toBe('completed');
});
