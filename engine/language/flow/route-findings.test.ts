import { expect, test } from 'vitest';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { checkFlow } from './check-flow.ts';

const catalog = createNodeRegistry(builtinNodes);

function problems(route: string, value: string): readonly string[] {
  const text = `flow: { name: x, input: { way: a } }
nodes:
  - id: sort
    type: control.switch
    input: { value: 1, cases: [{ when: { exists: value }, route: ${route} }] }
  - { id: a, type: echo, input: { text: x } }
edges:
  - { from: sort, to: a, when: { equals: { var: sort.route, value: ${value} } } }
`;
  return checkFlow(text, catalog).diagnostics.map(({ code, range, message }) => `${range.line} ${code} ${message}`);
}

test('warns about an edge for a branch that its switch does not have, and suggests the most similar one', () => {
  expect(problems('little', 'litle')).toEqual([
    '8 edge.unknown-route "sort" has no branch "litle", so this edge is never taken. It has: little, default. Did you mean "little"?',
  ]);
});

test.each([
  ['little', 'little'],
  ['little', 'default'],
  ['"{{flow.input.way}}"', 'anything'],
])('the branch %s is valid for an edge with %s', (route, value) => {
  expect(problems(route, value)).toEqual([]);
});
