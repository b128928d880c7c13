import { describe, expect, test } from 'vitest';
import { parseProblems } from '../../testing/flow-problems.ts';
import { renderDiagnostic } from '../findings/diagnostic.ts';
import { parseFlow } from '../flow/parse-flow.ts';

const header = 'flow: { name: test }\n';

describe('positions', () => {
  const text = `${header}nodes:
  - broken
  - id: a
    type: echo
    input:
      text: one
      list: [1, "two"]
  - &shared { id: b, type: echo, input: {} }
edges: []
`;
  const parsed = parseFlow(text);

  test('a path of the document has the range of its text, also after entries that were dropped', () => {
    expect(parsed.rangeOf(['nodes', 0, 'input', 'list', 1])).toEqual({
      line: 8,
      column: 17,
      endLine: 8,
      endColumn: 22,
    });
    expect(parsed.rangeOf(['nodes', 1, 'id'])).toEqual({ line: 9, column: 19, endLine: 9, endColumn: 20 });
  });

  test('a node has the range of its whole text, and an unknown node has none', () => {
    expect(parsed.nodeRange('a')).toEqual({ line: 4, column: 5, endLine: 8, endColumn: 23 });
    expect(parsed.nodeRange('nobody')).toBeUndefined();
  });

  test('a missing value has the range of the innermost value around it', () => {
    expect(parsed.rangeOf(['nodes', 0, 'input', 'nope', 3])).toEqual(parsed.rangeOf(['nodes', 0, 'input']));
    expect(parsed.rangeOf([]).line).toBe(1);
    expect(parseFlow('').rangeOf(['nodes', 0])).toEqual({ line: 1, column: 1, endLine: 1, endColumn: 1 });
  });

  test('shows a problem on the first line of a long value, at a key, or at a part of a text', () => {
    expect(parsed.problemRange(['nodes', 0])).toEqual({ line: 4, column: 5, endLine: 4, endColumn: 10 });
    expect(parsed.problemRange(['nodes', 0, 'input'], 'key')).toEqual({
      line: 6,
      column: 5,
      endLine: 6,
      endColumn: 10,
    });
    expect(parsed.problemRange(['nodes', 0, 'input', 'text'], { part: 'ne' })).toMatchObject({ line: 7, column: 14 });
  });

  test('values from an alias have the position of their anchor', () => {
    const aliased = parseFlow('flow: { name: n, input: { a: &a { b: 1 }, c: *a } }\nnodes: []\nedges: []\n');
    expect(aliased.rangeOf(['flow', 'input', 'c', 'b'])).toMatchObject({ line: 1, column: 38 });
  });

  test('columns count UTF-16 units', () => {
    expect(parseProblems('flow: { name: "😀", version: 2 }\nnodes: []\nedges: []\n')).toEqual([
      '1:30 error flow.newer-version',
    ]);
  });

  test('renders a problem as one line for editors', () => {
    const [diagnostic] = parseFlow(`${header}nodes: []\n`).diagnostics;
    expect(diagnostic && renderDiagnostic('a.flow.yaml', diagnostic)).toBe(
      'a.flow.yaml:1:1 error flow.missing-key The key "edges" is missing. Write edges: [] if there are none.',
    );
  });
});
