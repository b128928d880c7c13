import { describe, expect, test } from 'vitest';
import { parseFlow } from './parse-flow.ts';

const header = 'flow: { name: test }\n';

describe('a document with errors', () => {
  test('still contains what can be drawn', () => {
    const text = `flow: { name: 5 }
nodes:
  - nonsense
  - { id: a-b, type: echo, input: { text: hi }, when: { maybe: 1 }, policy: { timeoutMs: -1 } }
  - { id: c, type: echo }
  - { type: echo, input: {} }
edges:
  - { from: a-b }
  - { from: a-b, to: c, id: 5 }
layout: { nodes: { c: { x: 1, y: 2 } } }
`;
    expect(parseFlow(text).doc).toEqual({
      flow: { name: '' },
      nodes: [
        { id: 'a-b', type: 'echo', input: { text: 'hi' } },
        { id: 'c', type: 'echo', input: {} },
      ],
      edges: [{ from: 'a-b', to: 'c' }],
      layout: { nodes: { c: { x: 1, y: 2 } } },
    });
  });

  test('is null without a list of nodes', () => {
    expect([parseFlow('flow: { name: x }\nedges: []\n').doc, parseFlow(`${header}nodes: x\nedges: []\n`).doc]).toEqual([
      null,
      null,
    ]);
  });
});
