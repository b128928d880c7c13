import { describe, expect, test } from 'vitest';
import { checkText } from '../stores/checked-text.ts';
import { linesOf, type NodeLines, nodeAtLine, problemMarkers } from './text-places.ts';

const text = `flow: { name: x }
nodes:
  - id: a
    type: echo
    input: { text: hi }
  - id: b
    type: echoo
    input: {}
edges: []
`;

function nodesOf(source: string): NodeLines[] {
  const { doc, nodeRange } = checkText(source, null);
  return (doc?.nodes ?? []).map(({ id }) => ({ nodeId: id, ...linesOf(nodeRange(id)!) }));
}

describe('places of nodes', () => {
  test('a node has the lines from its id to its last value', () => {
    expect(nodesOf(text)).toEqual([
      { nodeId: 'a', first: 3, last: 5 },
      { nodeId: 'b', first: 6, last: 8 },
    ]);
  });

  test('a line belongs to the node whose text it is, or to none', () => {
    expect(nodeAtLine(nodesOf(text), 5)).toBe('a');
    expect(nodeAtLine(nodesOf(text), 6)).toBe('b');
    expect(nodeAtLine(nodesOf(text), 2)).toBeUndefined();
    expect(nodeAtLine(nodesOf(text), 9)).toBeUndefined();
  });

  test('a range that ends where a line begins does not take that line', () => {
    expect(linesOf({ line: 2, column: 1, endLine: 5, endColumn: 1 })).toEqual({ first: 2, last: 4 });
    expect(linesOf({ line: 2, column: 1, endLine: 2, endColumn: 1 })).toEqual({ first: 2, last: 2 });
  });
});

describe('problemMarkers', () => {
  test('marks the place of each problem, with code and severity', () => {
    expect(problemMarkers(checkText(text, null).diagnostics)).toContainEqual(
      expect.objectContaining({ code: 'node.unknown-type', severity: 8, startLineNumber: 7, startColumn: 11 }),
    );
  });

  test('gives a problem without length a character', () => {
    const range = { line: 3, column: 7, endLine: 3, endColumn: 7 };
    expect(problemMarkers([{ code: 'yaml.empty', severity: 'warning', message: 'Empty.', range }])).toEqual([
      {
        severity: 4,
        message: 'Empty.',
        code: 'yaml.empty',
        startLineNumber: 3,
        startColumn: 7,
        endLineNumber: 3,
        endColumn: 8,
      },
    ]);
  });
});
