import { describe, expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { listFilterNode } from './list-filter-node.ts';

const filter = (items: JsonValue, when: JsonMap) =>
  runSingleNode({ type: 'list.filter', input: { items }, config: { when } }, { inputs: { x: 1 } });

const notes = [
  { id: 1, tags: ['new'], size: 3 },
  { id: 2, tags: [], size: 12 },
  { id: 3, size: null },
];

describe('filtering', () => {
  test.each<[JsonMap, readonly number[]]>([
    [{ contains: { var: 'item.tags', value: 'new' } }, [1]],
    [{ gte: { var: 'item.size', value: 3 } }, [1, 2]],
    [{ exists: 'item.size' }, [1, 2]],
    [{ not: { exists: 'item.tags' } }, [3]],
    [{ in: { var: 'item.id', value: [3, 1] } }, [1, 3]],
    [{ gt: { var: 'loop.index', value: 0 } }, [2, 3]],
    [{ exists: 'flow.input.x' }, []],
    [{ and: [] }, [1, 2, 3]],
  ])('with %j', async (when, ids) => {
    const { output } = await filter(notes, when);
    expect(output).toEqual({ items: notes.filter(({ id }) => ids.includes(id)) });
  });

  test('filters plain items too, including null', async () => {
    const { output } = await filter([1, 'a', null, true], { exists: 'item' });
    expect(output).toEqual({ items: [1, 'a', true] });
  });

  test.each([[{ equals: { var: '{{item}}', value: 1 } }], [{ is: 1 }], [{}]])('rejects %j', async (when) => {
    expect((await filter([1], when)).error?.code).toBe('node.bad-config');
  });
});

test('its card shows the list', () => {
  expect(listFilterNode.summary?.({}, { items: '{{a.items}}' })).toEqual(['Keeps some of ', { chip: 'a.items' }]);
});
