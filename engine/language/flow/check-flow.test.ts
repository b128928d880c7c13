import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { specCatalog } from '../../testing/flow-problems.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import type { Diagnostic } from '../findings/diagnostic.ts';
import { checkFlow } from './check-flow.ts';

const sample = `# A sample with a little of everything.
flow: { name: sample, version: 1, input: { q: cats, deep: false } }
nodes:
  - id: first
    type: echo
    input:
      text: "{{flow.input.q}}"
  - id: second
    type: ask
    input: { prompt: "{{first.text}} {{?nobody.x}}", tags: [a, 1] }
    when: { not: { equals: { var: flow.input.deep, value: true } } }
    policy: { timeoutMs: 10, retry: { maxAttempts: 2 } }
edges:
  - { from: first, to: second }
layout: { nodes: { first: { x: 1, y: 2 } } }
`;

describe('checkFlow', () => {
  test('returns an executable graph if there are only warnings', () => {
    const { flow, diagnostics } = checkFlow(sample, specCatalog);
    expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([['warning', 'binding.unknown-root']]);
    expect(flow?.nodes.map(({ id }) => id)).toEqual(['first', 'second']);
  });

  test('returns no graph if there are errors', () => {
    expect(checkFlow(sample.replace('type: echo', 'type: ecko'), specCatalog).flow).toBeNull();
    expect(checkFlow(sample.replace('maxAttempts: 2', 'maxAttempts: 0'), specCatalog).flow).toBeNull();
  });

  test('sorts the findings of parsing and validation by position', () => {
    const { diagnostics } = checkFlow(
      sample.replace('type: echo', 'type: ecko').replace('edges:', 'egdes:'),
      specCatalog,
    );
    expect(diagnostics.map(({ range, code }) => `${range.line} ${code}`)).toEqual([
      '1 flow.missing-key',
      '5 node.unknown-type',
      '10 binding.unknown-root',
      '13 flow.unknown-key',
    ]);
  });

  test('reports the node of each problem', () => {
    const { diagnostics } = checkFlow(sample.replace('maxAttempts: 2', 'maxAttempts: 0'), specCatalog);
    expect(diagnostics.map(({ code, nodeId }) => [code, nodeId])).toEqual([
      ['binding.unknown-root', 'second'],
      ['flow.bad-value', 'second'],
    ]);
  });

  test('validates a flow of thousands of nodes', () => {
    const ids = [...Array(5000).keys()].map((index) => `n${index}`);
    const nodes = ids.map((id, index) => `  - { id: ${id}, type: echo, input: { text: "{{n${index - 1}.text}}" } }`);
    const edges = ids.slice(1).map((id, index) => `  - { from: n${index}, to: ${id} }`);
    const text = `flow: { name: n }\nnodes:\n${nodes.join('\n')}\nedges:\n${edges.join('\n')}\n`;
    const { flow, diagnostics } = checkFlow(text, specCatalog);
    expect([diagnostics.length, flow?.nodes.length]).toEqual([1, 5000]);
  });
});

describe('any text', () => {
  /** Validates one text, and checks that each problem has a position in it. */
  function expectPlaces(text: string): void {
    const { parsed, diagnostics, flow } = checkFlow(text, specCatalog);
    const lines = text.replace(/^\uFEFF/, '').split('\n');
    const isInside = ({ range: { line, column, endLine, endColumn } }: Diagnostic): boolean =>
      line >= 1 &&
      endLine <= lines.length &&
      column >= 1 &&
      column <= (lines[line - 1]?.length ?? 0) + 1 &&
      endColumn <= (lines[endLine - 1]?.length ?? 0) + 1 &&
      (line < endLine || column <= endColumn);
    expect(diagnostics.filter((diagnostic) => !isInside(diagnostic))).toEqual([]);
    expect(parsed.doc === null && diagnostics.length === 0).toBe(false);
    expect(flow === null).toBe(diagnostics.some(({ severity }) => severity === 'error'));
  }

  test('validates random text without an exception', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), expectPlaces), { numRuns: testRounds(150) });
  });

  test('validates random YAML without an exception', () => {
    const piece = fc.constantFrom(
      ...['flow', 'nodes', 'edges', 'id', 'type', 'input', 'when', 'equals', 'a', '1', '~', '.nan', '{{a}}', 'x-a'],
      ...[': ', ':', '- ', '? ', '\n', '\n  ', '\n\t', '{', '}', '[', ']', ', ', '"', "'", '|', '>', '#', '\r\n'],
      ...['&a ', '*a', '!!str ', '!x ', '---\n', '...\n', '%YAML 1.1\n', '<<', '\\', '@', '`', '\uFEFF', '😀'],
    );
    const yaml = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    fc.assert(fc.property(yaml, expectPlaces), { numRuns: testRounds(250) });
  });

  test('validates a flow with a part cut out without an exception', () => {
    const cut = fc.tuple(fc.nat(sample.length), fc.nat(40), fc.constantFrom('', ' ', '\n', '{', '"', '- ', ': '));
    fc.assert(
      fc.property(cut, ([start, length, patch]) => {
        expectPlaces(sample.slice(0, start) + patch + sample.slice(start + length));
      }),
      { numRuns: testRounds(150) },
    );
  });

  test('validates any JSON in place of any part without an exception', () => {
    const doc = { flow: { name: 'n' }, nodes: [{ id: 'a', type: 'echo', input: { text: 'x' } }], edges: [] };
    const keys = fc.constantFrom('flow', 'nodes', 'edges', 'layout', 'id', 'type', 'input', 'config', 'when', 'policy');
    fc.assert(
      fc.property(keys, fc.jsonValue(), (key, value) => {
        const isNodeKey = !['flow', 'nodes', 'edges', 'layout'].includes(key);
        const changed = isNodeKey ? { ...doc, nodes: [{ ...doc.nodes[0], [key]: value }] } : { ...doc, [key]: value };
        expectPlaces(JSON.stringify(changed));
      }),
      { numRuns: testRounds(150) },
    );
  });
});

describe('truncates messages that quote a whole file', () => {
  const long = 'x'.repeat(100_000);

  test.each([
    ['a type', `flow: { name: n }\nnodes: [{ id: a, type: ${long}, input: {} }]\nedges: []\n`],
    ['a key', `flow: { name: n, ${long}: 1 }\nnodes: []\nedges: []\n`],
    ['an edge', `flow: { name: n }\nnodes: []\nedges: [{ from: ${long}, to: a }]\n`],
    ['a binding', `flow: { name: n }\nnodes: [{ id: a, type: echo, input: { text: "{{${long}.a}}" } }]\nedges: []\n`],
    ['an alias', `flow: *${long}\n`],
    ['a key that repeats', `flow: { name: n, ${long}: 1, ${long}: 1 }\nnodes: []\nedges: []\n`],
  ])('%s', (_, text) => {
    const { diagnostics } = checkFlow(text, specCatalog);
    expect(diagnostics).not.toEqual([]);
    for (const { message } of diagnostics) expect(message.length).toBeLessThanOrEqual(2000);
  });
});
