import { describe, expect, test } from 'vitest';
import { checkFlow } from '../../../language/flow/check-flow.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { builtinNodes } from '../builtin-nodes.ts';
import { createNodeRegistry } from '../node-registry.ts';
import { listMapNode } from './list-map-node.ts';

const map = (items: JsonValue, template: JsonValue) =>
  runSingleNode({ type: 'list.map', input: { items }, config: { template } }, { inputs: { x: 'outside' } });

async function mapped(items: JsonValue, template: JsonValue): Promise<JsonValue | undefined> {
  const { output, error } = await map(items, template);
  expect(error).toBeUndefined();
  return (output as { items: JsonValue }).items;
}

const people = [
  { name: 'Ada', born: 1815, tags: ['x'] },
  { name: 'Grace', born: 1906, tags: [] },
];

describe('filling the template', () => {
  test.each<[JsonValue, JsonValue]>([
    ['{{item.name}}, {{item.born}}', ['Ada, 1815', 'Grace, 1906']],
    ['{{item.born}}', [1815, 1906]],
    ['{{item.tags}}', [['x'], []]],
    [
      { who: '{{item.name}}', at: ['{{loop.index}}', 'fixed'] },
      [
        { who: 'Ada', at: [0, 'fixed'] },
        { who: 'Grace', at: [1, 'fixed'] },
      ],
    ],
    ['{{item.nick | default:"none"}}', ['none', 'none']],
    ['{{?item.nick}}!', ['!', '!']],
    ['\\{{item}}', ['{{item}}', '{{item}}']],
    [7, [7, 7]],
    [null, [null, null]],
  ])('the template %j', async (template, expected) => {
    expect(await mapped(people, template)).toEqual(expected);
  });

  test('accepts items of any type and empty lists', async () => {
    expect(await mapped([0, false, '', [1]], '{{item}}')).toEqual([0, false, '', [1]]);
    expect(await mapped([], '{{item}}')).toEqual([]);
  });

  test('a missing value fails with the position of the item', async () => {
    const { error } = await map([{ a: 1 }, {}], '{{item.a}}');
    expect(error).toMatchObject({
      code: 'binding.missing',
      message: expect.stringMatching(/^Item 1: .*"item\.a"/),
      details: { path: 'item.a' },
    });
  });

  test('the template cannot use anything else of the flow', async () => {
    expect((await map([1], '{{flow.input.x}}')).error?.code).toBe('binding.missing');
  });

  test('accepts only a list', async () => {
    expect((await map({ a: 1 }, 'x')).error?.code).toBe('node.bad-input');
  });
});

test.each<[JsonValue, string]>([
  ['{{item.}}', 'is not a binding'],
  [{ deep: ['{{item | default:none}}'] }, '"config.template.deep.0" is not valid: The default'],
  ['{{item', 'is not closed'],
])('the faulty template %j is found before a run', (template, words) => {
  const text = JSON.stringify({
    flow: { name: 'test' },
    nodes: [{ id: 'a', type: 'list.map', input: { items: [] }, config: { template } }],
    edges: [],
  });
  const { diagnostics } = checkFlow(text, createNodeRegistry(builtinNodes));
  expect(diagnostics).toEqual([
    expect.objectContaining({ severity: 'error', code: 'node.bad-config', message: expect.stringContaining(words) }),
  ]);
});

test('its card shows the template', () => {
  expect(listMapNode.summary?.({ template: 'Hi {{item.name}}' }, { items: '{{a.items}}' })).toEqual([
    'Creates ',
    '“',
    'Hi ',
    { chip: 'item.name' },
    '”',
    ' for each of ',
    { chip: 'a.items' },
  ]);
});
