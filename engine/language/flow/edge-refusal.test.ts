import { describe, expect, test } from 'vitest';
import { edgeRefusal } from '../findings/validate-flow.ts';
import type { FlowDoc } from './flow-doc.ts';
import { parseFlow } from './parse-flow.ts';

const doc = parseFlow(`
flow: { name: x }
nodes:
  - { id: a, type: echo, input: { text: a } }
  - { id: b, type: echo, input: { text: b } }
  - { id: c, type: echo, input: { text: c } }
  - { id: each, type: control.foreach, input: { items: [1], body: [inner] } }
  - { id: inner, type: echo, input: { text: i } }
edges:
  - { from: a, to: b }
  - { from: b, to: c }
`).doc as FlowDoc;

describe('edgeRefusal', () => {
  test('returns nothing for an edge that may be added', () => {
    expect(edgeRefusal(doc, { from: 'a', to: 'c' })).toBeNull();
  });

  test('reports the cycle that an edge would create, including one with itself', () => {
    expect(edgeRefusal(doc, { from: 'c', to: 'a' })).toContain('c -> a -> b -> c');
    expect(edgeRefusal(doc, { from: 'a', to: 'a' })).toContain('a -> a');
  });

  test('reports the boundary that an edge would cross', () => {
    expect(edgeRefusal(doc, { from: 'a', to: 'inner' })).toContain('boundary of the loop "each"');
  });

  test('rejects a duplicate edge, but not one with a different condition', () => {
    expect(edgeRefusal(doc, { from: 'a', to: 'b' })).toBe('An edge already leads from "a" to "b".');
    expect(edgeRefusal(doc, { from: 'a', to: 'b', when: { exists: 'a.text' } })).toBeNull();
  });

  test('ignores the edge that is replaced', () => {
    expect(edgeRefusal(doc, { from: 'a', to: 'b' }, 'a->b')).toBeNull();
    expect(edgeRefusal(doc, { from: 'c', to: 'b' }, 'b->c')).toBeNull();
  });

  test('does not report a cycle that exists without the edge', () => {
    const circle = { ...doc, edges: [...doc.edges, { from: 'c', to: 'b' }] };
    expect(edgeRefusal(circle, { from: 'a', to: 'c' })).toBeNull();
  });
});
