/** Tests breakpoints on the inputs of agents that flows call. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import type { Breakpoint } from '../../runtime/kernel/hub/run-pause.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { openScopes } from '../../testing/open-scopes.ts';

const agent = '# Data\n```lua\nreturn input\n```\n# Output\n```lua\nreturn data\n```\n';
const calling = `
flow: { name: calling }
nodes: [{ id: call, type: agent, input: { agent: a.aip, inputs: [p, q, r] } }]
edges: []`;

let folder: string;
let world: TestExecutor;
let count = 0;

async function open(): Promise<void> {
  await world?.close();
  world = await createTestExecutor({
    openStore: (context) => openRunStore({ file: path.join(folder, 'runs.db'), ...context }),
    idPrefix: `run${count++}-`,
  });
  world.texts.set('a.aip', agent);
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-agent-breakpoints-'));
  await open();
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const eventsOf = (runId: RunId) => world.store.readEvents(runId, -1, 10_000);
const stateOf = (runId: RunId) => foldRun(emptyRunState, eventsOf(runId));

async function run(breakpoints: readonly Breakpoint[]) {
  const request = { path: 'a.flow.yaml', text: calling, inputs: {}, breakpoints: { 'a.aip': breakpoints } };
  const { runId, ended } = await world.executor.startRun(request);
  return { runId, status: (await ended).status as string };
}

/** Returns where a run stops, if a person always lets it continue. */
async function stopsOf(breakpoints: readonly Breakpoint[]) {
  const started = await run(breakpoints);
  const { runId } = started;
  const stops: unknown[] = [];
  for (let { status } = started; status === 'suspended'; ) {
    const { nextNode, input, reason } = stateOf(runId).pause ?? {};
    stops.push([nextNode, input, reason]);
    // Another process continues.
    await open();
    status = (await (await world.executor.resumeRun({ runId, action: 'continue' })).ended).status;
  }
  expect(stateOf(runId).nodes.get('call')).toMatchObject({ status: 'completed', output: { outputs: ['p', 'q', 'r'] } });
  expect([stateOf(runId).held, openScopes(eventsOf(runId))]).toEqual([[], []]);
  return stops;
}

const heldAt = (index: number) => [`call/input:${index}`, 'pqr'[index], 'breakpoint'];

test('13.5 a breakpoint holds an agent before each input, before one of them, or where its condition holds', async () => {
  expect(await stopsOf([{ node: 'input' }])).toEqual([0, 1, 2].map(heldAt));
  expect(await stopsOf([{ node: 'input', item: 2 }])).toEqual([heldAt(1)]);
  expect(await stopsOf([{ node: 'input', when: 'input is "r"' }])).toEqual([heldAt(2)]);
  expect(await stopsOf([{ node: 'other' }, { node: 'input', isOff: true }])).toEqual([]);
});

test('13.5 a held input of an agent continues or steps, and takes no values from a person', async () => {
  const { runId } = await run([{ node: 'input' }]);
  const refused = { message: expect.stringContaining('It can only continue or step') };
  for (const decision of [
    { action: 'skip', output: 1 },
    { action: 'edit', input: {} },
  ] as const)
    await expect(world.executor.resumeRun({ runId, ...decision })).rejects.toMatchObject(refused);
  await (await world.executor.resumeRun({ runId, action: 'step' })).ended;
  expect(stateOf(runId).pause).toMatchObject({ nextNode: 'call/input:1', input: 'q' });
});
