import { expect, test } from 'vitest';
import { checkFlow } from '../../language/flow/check-flow.ts';
import { testRun } from '../../testing/test-run.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';

test('FE-91 a flow of 3,000 nodes in reverse file order is validated and runs in the order of its edges', async () => {
  const count = 3000;
  const ids = Array.from({ length: count }, (_, index) => `n${index}`);
  const nodes = ids.map((id, index) => {
    const text = index === 0 ? 'hi' : `{{${ids[index - 1]}.text}}`;
    return `  - { id: ${id}, type: echo, input: { text: "${text}" } }`;
  });
  const edges = ids.slice(1).map((id, index) => `  - { from: ${ids[index]}, to: ${id} }`);
  const text = `flow: { name: x }\nnodes:\n${nodes.reverse().join('\n')}\nedges:\n${edges.reverse().join('\n')}\n`;
  const { diagnostics, flow } = checkFlow(text, createNodeRegistry(builtinNodes));
  expect(diagnostics).toEqual([]);
  expect(flow?.nodes.map(({ id }) => id)).toEqual(ids);
  const { end, events } = await testRun(text);
  expect(end.status).toBe('completed');
  const started = events.flatMap(({ event }) => (event.type === 'task:start' ? [event.taskId.slice(5)] : []));
  expect(started).toEqual(ids);
});
