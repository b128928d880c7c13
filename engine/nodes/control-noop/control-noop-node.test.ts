import { expect, test } from 'vitest';
import { runSingleNode } from '../../testing/run-single-node.ts';
import { controlNoopNode } from './control-noop-node.ts';

test('passes on what it gets, also nothing', async () => {
  const some = await runSingleNode({ type: 'control.noop', input: { value: [1, null] } });
  const none = await runSingleNode({ type: 'control.noop' });
  expect([some.output, none.output]).toEqual([{ value: [1, null] }, {}]);
});

test('its card says so', () => {
  expect(controlNoopNode.summary?.({}, { value: '{{a.b}}' })).toEqual(['Passes on ', { chip: 'a.b' }]);
  expect(controlNoopNode.summary?.({}, {})).toEqual(['Does nothing']);
});
