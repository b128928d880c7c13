import { afterEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { RunEndEvent } from '../../runtime/kernel/events/run-event.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';

const passes = ({ most = 2, word = 'x' } = {}): string => `
flow: { name: p, input: { most: ${most} } }
nodes:
  - { id: a, type: echo, input: { text: ${word} } }
  - { id: ok, type: control.if, input: { condition: { equals: { var: a.text, value: x } } } }
  - { id: again, type: control.loop, input: { body: [say], until: { exists: flow.input.most } } }
  - { id: say, type: echo, input: { text: "{{flow.input.most}}" } }
  - { id: z, type: echo, input: { text: z } }
edges: [{ from: a, to: ok }, { from: ok, to: again }]`;

let world: TestExecutor;
afterEach(() => world.close());

/** Returns the plan for each node, and what became of it. */
async function rerun(runId: RunId, text: string) {
  const steps = await world.executor.plans.planRerun({ runId, nodeId: 'z', text });
  const { runId: again, ended } = await world.executor.rerunFrom({ runId, nodeId: 'z', text });
  await ended;
  const events = world.store.readEvents(again, -1, 1000).map(({ event }) => event);
  const reused = events.flatMap((event) => (event.type === 'node:reused' ? [event.nodeId] : []));
  const end = events.find((event): event is RunEndEvent => event.type === 'run:end');
  return { steps: new Map(steps.map((step) => [step.nodeId, step])), reused, output: end?.output };
}

test('values in conditions, and inputs from the file used by a loop body, determine whether a result is reused', async () => {
  world = await createTestExecutor();
  const { runId, ended } = await world.run(passes());
  await ended;
  expect((await rerun(runId, passes())).reused).toEqual(['a', 'ok', 'again']);

  const other = await rerun(runId, passes({ word: 'y' }));
  expect(other.reused).toEqual([]);
  expect(other.steps.get('ok')).toMatchObject({ fate: 'maybe', why: expect.stringContaining('depends on a') });
  expect(other.output).toMatchObject({ again: { reason: 'condition' } });

  const more = await rerun(runId, passes({ most: 3 }));
  expect(more.reused).toEqual(['a', 'ok']);
  expect(more.steps.get('again')).toMatchObject({ fate: 'runs', why: 'the inputs of the flow have changed' });
  expect(more.output).toMatchObject({ again: { last: { say: { text: '3' } } } });
});
