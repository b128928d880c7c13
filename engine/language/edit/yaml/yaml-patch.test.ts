import { expect, test } from 'vitest';
import { diffBy } from '../../../testing/text-diff.ts';
import { corpus } from '../../../testing/yaml-corpus.ts';
import type { FlowChange } from '../flow-change.ts';

const { usual, fourBlanks, anchors, comments, loops } = corpus;

type Example = readonly [what: string, text: string, change: FlowChange, diff: readonly string[]];

const values: readonly Example[] = [
  [
    'a value keeps its comment',
    usual,
    { do: 'set-flow', path: ['name'], value: 'Other' },
    ['-  name: Test   # the name', '+  name: Other   # the name'],
  ],
  [
    'a value keeps its quotes',
    usual,
    { do: 'set-node', id: 'parse', path: ['name'], value: "It's" },
    ["-    name: 'Parse'", "+    name: 'It''s'"],
  ],
  [
    'text that means something else is quoted',
    usual,
    { do: 'set-node', id: 'ask', path: ['description'], value: 'yes' },
    ['+    description: "yes"'],
  ],
  [
    'text over lines becomes a block, its comment stays',
    usual,
    { do: 'set-node', id: 'parse', path: ['input', 'value'], value: 'Two\n\nlines' },
    [
      '-      value: "{{fetch.body}}"   # from above',
      '+      value: |-   # from above',
      '+        Two',
      '+',
      '+        lines',
    ],
  ],
  [
    'a map between braces becomes lines when text over lines comes in',
    usual,
    { do: 'set-node', id: 'fetch', path: ['input', 'body'], value: 'Two\nlines\n' },
    [
      '-    input: { url: "https://x.example/{{flow.input.topic}}" }',
      '+    input:',
      '+      url: "https://x.example/{{flow.input.topic}}"',
      '+      body: |',
      '+        Two',
      '+        lines',
    ],
  ],
  [
    'of a block only its lines change',
    usual,
    { do: 'set-node', id: 'ask', path: ['input', 'prompt'], value: 'Read {{parse.value}}\n  and all.\n' },
    ['-          and {{?fetch.body}}.', '-', '-        {{parse.value | default:{"a":[1]}}}', '+          and all.'],
  ],
  [
    'a new key is inserted where it belongs',
    usual,
    { do: 'set-node', id: 'parse', path: ['description'], value: 'Reads' },
    ['+    description: Reads'],
  ],
  [
    'missing maps on the path are created',
    usual,
    { do: 'set-node', id: 'ask', path: ['policy', 'retry', 'maxAttempts'], value: 3 },
    ['+    policy:', '+      retry: { maxAttempts: 3 }'],
  ],
  [
    'maps left empty go, but no input',
    usual,
    { do: 'set-node', id: 'fetch', path: ['input', 'url'], value: undefined },
    ['-    input: { url: "https://x.example/{{flow.input.topic}}" }', '+    input: {}'],
  ],
  [
    'config goes with its last key',
    usual,
    { do: 'set-node', id: 'parse', path: ['config', 'path'], value: undefined },
    ['-    config: { path: "$.a" }'],
  ],
  [
    'an item is added to a list in brackets',
    usual,
    { do: 'set-flow', path: ['input', 'many', 1], value: 7 },
    ['-  input: { topic: rain, many: [1, 2] }', '+  input: { topic: rain, many: [1, 7] }'],
  ],
  [
    'an alias on the path is replaced by its value',
    anchors,
    { do: 'set-node', id: 'b', path: ['config', 'model'], value: 'other' },
    ['-    config: *config', '+    config:', '+      model: other', '+      temperature: 0.5'],
  ],
  [
    'an alias of a changed value keeps the old value',
    anchors,
    { do: 'set-node', id: 'c', path: ['input', 'node'], value: 'new' },
    ['-      node: &n "{{a.text}}"', '-      again: *n', '+      node: &n "new"', '+      again: "{{a.text}}"'],
  ],
  [
    'a comment above a value stays',
    comments,
    { do: 'set-node', id: 'c', path: ['input', 'text'], value: 'x' },
    ['-        "{{a.text}}"', '+        "x"'],
  ],
];
const edges: readonly Example[] = [
  [
    'an edge gets another end',
    usual,
    { do: 'set-edge', edge: 'fetch->parse', change: { to: 'ask' } },
    ['-  - { from: fetch, to: parse }   # first', '+  - { from: fetch, to: ask }   # first'],
  ],
  [
    'an edge loses its condition with the comment on it',
    fourBlanks,
    { do: 'set-edge', edge: 'a->b', change: { when: null } },
    ['-        # a condition', '-        when: { exists: a.text }'],
  ],
  [
    'a node is inserted into an edge, and the first half keeps the condition',
    loops,
    { do: 'splice', node: 'after', edge: 'inner->other' },
    [
      '-    input: { items: "{{flow.input.list}}", as: thing, body: [inner, other] }',
      '+    input: { items: "{{flow.input.list}}", as: thing, body: [inner, other, after] }',
      '-  - { from: inner, to: other, when: { equals: { var: inner.text, value: "inner.text" } } }',
      '+  - { from: inner, to: after, when: { equals: { var: inner.text, value: "inner.text" } } }',
      '+  - { from: after, to: other }',
    ],
  ],
  [
    'a group is one line, a note with text over lines a block',
    usual,
    {
      do: 'all',
      label: 'Both',
      changes: [
        { do: 'set-layout', path: ['notes', 'n1'], value: { x: 1, y: 2, width: 3, height: 4, text: 'Hi\nyou' } },
        { do: 'set-layout', path: ['groups', 'g1'], value: { title: 'Group', nodes: ['fetch', 'ask'] } },
      ],
    },
    [
      '+  groups:',
      '+    g1: { title: Group, nodes: [fetch, ask] }',
      '+  notes:',
      '+    n1:',
      '+      x: 1',
      '+      y: 2',
      '+      width: 3',
      '+      height: 4',
      '+      text: |-',
      '+        Hi',
      '+        you',
    ],
  ],
];

test.each([...values, ...edges])('%s', (_, ...[text, change, diff]) => {
  expect(diffBy(text, change)).toEqual(diff);
});
