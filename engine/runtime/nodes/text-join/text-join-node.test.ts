import { expect, test } from 'vitest';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { textJoinNode } from './text-join-node.ts';

test.each<[JsonMap, string]>([
  [{ items: ['a', 'b'] }, 'a\nb'],
  [{ items: ['a', 'b'], separator: ', ' }, 'a, b'],
  [{ items: ['a', 'b'], separator: '' }, 'ab'],
  [{ items: [1, true, null, { a: 1 }, [2]], separator: '|' }, '1|true|null|{"a":1}|[2]'],
  [{ items: [] }, ''],
])('BB-59 text.join of %j', async (input, text) => {
  expect((await runSingleNode({ type: 'text.join', input })).output).toEqual({ text });
});

test('rejects a text that would be too long before creating it', async () => {
  const long = 'x'.repeat(1024 * 1024);
  const items = Array.from({ length: 300 }, () => long.slice());
  expect(
    (await runSingleNode({ type: 'text.join', input: { items: items.slice(0, 200), separator: long } })).error?.code,
  ).toMatch(/too-large$/);
});

test('its card shows the list', () => {
  expect(textJoinNode.summary?.({}, { items: '{{a.items}}' })).toEqual(['Joins ', { chip: 'a.items' }]);
});
