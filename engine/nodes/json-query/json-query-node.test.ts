import { expect, test } from 'vitest';
import { checkFlow } from '../../flowspec/check-flow.ts';
import type { JsonValue } from '../../flowspec/json-value.ts';
import { runSingleNode } from '../../testing/run-single-node.ts';
import { builtinNodes } from '../builtin-nodes.ts';
import { createNodeRegistry } from '../node-registry.ts';
import { jsonQueryNode } from './json-query-node.ts';

const shop = {
  orders: [
    { id: 'a', total: 10, open: true, lines: [{ name: 'nut' }] },
    { id: 'b', total: 25.5, open: false, lines: [] },
    { id: 'c', total: 7, lines: [{ name: 'bolt' }, { name: 'nut' }] },
  ],
  'odd key': null,
};

async function pick(path: string, value: JsonValue = shop): Promise<JsonValue | undefined> {
  const { output, error } = await runSingleNode({ type: 'json.query', input: { value }, config: { path } });
  expect(error).toBeUndefined();
  return (output as { value: JsonValue }).value;
}

test.each<[string, JsonValue]>([
  ['$.orders[*].id', ['a', 'b', 'c']],
  ['$.orders[?@.total < 20].id', ['a', 'c']],
  ['$.orders[?@.open == true].id', ['a']],
  ['$.orders[?!@.open].id', ['c']],
  ['$.orders[?match(@.id, "[ab]")].total', [10, 25.5]],
  ['$.orders[?count(@.lines[*]) > 1].id', ['c']],
  ['$..name', ['nut', 'bolt', 'nut']],
  ['$.orders[0,2].id', ['a', 'c']],
  ['$.orders[-2:].id', ['b', 'c']],
  ['$.nobody[*]', []],
])('%s gives the list of its matches', async (path, expected) => {
  expect(await pick(path)).toEqual(expected);
});

test.each<[string, JsonValue]>([
  ['$.orders[1].total', 25.5],
  ["$['orders'][-1]['id']", 'c'],
  ['$["odd key"]', null],
  ['$.nobody.at.all', null],
  ['$.orders[99]', null],
  ['$.constructor', null],
  ['$', shop],
])('%s leads to one place and gives what stands there, or null', async (path, expected) => {
  expect(await pick(path)).toEqual(expected);
});

test('looks into any value', async () => {
  expect([await pick('$[*]', [1, 2]), await pick('$.a', 'text'), await pick('$..*', 3)]).toEqual([[1, 2], null, []]);
});

function nested(depth: number): JsonValue {
  let value: JsonValue = { end: true };
  for (let level = 0; level < depth; level++) value = { in: value };
  return value;
}

test('searches deep values, and refuses by name those that are too deep', async () => {
  expect(await pick('$..end', nested(900))).toEqual([true]);
  const node = { type: 'json.query', input: { value: '{{flow.input.deep}}' }, config: { path: '$..end' } };
  const { error } = await runSingleNode(node, { inputs: { deep: nested(2000) } });
  expect(error).toMatchObject({ code: 'json.too-deep', message: expect.stringContaining('$..end') });
});

test.each([
  ['orders[*]', 'must begin with $'],
  ['', 'must begin with $'],
  ['$.orders[', 'is no JSONPath'],
  ['$.orders[?nobody(@.id)]', 'is no JSONPath'],
  ['$.orders[?length(@.id, 1) == 1]', 'is no JSONPath'],
])('the faulty path %j is found before a run', (path, words) => {
  const text = JSON.stringify({
    flow: { name: 'test' },
    nodes: [{ id: 'a', type: 'json.query', input: { value: 1 }, config: { path } }],
    edges: [],
  });
  const { diagnostics } = checkFlow(text, createNodeRegistry(builtinNodes));
  expect(diagnostics).toEqual([
    expect.objectContaining({ severity: 'error', code: 'node.bad-config', message: expect.stringContaining(words) }),
  ]);
});

test('a path that is nested without end is refused as well', () => {
  const path = `$${'[?@'.repeat(20_000)}`;
  expect(jsonQueryNode.configSchema.safeParse({ path }).success).toBe(false);
});

test('its card says what it picks', () => {
  expect(jsonQueryNode.summary?.({ path: '$.a' }, { value: '{{get.body}}' })).toEqual([
    'Picks ',
    { chip: '$.a' },
    ' from ',
    { chip: 'get.body' },
  ]);
});
