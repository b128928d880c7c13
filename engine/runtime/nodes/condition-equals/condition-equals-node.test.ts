import { expect, test } from 'vitest';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { conditionEqualsNode } from './condition-equals-node.ts';

test.each([
  ['the same text', 'a', 'a', true],
  ['maps with keys in another order', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
  ['a number and its text', 1, '1', false],
  ['true and its text', true, 'true', false],
  ['lists in another order', [1, 2], [2, 1], false],
  ['null and null, as null counts as missing', null, null, false],
  ['a value and null', 0, null, false],
])('compares %s', async (...[, left, right, value]) => {
  const { output } = await runSingleNode({ type: 'condition.equals', input: { left, right } });
  expect(output).toEqual({ value });
});

test('a binding that is the whole text keeps its type', async () => {
  const node = { type: 'condition.equals', input: { left: '{{flow.input.flag}}', right: true } };
  expect((await runSingleNode(node, { inputs: { flag: true } })).output).toEqual({ value: true });
});

test('its card shows the comparison', () => {
  const summary = conditionEqualsNode.summary?.({}, { left: '{{a.kind}}', right: 'bug' });
  expect(summary).toEqual(['Is ', { chip: 'a.kind' }, ' equal to ', { chip: 'bug' }, '?']);
  expect(conditionEqualsNode.summary?.({}, {})).toEqual(['Is ', 'something', ' equal to ', 'something', '?']);
});
