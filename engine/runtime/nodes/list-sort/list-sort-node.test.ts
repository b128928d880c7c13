import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import { runSingleNode, startSingleNode } from '../../../testing/run-single-node.ts';
import { testRounds } from '../../../testing/test-rounds.ts';
import { listSortNode } from './list-sort-node.ts';

const run = (items: JsonValue, config: JsonMap = {}) => runSingleNode({ type: 'list.sort', input: { items }, config });
const sorted = async (items: JsonValue, config: JsonMap = {}) =>
  ((await run(items, config)).output as { items: JsonValue[] }).items;

describe('BB-59 list.sort', () => {
  test.each<[JsonValue, JsonMap, JsonValue]>([
    [[3, 10, -1, 2.5], {}, [-1, 2.5, 3, 10]],
    [[3, 10, -1], { desc: true }, [10, 3, -1]],
    [['b', 'a', 'C', 'ä'], {}, ['a', 'ä', 'b', 'C']],
    [['a', 2, true, [1], false, 1, { b: 1 }], {}, [1, 2, 'a', false, true, [1], { b: 1 }]],
    [[{ p: 2 }, { p: 1 }], { by: 'item.p' }, [{ p: 1 }, { p: 2 }]],
    [[{ p: { q: 'b' } }, { p: { q: 'a' } }], { by: 'item.p.q' }, [{ p: { q: 'a' } }, { p: { q: 'b' } }]],
    [[{}, { p: 1 }, { p: null }, { p: 0 }], { by: 'item.p' }, [{ p: 0 }, { p: 1 }, {}, { p: null }]],
    [[{}, { p: 1 }, { p: 2 }], { by: 'item.p', desc: true }, [{ p: 2 }, { p: 1 }, {}]],
    [[], {}, []],
  ])('%j with %j', async (items, config, expected) => {
    expect(await sorted(items, config)).toEqual(expected);
  });

  test('equal items keep their order, even in long lists', async () => {
    const rows = fc.array(fc.record({ key: fc.nat(5), place: fc.constant(0) }), { maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), async (list, desc) => {
        const items = list.map(({ key }, place) => ({ key, place }));
        const expected = [...items].sort((a, b) => (desc ? b.key - a.key : a.key - b.key));
        expect(await sorted(items, { by: 'item.key', desc })).toEqual(expected);
      }),
      { numRuns: testRounds(20) },
    );
    const many = Array.from({ length: 9_001 }, (_, place) => ({ key: (place * 7919) % 13, place }));
    expect(await sorted(many, { by: 'item.key' })).toEqual([...many].sort((a, b) => a.key - b.key));
  });
});

test.each(['price', 'other.price', 'item.', '{{item}}'])('%j is not a path into an item', async (by) => {
  expect((await run([1], { by })).error?.code).toBe('node.bad-config');
});

test('sorting a long list can be canceled', async () => {
  const items = Array.from({ length: 200_000 }, (_, index) => `text ${(index * 7919) % 200_000}`);
  const { done, cancel } = startSingleNode({ type: 'list.sort', input: { items } });
  setTimeout(cancel, 20);
  expect((await done).events.at(-1)?.event).toMatchObject({ type: 'run:end', status: 'cancelled' });
});

test('its card shows what it sorts and by which field', () => {
  expect(listSortNode.summary?.({ by: 'item.price' }, { items: '{{a.items}}' })).toEqual([
    'Sorts ',
    { chip: 'a.items' },
    ' by ',
    { chip: 'item.price' },
  ]);
  expect(listSortNode.summary?.({}, {})).toEqual(['Sorts ', 'nothing yet']);
});
