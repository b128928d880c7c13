import { describe, expect, test } from 'vitest';
import { applyEdits, invertEdits } from '../../base/text-edit.ts';
import { changedText } from '../../testing/text-diff.ts';
import { corpus } from '../../testing/yaml-corpus.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import { editFlow } from './edit-flow.ts';
import type { FlowChange } from './flow-change.ts';

const { usual } = corpus;

describe('errors explain the problem', () => {
  test.each<[string, string, FlowChange, string]>([
    ['broken YAML', 'flow:\n  name: [a\nnodes: []\n', { do: 'move', positions: {} }, 'Line 3, column 1'],
    ['no flow', '- a\n', { do: 'move', positions: {} }, 'The file is not a flow'],
    ['an unknown node', usual, { do: 'set-node', id: 'x', path: ['name'], value: 'x' }, 'No node has the id "x".'],
    ['an unknown edge', usual, { do: 'set-edge', edge: 'a->b', change: {} }, 'Edge "a->b" does not exist.'],
    [
      'an edge that exists',
      usual,
      { do: 'connect', edges: [{ from: 'fetch', to: 'parse' }] },
      'already leads from "fetch" to "parse"',
    ],
    ['an unknown end', usual, { do: 'connect', edges: [{ from: 'fetch', to: 'x' }] }, 'No node has the id "x".'],
    [
      'a path through a string',
      usual,
      { do: 'set-flow', path: ['name', 'a'], value: 1 },
      '"flow.name.a" cannot be set',
    ],
    [
      'a node without type',
      usual,
      { do: 'set-node', id: 'ask', path: ['type'], value: undefined },
      '"type" is required in a node.',
    ],
    ['a list that is a number', 'nodes: 5\n', { do: 'add', nodes: [] }, '"nodes" is not a list'],
    ['no path', usual, { do: 'set-flow', path: [], value: 1 }, 'Only single values can be set'],
  ])('%s', (_, ...[text, change, message]) => {
    const edit = editFlow(text, change);
    expect(edit.ok ? edit.edits : edit.error).toMatchObject({
      code: 'edit.refused',
      message: expect.stringContaining(message),
    });
  });
});

const note = { x: 1, y: 2, width: 3, height: 4, text: 'Hi' };

test.each<[FlowChange, string]>([
  [{ do: 'move', positions: { ask: { x: 1, y: 1 }, fetch: { x: 1, y: 1 }, parse: { x: 1, y: 1 } } }, 'Move 3 nodes'],
  [{ do: 'move', positions: { fetch: null } }, 'Place fetch automatically'],
  [{ do: 'add', nodes: [{ id: 'a', type: 'prompt', input: {} }] }, 'Add prompt'],
  [{ do: 'add', nodes: [], notes: { n: note } }, 'Add a note'],
  [{ do: 'add', nodes: [], notes: { n: note, m: note } }, 'Add notes'],
  [{ do: 'connect', edges: [{ from: 'fetch', to: 'ask' }] }, 'Connect fetch to ask'],
  [{ do: 'rename', id: 'ask', to: 'query' }, 'Rename ask to query'],
  [{ do: 'set-node', id: 'ask', path: ['input', 'prompt'], value: 'x' }, 'Set prompt of ask'],
  [{ do: 'set-flow', path: ['input', 'many', 0], value: undefined }, 'Remove many of the flow'],
  [{ do: 'remove', nodes: ['ask'], edges: ['fetch->parse'] }, 'Delete ask and 1 edge'],
  [{ do: 'remove', nodes: [], edges: ['fetch->parse'] }, 'Delete edge fetch->parse'],
  [{ do: 'set-edge', edge: 'fetch->parse', change: { when: { and: [] } } }, 'Set condition of fetch->parse'],
  [{ do: 'set-edge', edge: 'fetch->parse', change: { from: 'ask' } }, 'Reconnect fetch->parse'],
  [{ do: 'splice', node: 'ask', edge: 'fetch->parse' }, 'Insert ask into fetch->parse'],
  [{ do: 'set-layout', path: ['notes', 'n', 'text'], value: 'x' }, 'Change note'],
  [{ do: 'all', changes: [], label: 'Tidy up' }, 'Tidy up'],
])('%j is called %s', (change, label) => {
  expect(editFlow(usual, change)).toMatchObject({ ok: true, label });
});

test('line endings and the byte order mark stay, and edits can be undone', () => {
  const windows = `\uFEFF${usual.replaceAll('\n', '\r\n')}`;
  const change: FlowChange = { do: 'add', nodes: [{ id: 'n', type: 'echo', input: { text: 'a\nb' } }] };
  const edit = editFlow(windows, change);
  const after = changedText(windows, change);
  expect(after).toBe(`\uFEFF${changedText(usual, change).replaceAll('\n', '\r\n')}`);
  expect(edit.ok && invertEdits(windows, edit.edits)).toEqual([expect.objectContaining({ text: '' })]);
});

test('text that replaces empty text is written without quotes, other text keeps its quotes', () => {
  const text =
    "flow: { name: F, description: '' }\nnodes:\n  - { id: a, type: echo, input: { text: '', note: 'b' } }\n";
  const set = (key: string): FlowChange => ({ do: 'set-node', id: 'a', path: ['input', key], value: 'two words' });
  expect(changedText(text, set('text'))).toBe(text.replace("text: ''", 'text: two words'));
  expect(changedText(text, set('note'))).toBe(text.replace("'b'", "'two words'"));
});

test('text is written in the same way, regardless of pauses while it was typed', () => {
  let text = 'flow: { name: F }\nnodes:\n  - { id: a, type: echo, input: { text: Hello } }\nedges: []\n';
  const finished = text.replace('Hello', 'Send this reply?');
  for (const value of ['', 'Send ', 'Send this', 'Send this ', 'Send this reply?']) {
    text = changedText(text, { do: 'set-node', id: 'a', path: ['input', 'text'], value });
  }
  expect(text).toBe(finished);
});

describe('typing into a block scalar character by character, with trailing spaces in between', () => {
  const typed = "const all = \n  input  \n\n   \n  \n.join(' '); \n\n return all; ";

  test.each(['|', '|-', '|+', '>'])('%s', (header) => {
    let text = `flow: { name: Code }\nnodes:\n  - id: a\n    type: script.js\n    config:\n      code: ${header}\n        1;\nedges: []\n`;
    for (let length = 1; length <= typed.length; length++) {
      const value = `${typed.slice(0, length)}\n`;
      const edit = editFlow(text, { do: 'set-node', id: 'a', path: ['config', 'code'], value });
      if (!edit.ok) throw new Error(`${JSON.stringify(value)}: ${edit.error.message}`);
      text = applyEdits(text, edit.edits);
    }
    expect(parseFlow(text).doc?.nodes[0]?.config).toEqual({ code: `${typed}\n` });
  });
});
