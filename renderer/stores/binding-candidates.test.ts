import { expect, test } from 'vitest';
import { parseFlow } from '../../engine/isomorphic.ts';
import { bindingCandidates } from './binding-candidates.ts';
import { nodeTypes } from './node-types.ts';

const text = `flow: { name: F, input: { topic: bees, count: 3 } }
nodes:
  - { id: fetch, type: http.request, input: { url: "https://a.example" } }
  - { id: ask, type: prompt, input: { prompt: hi } }
  - { id: each, type: control.foreach, input: { items: "{{fetch.body}}", as: note, body: [inner, last] } }
  - { id: inner, type: prompt, input: { prompt: hi } }
  - { id: last, type: echo, input: { text: hi } }
  - { id: aside, type: echo, input: { text: hi } }
  - { id: odd, type: nobody.knows, input: {} }
edges:
  - { from: fetch, to: each }
  - { from: odd, to: each }
  - { from: inner, to: last }
`;

function pathsAt(nodeId: string | null, source = text): readonly string[] {
  const { doc } = parseFlow(source);
  return doc === null ? [] : bindingCandidates(doc, nodeId, nodeTypes).map(({ path }) => path);
}

test('a node in a body sees its items, the nodes before it, and those before its loop', () => {
  const paths = pathsAt('last');
  expect(paths).toEqual(
    expect.arrayContaining(['note', 'loop.index', 'inner.text', 'fetch.body', 'odd', 'flow.input.topic']),
  );
  expect(paths.filter((path) => /^(aside|each|last|ask)/.test(path))).toEqual([]);
});

test('the first nodes see the inputs of the flow only', () => {
  expect(pathsAt('fetch')).toEqual(['flow.input.topic', 'flow.input.count']);
});

test('without a node, every node counts', () => {
  expect(pathsAt(null)).toEqual(expect.arrayContaining(['aside.text', 'ask.text', 'each.iterations']));
});

test('fields tell their kind and what they are; alternatives of a type give all their fields', () => {
  const { doc } = parseFlow(
    'flow: { name: F }\nnodes:\n  - { id: r, type: file.read, input: { path: a } }\nedges: []\n',
  );
  const found = doc === null ? [] : bindingCandidates(doc, null, nodeTypes);
  expect(found).toContainEqual({ path: 'r.files', detail: 'list', description: 'In path order', kind: 'field' });
  expect(found.map(({ path }) => path)).toEqual(['r.files', 'r.text', 'r.path', 'r']);
});

test('circles of edges and loops that hold themselves come to an end', () => {
  const circle = text
    .replace('edges:', 'edges:\n  - { from: last, to: inner }')
    .replace('[inner, last]', '[each, inner, last]');
  expect(pathsAt('inner', circle)).toContain('last.text');
});
