/** Tests rerunning from a moment of an earlier run: only what had completed by then is reused. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { cutRun } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';

let world: TestExecutor;
beforeEach(async () => {
  world = await createTestExecutor({ reply: () => ({ text: 'yes', finishReason: 'stop' }) });
});
afterEach(() => world.close());

const line = `
flow: { name: line, policy: { maxParallel: 1 } }
nodes:
  - { id: a, type: echo, input: { text: one } }
  - { id: b, type: echo, input: { text: "{{a.text}} two" } }
  - { id: c, type: echo, input: { text: "{{b.text}} three" } }
edges: [{ from: a, to: b }, { from: b, to: c }]`;

const loop = `
flow: { name: loop, policy: { maxParallel: 1 } }
nodes:
  - { id: each, type: control.foreach, input: { items: [1, 2, 3], body: [first, then] } }
  - { id: first, type: echo, input: { text: "{{item}}" } }
  - { id: then, type: echo, input: { text: "{{first.text}}!" } }
  - { id: last, type: echo, input: { text: done } }
edges: [{ from: first, to: then }, { from: each, to: last }]`;

function eventsOf(runId: RunId): readonly RunEvent[] {
  return world.store.readEvents(runId, -1, 1000).map(({ event }) => event);
}

async function run(text: string): Promise<RunId> {
  const { runId, ended } = await world.run(text);
  expect((await ended).status).toBe('completed');
  return runId;
}

/** Returns the number of the event with which a node completed. */
function endOf(runId: RunId, nodeId: string): number {
  return eventsOf(runId).findIndex((event) => event.type === 'task:complete' && event.nodeId === nodeId);
}

function reusedIn(runId: RunId): readonly string[] {
  return eventsOf(runId).flatMap((event) => (event.type === 'node:reused' ? [event.nodeId] : []));
}

async function rerun(runId: RunId, until: number, text?: string) {
  const request = { runId, until, ...(text === undefined ? {} : { text }) };
  const plan = await world.executor.plans.planRerun(request);
  const { runId: again, ended } = await world.executor.rerunFrom(request);
  expect((await ended).status).toBe('completed');
  return { again, plan: Object.fromEntries(plan.map((step) => [step.nodeId, step.fate])), steps: plan };
}

test('what had completed is reused, and everything later runs again, even if other runs have its result', async () => {
  const runId = await run(line);
  await run(line);
  const { again, plan } = await rerun(runId, endOf(runId, 'b'), line);
  expect([plan, reusedIn(again)]).toEqual([{ a: 'reused', b: 'reused', c: 'runs' }, ['a', 'b']]);
  expect(eventsOf(again)[0]).toMatchObject({ rerunOf: runId, rerunUntil: endOf(runId, 'b') });
  const earlier = await rerun(runId, endOf(runId, 'b') - 1, line);
  expect([earlier.plan, reusedIn(earlier.again)]).toEqual([{ a: 'reused', b: 'runs', c: 'runs' }, ['a']]);
});

test('13.15 of a loop, the items that had completed are reused', async () => {
  const runId = await run(loop);
  const { again, plan, steps } = await rerun(runId, endOf(runId, 'each[1].first'), loop);
  expect(plan).toMatchObject({ each: 'runs' });
  expect(steps.find(({ nodeId }) => nodeId === 'each')?.items).toEqual({ reused: 1, total: 3 });
  expect(reusedIn(again)).toEqual(['each[0].first', 'each[0].then']);
});

test('a rerun that a crash interrupts still reuses only what had completed by then', async () => {
  const runId = await run(line);
  await run(line);
  const { again } = await rerun(runId, endOf(runId, 'a'), line);
  const after = ({ type }: RunEvent): boolean => type === 'run:start';
  const cut = await cutRun(world, { text: line, of: again, lineage: { rerunOf: runId }, after });
  const { ended } = await world.executor.resumeRun({ runId: cut });
  expect((await ended).status).toBe('completed');
  expect(reusedIn(cut)).toEqual(['a']);
});

test('of an agent, the inputs that had completed are reused', async () => {
  world.texts.set('a.aip', '# Instruction\n\nAbout {{input}}\n');
  const accepted = await world.executor.startAgent({
    agent: 'a.aip',
    inputs: ['p', 'q'],
    options: { input_concurrency: 1 },
  });
  if ('work' in accepted) throw new Error('It waits for work.');
  await accepted.ended;
  const until = eventsOf(accepted.runId).findIndex(
    (event) => event.type === 'task:complete' && event.taskId === 'input:0',
  );
  const { again, plan } = await rerun(accepted.runId, until);
  expect([plan, reusedIn(again)]).toEqual([{ 'input:0': 'reused', 'input:1': 'runs' }, ['input:0']]);
});
