import { expect, test } from 'vitest';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { textSplitNode } from './text-split-node.ts';

test.each<[JsonMap, JsonMap, readonly string[]]>([
  [{ text: 'a\nb\r\nc' }, {}, ['a', 'b', 'c']],
  [{ text: 'a\n\n  \nb\n' }, {}, ['a', 'b']],
  [{ text: 'a\n\nb\n' }, { keepEmpty: true }, ['a', '', 'b', '']],
  [{ text: 'a, b,c', separator: ',' }, {}, ['a', ' b', 'c']],
  [{ text: 'a.b', separator: '.' }, {}, ['a', 'b']],
  [{ text: '' }, {}, []],
])('BB-59 text.split of %j with %j', async (input, config, items) => {
  expect((await runSingleNode({ type: 'text.split', input, config })).output).toEqual({ items });
});

test('rejects an empty separator', async () => {
  expect((await runSingleNode({ type: 'text.split', input: { text: 'ab', separator: '' } })).error?.code).toBe(
    'node.bad-input',
  );
});

test('its card shows the text', () => {
  expect(textSplitNode.summary?.({}, { text: '{{a.text}}' })).toEqual(['Splits ', { chip: 'a.text' }]);
});
