import { expect, test } from 'vitest';
import { checkFlow } from '../../../language/flow/check-flow.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { runSingleNode, startSingleNode } from '../../../testing/run-single-node.ts';
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
])('%s returns the list of its matches', async (path, expected) => {
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
])('%s selects a single place and returns its value, or null', async (path, expected) => {
  expect(await pick(path)).toEqual(expected);
});

test('queries any value', async () => {
  expect([await pick('$[*]', [1, 2]), await pick('$.a', 'text'), await pick('$..*', 3)]).toEqual([[1, 2], null, []]);
});

function nested(depth: number): JsonValue {
  let value: JsonValue = { end: true };
  for (let level = 0; level < depth; level++) value = { in: value };
  return value;
}

test('searches deep values, and rejects those that are too deep with the query in the message', async () => {
  expect(await pick('$..end', nested(900))).toEqual([true]);
  const node = { type: 'json.query', input: { value: '{{flow.input.deep}}' }, config: { path: '$..end' } };
  const { error } = await runSingleNode(node, { inputs: { deep: nested(2000) } });
  expect(error).toMatchObject({ code: 'json.too-deep', message: expect.stringContaining('$..end') });
});

test.each([
  ['orders[*]', 'must start with $'],
  ['', 'must start with $'],
  ['$.orders[', 'is not a valid JSONPath'],
  ['$.orders[?nobody(@.id)]', 'is not a valid JSONPath'],
  ['$.orders[?length(@.id, 1) == 1]', 'is not a valid JSONPath'],
])('reports the invalid path %j before a run', (path, words) => {
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

test('rejects an excessively nested path', () => {
  const path = `$${'[?@'.repeat(20_000)}`;
  expect(jsonQueryNode.configSchema.safeParse({ path }).success).toBe(false);
});

test('its card shows what it selects', () => {
  expect(jsonQueryNode.summary?.({ path: '$.a' }, { value: '{{get.body}}' })).toEqual([
    'Selects ',
    { chip: '$.a' },
    ' from ',
    { chip: 'get.body' },
  ]);
});

const slow = ['(a+)+$', '(a|aa)+$', '(([a-z])+.)+[A-Z]([a-z])+$', '(a*)*b', '(.*)*x$'];

test.each(slow.flatMap((pattern) => [`$[?search(@, '${pattern}')]`, `$[?match(@, '${pattern}')]`]))(
  'evaluates %s quickly regardless of the pattern',
  async (path) => {
    expect(await pick(path, [`${'a'.repeat(2000)}!`])).toEqual([]);
  },
);

test('patterns can come from the value, and an invalid one matches nothing', async () => {
  const rows = [
    { text: 'abc', pattern: 'b' },
    { text: 'abc', pattern: '^c' },
    { text: 'abc', pattern: '(' },
    { text: 5, pattern: '5' },
    { text: 'a\u2028b', pattern: 'a.b' },
    { text: 'a\nb', pattern: 'a.b' },
  ];
  expect(await pick('$[?search(@.text, @.pattern)].pattern', rows)).toEqual(['b', 'a.b']);
  expect(await pick("$[?match(@.text, 'ab')].text", rows)).toEqual([]);
});

const numbers = Array.from({ length: 100 }, (_, index) => index);

test('stops a path that multiplies its matches and reports the position', async () => {
  const path = `$${`[${Array(40).fill(0).join()}]`.repeat(6)}`;
  const { error } = await runSingleNode({ type: 'json.query', input: { value: [[[[[[1]]]]]] }, config: { path } });
  expect(error).toMatchObject({
    code: 'json.too-many-matches',
    message: expect.stringContaining('[0,0,0'),
    nodeId: 'node',
  });
});

test('a long query can be canceled', async () => {
  const path = '$[?count($[?count($[?count($[*]) > 0]) > 0]) > 0]';
  const run = startSingleNode({ type: 'json.query', input: { value: numbers }, config: { path } });
  setTimeout(() => run.cancel(), 20);
  const { events } = await run.done;
  expect(events.at(-1)?.event).toMatchObject({ type: 'run:end', status: 'cancelled' });
});

test('rejects a path that is too long', () => {
  expect(jsonQueryNode.configSchema.safeParse({ path: `$${'.a'.repeat(6000)}` }).success).toBe(false);
});

test.each<[string, JsonValue]>([
  ['$[1:5:2]', [1, 3]],
  ['$[::-1]', [5, 4, 3, 2, 1, 0]],
  ['$[-1:0:-2]', [5, 3, 1]],
  ['$[3:1:-1]', [3, 2]],
  ['$[10:1:-1]', [5, 4, 3, 2]],
  ['$[::0]', []],
  ['$[-100:2]', [0, 1]],
  ['$[?@ == 3 || @ < 1]', [0, 3]],
  ['$[?@ >= 4 && !(@ == 5)]', [4]],
  ['$[?@ != $[0]]', [1, 2, 3, 4, 5]],
  ['$[?@.a == @.b]', [0, 1, 2, 3, 4, 5]],
  ['$[?value($[5]) == @]', [5]],
  ['$[?length($) == 6]', [0, 1, 2, 3, 4, 5]],
  ['$[0]', 0],
  ['$[0,0,-1]', [0, 0, 5]],
])('%s means what the standard says', async (path, expected) => {
  expect(await pick(path, [0, 1, 2, 3, 4, 5])).toEqual(expected);
});

test('compares lists and maps by all of their content', async () => {
  const value = [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, { a: null }];
  expect(await pick('$[?@.a == $[0].a]', value)).toEqual([value[0]]);
  expect(await pick('$[?@.a == null]', value)).toEqual([value[2]]);
});
