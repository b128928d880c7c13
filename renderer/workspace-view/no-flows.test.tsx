import { expect, test } from 'vitest';
import { builtinNodes, checkFlow, createNodeRegistry } from '../../engine/isomorphic.ts';
import { smallestFlow } from './no-flows.tsx';

test('the flow that an empty workspace offers has no problems', () => {
  const { diagnostics, flow } = checkFlow(smallestFlow, createNodeRegistry(builtinNodes));
  expect({ diagnostics, nodes: flow?.nodes.map(({ id }) => id) }).toEqual({
    diagnostics: [],
    nodes: ['greet', 'save'],
  });
});
