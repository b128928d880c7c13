/** Tests paused runs that a person let continue just before their process was lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';

let folder: string;
let world: TestExecutor;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-left-decisions-'));
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: { readonly resumesAnswered?: true } = {}): Promise<void> {
  const file = join(folder, 'runs.db');
  world = await createTestExecutor({ ...options, openStore: (context) => openRunStore({ file, ...context }) });
}

/** Returns a run that is paused before `b`. */
async function paused(): Promise<RunId> {
  const text = `
flow: { name: line }
nodes:
  - { id: a, type: echo, input: { text: one } }
  - { id: b, type: echo, input: { text: "{{a.text}} two" } }
  - { id: c, type: echo, input: { text: "{{b.text}} three" } }
edges: [{ from: a, to: b }, { from: b, to: c }]`;
  const breakpoints = { 'a.flow.yaml': [{ node: 'b' }] };
  const { runId, ended } = await world.executor.startRun({ path: 'a.flow.yaml', text, inputs: {}, breakpoints });
  expect((await ended).status).toBe('suspended');
  return runId;
}

const stateOf = (runId: RunId) => foldRun(emptyRunState, world.store.readEvents(runId, -1, 1000));

test('13.5 the next process that resumes answered runs continues it, with what the person has given', async () => {
  await open();
  const runId = await paused();
  world.store.requests.give(runId, { name: 'b', answer: { action: 'skip', value: { text: 'given' }, by: 'Kim' } });
  await world.close();
  await open({ resumesAnswered: true });
  await world.clock.advance(0);
  await vi.waitFor(() => expect(world.store.getRun(runId)?.status).toBe('completed'));
  const { nodes, output } = stateOf(runId);
  expect([nodes.get('b')?.given, output]).toEqual([{ by: 'Kim' }, { c: { text: 'given three' } }]);
});

test('13.5 a run that is still paused, or that was paused again, stays as it is', async () => {
  await open();
  const runId = await paused();
  await world.executor.changeOutput({ runId, nodeId: 'a', output: { text: 'changed' } });
  const again = await paused();
  await (await world.executor.resumeRun({ runId: again, action: 'step' })).ended;
  await world.close();
  await open({ resumesAnswered: true });
  await world.clock.advance(60_000);
  expect([runId, again].map((id) => world.store.getRun(id)?.waitStatus)).toEqual(['PAUSED', 'PAUSED']);
});

test('13.5 the wish to continue ends when the run has continued', async () => {
  await open();
  const runId = await paused();
  world.store.requests.letGo(runId);
  expect(world.store.requests.has(runId, 'continue')).toBe(true);
  world.store.requests.letGo(runId);
  const { ended } = await world.executor.resumeRun({ runId });
  expect([(await ended).status, world.store.requests.has(runId, 'continue')]).toEqual(['completed', false]);
});
