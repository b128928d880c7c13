import { expect, test } from 'vitest';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { constantNode } from './constant-node.ts';

test.each([['text'], [0], [false], [null], [[1, { a: null }]], [{ deep: { list: [] } }]])(
  'returns %j',
  async (value) => {
    const { output } = await runSingleNode({ type: 'constant', input: { value } });
    expect(output).toEqual({ value });
  },
);

test('requires a value', async () => {
  const { error } = await runSingleNode({ type: 'constant' });
  expect(error?.message).toBe('Node "node": input.value is missing');
});

test('its card shows the value', () => {
  expect(constantNode.summary?.({}, { value: { a: 1 } })).toEqual(['Provides ', { chip: '{"a":1}' }]);
  expect(constantNode.summary?.({}, { value: 'a text' })).toEqual(['Provides ', '“', 'a text', '”']);
  expect(constantNode.summary?.({}, {})).toEqual(['No value yet']);
});
