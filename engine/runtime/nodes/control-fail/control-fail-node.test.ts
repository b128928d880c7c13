import { expect, test } from 'vitest';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { controlFailNode } from './control-fail-node.ts';

test('fails with its message', async () => {
  const { error } = await runSingleNode({ type: 'control.fail', input: { message: 'Too few notes' } });
  expect(error).toEqual({ code: 'control.fail', message: 'Too few notes', nodeId: 'node' });
});

test('its card shows the message', () => {
  expect(controlFailNode.summary?.({}, { message: 'No {{a.b}}' })).toEqual(['Fails: ', 'No ', { chip: 'a.b' }]);
  expect(controlFailNode.summary?.({}, {})).toEqual(['Fails']);
});
