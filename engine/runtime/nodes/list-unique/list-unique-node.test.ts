import { expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { listUniqueNode } from './list-unique-node.ts';

const run = (items: JsonValue, config: JsonMap = {}) =>
  runSingleNode({ type: 'list.unique', input: { items }, config });

test.each<[JsonValue, JsonMap, JsonValue]>([
  [[1, '1', 1, true, 'true', 1.0], {}, [1, '1', true, 'true']],
  [[{ a: 1, b: [2] }, { b: [2], a: 1 }, { a: 1 }], {}, [{ a: 1, b: [2] }, { a: 1 }]],
  [
    [
      [1, 2],
      [2, 1],
      [1, 2],
    ],
    {},
    [
      [1, 2],
      [2, 1],
    ],
  ],
  [[{ id: 1, x: 'a' }, { id: 1, x: 'b' }, { id: 2 }], { by: 'item.id' }, [{ id: 1, x: 'a' }, { id: 2 }]],
  [[{ x: 1 }, { x: 2 }, { id: null }], { by: 'item.id' }, [{ x: 1 }, { x: 2 }, { id: null }]],
  [[], {}, []],
])('BB-59 list.unique of %j with %j keeps the first of each', async (items, config, expected) => {
  expect((await run(items, config)).output).toEqual({ items: expected });
});

test('rejects a path with another root', async () => {
  expect((await run([1], { by: 'id' })).error?.code).toBe('node.bad-config');
});

test('its card shows the list', () => {
  expect(listUniqueNode.summary?.({ by: 'item.id' }, { items: '{{a.items}}' })).toEqual([
    'Keeps one of each of ',
    { chip: 'a.items' },
    ' by ',
    { chip: 'item.id' },
  ]);
});
