import { describe, expect, test } from 'vitest';
import { nodeTypes } from '../../stores/flow/node-types.ts';
import { indexFlow } from './flow-index.ts';
import { flowKnowledge } from './flow-language.ts';
import { mentionsOf, outlineOf, renamableAt, targetAt } from './flow-places.ts';
import { hoverFlow } from './flow-providers.ts';

const text = `flow: { name: x }
nodes:
  - id: first
    type: http.request
    input: { url: https://a.example }
  - id: each
    name: All of them
    type: control.foreach
    input: { items: "{{first.body}}", body: [inner] }
  - id: inner
    type: agent
    when: { exists: first.status }
    input: { agent: demo@proof, inputs: ["{{ ?first.body }} \\\\{{first.body}}"] }
  - id: read
    type: file.read
    input: { path: notes/a.md }
edges:
  - from: first
    to: each
layout:
  nodes:
    first: { x: 1, y: 2 }
  groups:
    g: { title: G, nodes: [first, each] }
`;
const index = indexFlow(text);
const at = (part: string, into = 1): number => text.indexOf(part) + into;
const knowledge = {
  ...flowKnowledge(nodeTypes),
  summaryOf: (id: string) => (id === 'first' ? 'Asks a.example' : undefined),
};

describe('mentions', () => {
  test('of a node are all references to it, and no others', () => {
    const lines = mentionsOf(index, at('id: first', 5)).map(({ start, end, role }) => {
      expect(text.slice(start, end)).toBe('first');
      return [text.slice(0, start).split('\n').length, role];
    });
    expect(lines).toEqual([
      [3, 'id'],
      [9, 'binding'],
      [12, 'condition'],
      [13, 'binding'],
      [18, 'edge'],
      [22, 'layout'],
      [24, 'layout'],
    ]);
  });

  test('of a quoted id exclude its quotes', () => {
    const quoted = indexFlow('nodes:\n  - id: "a"\nedges:\n  - { from: \'a\', to: b }\n');
    expect(quoted.mentions.map(({ start, end }) => quoted.text.slice(start, end))).toEqual(['a', 'a', 'b']);
  });

  test('can be renamed if the node exists', () => {
    expect(renamableAt(index, at('[inner]', 2))?.text).toBe('inner');
    expect(renamableAt(index, at('a.example', 2))).toBeUndefined();
    expect(renamableAt(indexFlow('edges: [{ from: gone, to: b }]'), 17)).toBeUndefined();
  });
});

describe('targets', () => {
  test.each([
    ['a binding', '{{first.body', 4, 'first'],
    ['the end of an edge', 'to: each', 5, 'each'],
    ['the body of a loop', '[inner]', 2, 'inner'],
    ['a condition', 'first.status', 2, 'first'],
  ])('%s leads to the node', (...[, part, into, id]) => {
    const target = targetAt(index, at(part, into));
    expect(target).toMatchObject({ kind: 'node', node: { id } });
    expect(text.slice(0, target?.kind === 'node' ? target.at.start : 0).endsWith('- id: ')).toBe(true);
  });

  test('agents and files lead out of the flow', () => {
    expect(targetAt(index, at('demo@proof', 3))).toMatchObject({ kind: 'agent', name: 'demo@proof' });
    expect(targetAt(index, at('notes/a.md', 3))).toMatchObject({ kind: 'file', path: 'notes/a.md' });
    expect(targetAt(index, at('a.example', 3))).toBeUndefined();
  });
});

test('the outline contains nodes, their labels and the loops around them', () => {
  expect(outlineOf(index).map(({ name, type, loop }) => [name, type, loop])).toEqual([
    ['first', 'http.request', undefined],
    ['each · All of them', 'control.foreach', undefined],
    ['inner', 'agent', 'each'],
    ['read', 'file.read', undefined],
  ]);
});

describe('hover', () => {
  test('over a node shows its type, its summary and its fields', () => {
    const hover = hoverFlow(index, at('{{first.body', 4), knowledge);
    expect(hover?.paragraphs).toEqual([
      '**first** · HTTP request',
      expect.stringContaining('- `first.status` '),
      'Asks a.example',
    ]);
  });

  test('over a key and a value shows the descriptions from the schema', () => {
    expect(hoverFlow(index, at('url: ', 1), knowledge)?.paragraphs[1]).not.toBe('');
    expect(hoverFlow(index, at('type: agent', 8), knowledge)?.paragraphs).toEqual([
      '**Agent**',
      'Runs an agent file or an agent from a pack.',
    ]);
    expect(hoverFlow(index, at('exists', 2), knowledge)?.paragraphs[1]).toContain('Path of the value');
  });

  test('over free text shows nothing', () => {
    expect(hoverFlow(index, at('a.example', 3), knowledge)).toBeUndefined();
  });
});
