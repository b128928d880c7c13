import { describe, expect, test } from 'vitest';
import { checkText } from '../stores/text/check.ts';
import { linesInOrder, linesOf, nameAtLine, problemMarkers } from './text-places.ts';

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

const nodes = linesInOrder(checkText(text).nodeRanges);

describe('positions of nodes', () => {
  test('a node has the lines from its id to its last value', () => {
    expect(nodes).toEqual([
      { name: 'a', first: 3, last: 5 },
      { name: 'b', first: 6, last: 8 },
    ]);
  });

  test('a line belongs to the node with that text, or to none', () => {
    expect([1, 2, 3, 5, 6, 8, 9].map((line) => nameAtLine(nodes, line))).toEqual([
      undefined,
      undefined,
      'a',
      'a',
      'b',
      'b',
      undefined,
    ]);
  });

  test('a range that ends where a line begins excludes that line', () => {
    expect(linesOf({ line: 2, column: 1, endLine: 5, endColumn: 1 })).toEqual({ first: 2, last: 4 });
    expect(linesOf({ line: 2, column: 1, endLine: 2, endColumn: 1 })).toEqual({ first: 2, last: 2 });
  });
});

describe('problemMarkers', () => {
  test('marks the position of each problem, with code and severity', () => {
    expect(problemMarkers(checkText(text).diagnostics)).toContainEqual(
      expect.objectContaining({ code: 'node.unknown-type', severity: 8, startLineNumber: 7, startColumn: 11 }),
    );
  });

  test('extends a problem without length to one character', () => {
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
