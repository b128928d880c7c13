import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedText } from '../../testing/text-diff.ts';
import { corpus } from '../../testing/yaml-corpus.ts';
import type { FlowDoc } from '../flow/flow-doc.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import { type Fragment, fragmentText, pasteChange, pastedTriggers, readFragment } from './fragment.ts';

function docOf(text: string): FlowDoc {
  const { doc } = parseFlow(text);
  if (doc === null) throw new Error('This is not a flow');
  return doc;
}

const usual = docOf(corpus.usual);
const loops = docOf(corpus.loops);

function copied(doc: FlowDoc, ...ids: readonly string[]): Fragment {
  const fragment = readFragment(fragmentText(doc, { nodes: ids }));
  if (fragment === null) throw new Error('Nothing was read');
  return fragment;
}

test('writes a fragment as a small flow file', () => {
  expect(fragmentText(usual, { nodes: ['parse', 'fetch'] })).toBe(`nodes:
  - id: fetch
    type: http.request
    input:
      url: "https://x.example/{{flow.input.topic}}"
  - id: parse
    type: json.query
    name: Parse
    input:
      value: "{{fetch.body}}"
    config:
      path: $.a
edges:
  - { from: fetch, to: parse }
layout:
  nodes:
    fetch: { x: 0, y: 0 }
    parse: { x: 304, y: 0 }
`);
  expect(fragmentText(usual, { nodes: ['parse'] })).toContain('x-incoming:\n  - { from: fetch, to: parse }\n');
});

test('reads back what was copied, for every file', () => {
  const files = Object.values(corpus).map(docOf);
  const chosen = fc.constantFrom(...files).chain((doc) => {
    return fc.tuple(fc.constant(doc), fc.subarray(doc.nodes.map(({ id }) => id)));
  });
  fc.assert(
    fc.property(chosen, ([doc, ids]) => {
      const fragment = readFragment(fragmentText(doc, { nodes: ids }));
      expect(fragment?.nodes ?? []).toEqual(doc.nodes.filter(({ id }) => ids.includes(id)));
      const edges = doc.edges.filter(({ from, to }) => ids.includes(from) && ids.includes(to));
      expect(fragment?.edges ?? []).toEqual(edges);
    }),
  );
});

describe('reading', () => {
  test.each([
    ['a whole file', corpus.windows, ['fetch', 'parse', 'ask']],
    ['a list of nodes', '- { id: a, type: echo }\n- { id: b, type: echo, input: { text: x } }', ['a', 'b']],
    ['one node', 'id: a\ntype: echo\n', ['a']],
    ['a node without an id', 'type: http.request\n', ['http.request']],
  ])('accepts %s', (_, text, ids) => {
    expect(readFragment(text)?.nodes.map(({ id }) => id)).toEqual(ids);
  });

  test.each(['', 'hello', 'a: b', '[1, 2]', 'nodes: []', 'a: [', 'nodes: 5'])('rejects %j', (text) => {
    expect(readFragment(text)).toBeNull();
  });
});

describe('pasting', () => {
  test('assigns new IDs, and updates bindings, conditions and edges', () => {
    const { nodes, edges, positions } = pasteChange(usual, copied(usual, 'parse', 'ask', 'fetch'), {
      at: { x: 100, y: 50 },
    });
    expect(nodes.map(({ id }) => id)).toEqual(['fetch_2', 'parse_2', 'ask_2']);
    expect(nodes[1]?.input).toEqual({ value: '{{fetch_2.body}}' });
    expect(nodes[2]?.when).toEqual({ exists: 'parse_2.value' });
    expect(edges).toEqual([
      { from: 'fetch_2', to: 'parse_2' },
      { from: 'parse_2', to: 'ask_2' },
    ]);
    expect(positions).toEqual({ fetch_2: { x: 100, y: 50 }, parse_2: { x: 404, y: 50 } });
  });

  test('increments numbers, keeps unused IDs, and fixes invalid ones', () => {
    const fragment = copied(usual, 'fetch');
    const [node] = fragment.nodes;
    const numbered = {
      ...fragment,
      nodes: [
        { ...node!, id: 'fetch_2' },
        { ...node!, id: 'fetch' },
        { ...node!, id: 'a-b' },
        { ...node!, id: 'a.b' },
        { ...node!, id: 'flow' },
      ],
    };
    expect(pasteChange(usual, numbered).nodes.map(({ id }) => id)).toEqual([
      'fetch_2',
      'fetch_3',
      'a_b',
      'a_b_2',
      'flow_2',
    ]);
  });

  test('keeps edges from nodes that were not copied if requested', () => {
    const fragment = copied(usual, 'parse');
    expect(pasteChange(usual, fragment).edges).toEqual([]);
    expect(pasteChange(usual, fragment, { keepIncoming: true }).edges).toEqual([{ from: 'fetch', to: 'parse_2' }]);
    expect(pasteChange(loops, fragment, { keepIncoming: true }).edges).toEqual([]);
  });

  test('a loop keeps its body, and only copied nodes are added to another body', () => {
    const { nodes } = pasteChange(loops, copied(loops, 'each', 'inner'));
    expect(nodes.map(({ id, input }) => [id, input['body']])).toEqual([
      ['each_2', ['inner_2']],
      ['inner_2', undefined],
    ]);
    const pasted = changedText(corpus.loops, pasteChange(loops, copied(loops, 'each', 'inner'), { loopId: 'each' }));
    expect(docOf(pasted).nodes[0]?.input['body']).toEqual(['inner', 'other', 'each_2']);
  });

  test('places nodes without a position in a row', () => {
    const { positions } = pasteChange(usual, copied(loops, 'inner', 'other'), { at: { x: 10, y: 20 } });
    expect(positions).toEqual({ inner: { x: 10, y: 20 }, other: { x: 314, y: 20 } });
  });
});

describe('notes and groups', () => {
  const framed = docOf(`flow: { name: Framed }
nodes:
  - { id: a, type: echo, input: { text: x } }
  - { id: b, type: echo, input: { text: "{{a.text}}" } }
edges: []
layout:
  nodes: { a: { x: 10, y: 20 }, b: { x: 314, y: 20 } }
  groups: { pair: { title: Both, nodes: [a, b], color: blue } }
  notes:
    note: { x: 0, y: -100, width: 240, height: 90, text: "Why\\n- so", color: amber }
`);

  test('are copied as they are written in a file, with nodes and alone', () => {
    const parts = { nodes: ['a', 'b'], notes: new Set(['note']), groups: new Set(['pair']) };
    expect(fragmentText(framed, parts)).toContain(`layout:
  nodes:
    a: { x: 10, y: 20 }
    b: { x: 314, y: 20 }
  groups:
    pair: { title: Both, nodes: [a, b], color: blue }
  notes:
    note:
      x: 0
      y: -100
      width: 240
      height: 90
      text: |-
        Why
        - so
      color: amber
`);
    const alone = fragmentText(framed, { nodes: [], notes: new Set(['note']) });
    expect(alone.startsWith('layout:\n  notes:\n')).toBe(true);
    expect(readFragment(alone)).toMatchObject({ nodes: [], notes: { note: framed.layout?.notes?.['note'] } });
  });

  test('a group keeps the members that were copied', () => {
    const fragment = readFragment(fragmentText(framed, { nodes: ['b'], groups: new Set(['pair']) }));
    expect(fragment?.groups).toEqual({ pair: { title: 'Both', nodes: ['b'], color: 'blue' } });
    expect(readFragment('layout: { groups: { g: { title: G, nodes: [a] } } }')).toBeNull();
  });

  test('are pasted under new IDs, at the position of the nodes', () => {
    const text = fragmentText(framed, { nodes: ['a', 'b'], notes: new Set(['note']), groups: new Set(['pair']) });
    const change = pasteChange(framed, readFragment(text) as Fragment, { at: { x: 100, y: 1000 } });
    expect(change.groups).toEqual({ group: { title: 'Both', nodes: ['a_2', 'b_2'], color: 'blue' } });
    expect(change.notes?.['note_2']).toMatchObject({ x: 100, y: 1000, text: 'Why\n- so' });
    expect(change.positions).toEqual({ a_2: { x: 110, y: 1120 }, b_2: { x: 414, y: 1120 } });
    const other = docOf(
      changedText(corpus.comments, pasteChange(docOf(corpus.comments), readFragment(text) as Fragment)),
    );
    expect(Object.keys(other.layout?.notes ?? {})).toEqual(['note']);
    expect(other.layout?.groups?.['pair']?.nodes).toEqual(['a_2', 'b_2']);
  });

  test('notes alone change only the layout', () => {
    const note = readFragment(fragmentText(framed, { nodes: [], notes: new Set(['note']) })) as Fragment;
    const pasted = changedText(corpus.empty, pasteChange(docOf(corpus.empty), note, { by: { x: 32, y: 32 } }));
    expect(pasted.startsWith(corpus.empty)).toBe(true);
    expect(docOf(pasted).layout?.notes?.['note']).toMatchObject({ x: 32, y: -68 });
  });
});

/** Guards against unbounded work; correct code takes a fraction of a second. */
const limitMs = 60_000;

describe('a hostile clipboard', () => {
  test.each([
    ['a long text', 'x'.repeat(15_000_000)],
    ['a long list in one line', `[${'{id: a, type: echo},'.repeat(20_000)}]`],
    ['deep lists', `nodes: [{id: a, type: echo, input: ${'['.repeat(5000)}${']'.repeat(5000)}}]`],
    ['deep maps', `nodes: [{id: a, type: echo, input: ${'{a: '.repeat(3000)}1${'}'.repeat(3000)}}]`],
    ['a NUL', 'nodes: [{id: a, type: "ec\0ho"}]'],
    ['markup', '<script>alert(1)</script>'],
  ])('rejects %s quickly', (_title, text) => {
    const start = performance.now();
    expect(readFragment(text)).toBeNull();
    expect(performance.now() - start).toBeLessThan(limitMs);
  });

  test('cannot modify any prototype', () => {
    const text =
      'nodes:\n - {id: __proto__, type: echo, input: {__proto__: {x: 1}}}\nlayout: {nodes: {__proto__: {x: 1, y: 2}}}\n';
    const fragment = readFragment(text);
    expect(pasteChange(usual, fragment ?? copied(usual)).nodes[0]?.id).toBe('__proto___2');
    expect(({} as { readonly x?: number }).x).toBeUndefined();
  });

  test('limits the size of nodes with aliases that expand to millions of values', () => {
    const lists = [...'bcdefghij'].map(
      (name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefghi'[index]}`)}]`,
    );
    const text = `a: &a [x, x]\n${lists.join('\n')}\nnodes:\n - {id: q, type: echo, input: {v: *j}}\n`;
    expect(JSON.stringify(readFragment(text)).length).toBeLessThan(100_000);
  });

  test('reads thousands of nodes without a noticeable delay', () => {
    const nodes = Array.from({ length: 20_000 }, (_, index) => `  - {id: n${index}, type: echo, input: {text: x}}\n`);
    const start = performance.now();
    expect(readFragment(`nodes:\n${nodes.join('')}`)?.nodes).toHaveLength(20_000);
    expect(performance.now() - start).toBeLessThan(limitMs);
  });
});

test('reads lines that were selected starting from the dash or the first key', () => {
  const ids = (text: string) => readFragment(text)?.nodes.map(({ id }) => id);
  expect(
    ids('- id: a\n    type: echo\n    input: { text: hi }\n  - id: b\n    type: echo\n    input: { text: ho }\n'),
  ).toEqual(['a', 'b']);
  expect(ids('id: a\n    type: echo\n    input: { text: hi }\n')).toEqual(['a']);
  expect(ids('some words\n    and more')).toBeUndefined();
});

test('triggers are copied like a flow has them, and pasted under free IDs', () => {
  const triggers = [
    { id: 'daily', schedule: { every: '1d' } },
    { id: 'mail_2', files: { glob: 'in/*.eml' } },
  ];
  const flow: FlowDoc = { flow: { name: 'x', triggers }, nodes: [], edges: [] };
  const copied = readFragment(fragmentText(flow, { nodes: [], triggers: new Set(['daily', 'mail_2']) }));
  expect(copied).toMatchObject({ nodes: [], triggers });
  if (copied === null) throw new Error('nothing was copied');
  expect(pastedTriggers(flow, copied).map(({ id }) => id)).toEqual(['daily_2', 'mail_3']);
  expect(readFragment(fragmentText(flow, { nodes: [] }))).toBeNull();
});
