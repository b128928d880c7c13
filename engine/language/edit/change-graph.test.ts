import { expect, test } from 'vitest';
import { diffBy } from '../../testing/text-diff.ts';
import { corpus } from '../../testing/yaml-corpus.ts';
import type { FlowChange } from './flow-change.ts';

const { usual, fourBlanks, brackets, empty, loops, noLayout } = corpus;

type Example = readonly [what: string, text: string, change: FlowChange, diff: readonly string[]];

const moves: readonly Example[] = [
  [
    'moving a node changes its line, in whole pixels',
    usual,
    { do: 'move', positions: { parse: { x: 310.4, y: -0.2 } } },
    ['-    parse: { x: 304, y: 0 }', '+    parse: { x: 310, y: 0 }'],
  ],
  [
    'the first place makes the block at the end',
    noLayout,
    { do: 'move', positions: { ask: { x: 1, y: 2 } } },
    ['+layout:', '+  nodes:', '+    ask: { x: 1, y: 2 }', '+'],
  ],
  [
    'with the last place the block goes',
    usual,
    { do: 'move', positions: { fetch: null, parse: null } },
    ['-layout:', '-  nodes:', '-    fetch: { x: 0, y: 0 }', '-    parse: { x: 304, y: 0 }', '-'],
  ],
];
const nodes: readonly Example[] = [
  [
    'a new node comes after the others, with its edge and position',
    usual,
    {
      do: 'add',
      nodes: [
        { input: { text: 'a\nb', to: '{{ask.text}}' }, id: 'more', type: 'echo', name: 'More: it' },
        { id: 'end', type: 'control.noop', input: {} },
      ],
      edges: [
        { from: 'ask', to: 'more' },
        { from: 'more', to: 'end', when: { exists: 'more.text' } },
      ],
      positions: { more: { x: 608, y: 0 } },
    },
    [
      '+  - id: more',
      '+    type: echo',
      '+    name: "More: it"',
      '+    input:',
      '+      text: |-',
      '+        a',
      '+        b',
      '+      to: "{{ask.text}}"',
      '+',
      '+  - id: end',
      '+    type: control.noop',
      '+    input: {}',
      '+',
      '+  - { from: ask, to: more }',
      '+  - { from: more, to: end, when: { exists: more.text } }',
      '+    more: { x: 608, y: 0 }',
    ],
  ],
  [
    'the first node and edge make lists of blocks',
    empty,
    {
      do: 'add',
      nodes: [
        { id: 'a', type: 'echo', input: {} },
        { id: 'b', type: 'echo', input: {} },
      ],
      edges: [{ from: 'a', to: 'b' }],
    },
    [
      '-nodes: []   # none yet',
      '-edges: []',
      '+nodes:   # none yet',
      '+  - id: a',
      '+    type: echo',
      '+    input: {}',
      '+  - id: b',
      '+    type: echo',
      '+    input: {}',
      '+edges:',
      '+  - { from: a, to: b }',
    ],
  ],
  [
    'a node gets the indentation of its neighbors',
    fourBlanks,
    { do: 'add', nodes: [{ id: 'n', type: 'echo', input: { deep: { list: [{ a: 1, b: [2] }] } } }], after: 'a' },
    [
      '+    -   id: n',
      '+        type: echo',
      '+        input:',
      '+            deep:',
      '+                list:',
      '+                    -   a: 1',
      '+                        b: [2]',
    ],
  ],
  [
    'a new edge is a block where edges are blocks, and the end of the file stays open',
    fourBlanks,
    { do: 'connect', edges: [{ from: 'a', to: 'c' }] },
    ['+    -   from: a', '+        to: c'],
  ],
  [
    'a new node of a loop joins its body',
    loops,
    { do: 'add', nodes: [{ id: 'n', type: 'echo', input: {} }], loopId: 'each', after: 'other' },
    [
      '-    input: { items: "{{flow.input.list}}", as: thing, body: [inner, other] }',
      '+    input: { items: "{{flow.input.list}}", as: thing, body: [inner, other, n] }',
      '+  - id: n',
      '+    type: echo',
      '+    input: {}',
    ],
  ],
  [
    'between brackets a node goes with its comma, and JSON stays JSON',
    brackets,
    { do: 'add', nodes: [{ id: 'n', type: 'echo', input: {} }], edges: [{ from: 'a', to: 'n' }] },
    [
      '-    { "id": "d", "type": "echo", "input": {} }',
      '+    { "id": "d", "type": "echo", "input": {} },',
      '+    { "id": "n", "type": "echo", "input": {} }',
      '-    { "from": "b", "to": "c" } # last',
      '+    { "from": "b", "to": "c" }, # last',
      '+    { "from": "a", "to": "n" }',
    ],
  ],
];
const removals: readonly Example[] = [
  [
    'a node goes with the comment directly above it, its edges and its place; healed, its neighbours are connected',
    usual,
    { do: 'remove', nodes: ['parse'], edges: [], heal: true },
    [
      '-  # Reads it.',
      '-  # In two lines.',
      '-  - id: parse',
      "-    name: 'Parse'",
      '-    type: json.query',
      '-    input:',
      '-      value: "{{fetch.body}}"   # from above',
      '-      # more: to come',
      '-    config: { path: "$.a" }',
      '-',
      '-  - { from: fetch, to: parse }   # first',
      '-  - { from: parse, to: ask }',
      '+  - { from: fetch, to: ask }   # first',
      '-    parse: { x: 304, y: 0 }',
    ],
  ],
  [
    'a loop no longer names removed nodes',
    loops,
    { do: 'remove', nodes: ['other'], edges: [] },
    [
      '-    input: { items: "{{flow.input.list}}", as: thing, body: [inner, other] }',
      '+    input: { items: "{{flow.input.list}}", as: thing, body: [inner] }',
      '-  - id: other',
      '-    type: echo',
      '-    input: { text: "{{inner.text}}" }',
      '-  - { from: inner, to: other, when: { equals: { var: inner.text, value: "inner.text" } } }',
    ],
  ],
  [
    'edges go by their names, also the second between the same nodes',
    loops,
    { do: 'remove', nodes: [], edges: ['each->after#2'] },
    ['-  - { from: each, to: after, x-mine: 1 }'],
  ],
  [
    'the last edge leaves an empty list',
    usual,
    { do: 'remove', nodes: [], edges: ['fetch->parse', 'parse->ask'] },
    ['-edges:', '-  - { from: fetch, to: parse }   # first', '-  - { from: parse, to: ask }', '+edges: []'],
  ],
];
const conditional = (path: string) =>
  usual.replace('parse, to: ask }', `parse, to: ask, when: { not: { exists: ${path} } } }`);
const parted: readonly Example[] = [
  [
    'healed, a condition on the node that went goes with it',
    conditional('parse.value'),
    { do: 'remove', nodes: ['parse'], edges: [], heal: true },
    ['-  - { from: fetch, to: parse }   # first', expect.anything(), '+  - { from: fetch, to: ask }   # first'],
  ],
  [
    'healed, a condition on another node stays',
    conditional('fetch.body'),
    { do: 'remove', nodes: ['parse'], edges: [], heal: true },
    [
      '-  - { from: fetch, to: parse }   # first',
      expect.anything(),
      '+  - { from: fetch, to: ask, when: { not: { exists: fetch.body } } }   # first',
    ],
  ],
];
test.each(parted)('%s', (_, ...[text, change, diff]) => {
  expect(diffBy(text, change).filter((line) => line.includes('from:'))).toEqual(diff);
});

const grouped = `flow: { name: F }
nodes:
  - { id: a, type: echo, input: { body: [a, b] } }
  - { id: b, type: echo, input: {} }
  - { id: each, type: control.foreach, input: { items: [1] } }
edges: []
layout:
  groups:
    both: { title: Both, nodes: [a, b] }
    one: { title: One, nodes: [a] }
    other: { title: Other, nodes: [b] }
`;
const groups: readonly Example[] = [
  [
    'a group no longer names removed nodes, and is removed with its last node',
    grouped,
    { do: 'remove', nodes: ['a'], edges: [] },
    [
      '-  - { id: a, type: echo, input: { body: [a, b] } }',
      '-    both: { title: Both, nodes: [a, b] }',
      '-    one: { title: One, nodes: [a] }',
      '+    both: { title: Both, nodes: [b] }',
    ],
  ],
  [
    'the first node of a loop makes its body',
    grouped,
    { do: 'add', nodes: [{ id: 'n', type: 'echo', input: {} }], loopId: 'each' },
    [
      '-  - { id: each, type: control.foreach, input: { items: [1] } }',
      '+  - { id: each, type: control.foreach, input: { items: [1], body: [n] } }',
      '+  - { id: n, type: echo, input: {} }',
    ],
  ],
  [
    'a key body in another node stays unchanged',
    grouped,
    { do: 'reorder', nodes: ['b'], side: 'before', of: 'a' },
    ['-  - { id: a, type: echo, input: { body: [a, b] } }', '+  - { id: a, type: echo, input: { body: [a, b] } }'],
  ],
];

test.each([...moves, ...nodes, ...removals, ...groups])('%s', (_, ...[text, change, diff]) => {
  expect(diffBy(text, change)).toEqual(diff);
});
