import { expect, test } from 'vitest';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { controlNoopNode } from './control-noop-node.ts';

test('returns its input, even if there is none', async () => {
  const some = await runSingleNode({ type: 'control.noop', input: { value: [1, null] } });
  const none = await runSingleNode({ type: 'control.noop' });
  expect([some.output, none.output]).toEqual([{ value: [1, null] }, {}]);
});

test('its card describes it', () => {
  expect(controlNoopNode.summary?.({}, { value: '{{a.b}}' })).toEqual(['Passes on ', { chip: 'a.b' }]);
  expect(controlNoopNode.summary?.({}, {})).toEqual(['Does nothing']);
});
