import { expect, test } from 'vitest';
import type { CompiledFlow } from '../../language/flow/compiled-flow.ts';
import { createTestExecutor } from '../../testing/executor-world.ts';
import { inReachedOrder } from './rerun-step.ts';

/** Returns the order of a flow's nodes, given in file order with edges such as `ab`. */
function orderOf(nodes: string, edges: readonly string[], reached: string): string {
  const flow = {
    nodes: [...nodes].map((id) => ({ id })),
    edges: edges.map(([from, to]) => ({ from, to })),
  } as unknown as CompiledFlow;
  const steps = [...nodes].map((nodeId) => ({ nodeId }));
  return inReachedOrder(flow, steps, reached)
    .map(({ nodeId }) => nodeId)
    .join('');
}

test.each([
  ['nodes in the order of the earlier run, which ran two at a time', 'abc', ['ab'], 'acb', 'acb'],
  ['nodes in file order if the earlier run reached none', 'abc', ['ab'], '', 'abc'],
  ['a node that the earlier run did not reach after its predecessor', 'abcd', ['ab', 'bd'], 'ac', 'abcd'],
  ['a new node after its predecessor', 'abxc', ['ab'], 'acb', 'acbx'],
  ['a new first node first', 'xab', [], 'ab', 'xab'],
  ['no node before those that now lead to it', 'abc', ['cb'], 'abc', 'acb'],
  ['no removed node', 'ab', [], 'bza', 'ba'],
  ['no nodes in loop bodies', 'ab', ['ab'], ['a', 'a[0].x', 'b'], 'ab'],
] as const)('a plan lists %s', (...[, nodes, edges, reached, expected]) => {
  expect(orderOf(nodes, edges, reached as string)).toBe(expected);
});

test('the plan of a run lists nodes in the order in which they ran, even when several ran in parallel', async () => {
  const world = await createTestExecutor({});
  const text = `
flow: { name: four, policy: { maxParallel: 4 } }
nodes:
  - { id: a, type: echo, input: { text: one } }
  - { id: b, type: echo, input: { text: "{{a.text}} two" } }
  - { id: c, type: echo, input: { text: three } }
  - { id: d, type: echo, input: { text: "{{b.text}} four" } }
edges: [{ from: a, to: b }, { from: b, to: d }]`;
  const { runId, ended } = await world.run(text);
  await ended;
  const ran = world.store
    .readEvents(runId, -1, 1000)
    .flatMap(({ event }) => (event.type === 'task:start' ? [event.nodeId] : []));
  const plan = await world.executor.plans.planRerun({ runId, text });
  expect(ran.indexOf('c')).toBeLessThan(ran.indexOf('b'));
  expect(plan.map(({ nodeId }) => nodeId)).toEqual(ran);
  await world.close();
});
