import { describe, expect, test } from 'vitest';
import { parseProblems } from '../../testing/flow-problems.ts';
import { hasErrors } from '../findings/diagnostic.ts';
import {
  MAX_ALIASED_VALUES,
  MAX_FLOW_TEXT_LENGTH,
  MAX_FLOW_VALUES,
  MAX_NESTING_DEPTH,
  MAX_PROBLEMS,
} from './flow-limits.ts';
import { parseFlow } from './parse-flow.ts';

const MiB = 1024 * 1024;

/** Returns a flow with `value` as an input. */
function flowWith(value: string): string {
  return `flow:\n  name: n\n  input: ${value}\nnodes: []\nedges: []\n`;
}

/** Returns anchors that each expand to ten times the previous one. */
function aliasBomb(levels: number): string {
  const lists = Array.from({ length: levels }, (_, level) => {
    const items = level === 0 ? '[x]' : `[${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`;
    return `    a${level}: &a${level} ${items}`;
  });
  return flowWith(`\n${lists.join('\n')}`);
}

function messagesOf(text: string): readonly string[] {
  return parseFlow(text).diagnostics.map(({ message }) => message);
}

describe('the length of a file', () => {
  test('of 20 MB is rejected before it is parsed, and the limit is named', () => {
    const text = flowWith(`{ a: "${'x'.repeat(20 * MiB)}" }`);
    expect(parseProblems(text)).toEqual(['1:1 error file.too-large']);
    expect(messagesOf(text)).toEqual([expect.stringContaining('4 MiB')]);
  });

  test('is rejected for any content', () => {
    expect(parseProblems(`# ${'x'.repeat(20 * MiB)}\n`)).toEqual(['1:1 error file.too-large']);
  });

  test('may reach the limit exactly', () => {
    const text = flowWith('{ a: "" }');
    const filled = text.replace('""', `"${'x'.repeat(MAX_FLOW_TEXT_LENGTH - text.length)}"`);
    expect([filled.length, parseProblems(filled)]).toEqual([MAX_FLOW_TEXT_LENGTH, []]);
    expect(parseProblems(`${filled} `)).toEqual(['1:1 error file.too-large']);
  });
});

describe('the number of values', () => {
  /** Returns a flow with exactly this number of values. */
  function flowOf(values: number): string {
    // flow, name, n, input, a, nodes, edges and four pairs of brackets
    return flowWith(`{ a: [${'1,'.repeat(values - 11)}] }`);
  }

  test('may reach the limit exactly', () => {
    expect(parseProblems(flowOf(MAX_FLOW_VALUES))).toEqual([]);
  });

  test('is rejected beyond the limit, and the limit is named', () => {
    const { doc, diagnostics } = parseFlow(flowOf(MAX_FLOW_VALUES + 1));
    expect([doc, diagnostics]).toEqual([
      null,
      [expect.objectContaining({ code: 'file.too-large', message: expect.stringContaining(String(MAX_FLOW_VALUES)) })],
    ]);
  });
});

describe('the depth of a file', () => {
  // The document's own map, `flow` and `input` are levels too.
  function nested(levels: number): string {
    return flowWith(`{ a: ${'['.repeat(levels - 3)}${']'.repeat(levels - 3)} }`);
  }

  test('may reach the limit exactly, and the limit is named when it is exceeded', () => {
    expect(parseProblems(nested(MAX_NESTING_DEPTH))).toEqual([]);
    expect(parseProblems(nested(MAX_NESTING_DEPTH + 1))).toEqual([
      expect.stringMatching(/^3:\d+ error yaml\.too-deep$/),
    ]);
    expect(messagesOf(nested(200))).toEqual([expect.stringContaining(String(MAX_NESTING_DEPTH))]);
  });

  test.each([
    ['closed lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['open lists', '['.repeat(100_000)],
    ['maps', '{ a: '.repeat(100_000)],
    ['compact block lists', '- '.repeat(100_000)],
    ['explicit keys', '? '.repeat(100_000)],
    ['indented maps', Array.from({ length: 1000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    ['as many brackets as fit', '['.repeat(4 * MiB)],
  ])('of %s nested without end is rejected without exhausting the stack', (_, text) => {
    expect(parseProblems(text)).toEqual([expect.stringMatching(/error yaml\.too-deep$/)]);
  });

  test('includes expanded aliases', () => {
    const half = MAX_NESTING_DEPTH / 2;
    const value = `{ a: &a ${'['.repeat(half)}${']'.repeat(half)}, b: ${'['.repeat(half)}*a${']'.repeat(half)} }`;
    expect(parseProblems(flowWith(value))).toEqual([expect.stringMatching(/^3:\d+ error yaml\.too-deep$/)]);
  });

  test('ignores brackets in text and comments', () => {
    expect(
      parseProblems(`${flowWith(`"${'[{'.repeat(1000)}"`).replace('input: ', 'description: ')}# ${'['.repeat(1000)}\n`),
    ).toEqual([]);
  });
});

describe('expanded aliases', () => {
  test('are rejected beyond the limit, which is named', () => {
    expect(parseProblems(aliasBomb(30))).toEqual([expect.stringMatching(/error yaml\.too-many-aliases$/)]);
    expect(messagesOf(aliasBomb(30))).toEqual([expect.stringContaining(String(MAX_ALIASED_VALUES))]);
  });

  test('are allowed below it', () => {
    expect(parseProblems(aliasBomb(4))).toEqual([]);
  });

  test('are counted for all aliases together', () => {
    const many = Array.from({ length: MAX_ALIASED_VALUES + 1 }, () => '*a').join(', ');
    expect(parseProblems(flowWith(`{ a: &a 1, b: [${many}] }`))).toEqual([
      expect.stringMatching(/error yaml\.too-many-aliases$/),
    ]);
  });
});

test('parses a map with many keys without comparing every pair', () => {
  const keys = Array.from({ length: 30_000 }, (_, index) => `k${index}: 1`).join(', ');
  expect(parseProblems(flowWith(`{ ${keys}, k0: 2 }`))).toEqual([expect.stringMatching(/error yaml\.duplicate-key$/)]);
});

describe('the number of problems', () => {
  test('stays readable for a file full of syntax errors', () => {
    expect(parseFlow('- @x\n'.repeat(5000)).diagnostics).toHaveLength(100);
  });

  test('is limited, with errors before warnings', () => {
    const positions = Array.from({ length: 2 * MAX_PROBLEMS }, (_, index) => `n${index}: 1`).join(', ');
    const text = `flow: { name: n }\nnodes: [{ id: 1a, type: t, input: {} }]\nedges: []\nlayout: { nodes: { ${positions} } }\n`;
    const { diagnostics } = parseFlow(text);
    expect([diagnostics.length, diagnostics[0]?.code, hasErrors(diagnostics)]).toEqual([
      MAX_PROBLEMS,
      'node.bad-id',
      true,
    ]);
  });

  test('does not slow down a file with many unknown keys', () => {
    const keys = Array.from({ length: 30_000 }, (_, index) => `k${index}: 1`).join('\n');
    expect(parseFlow(`flow: { name: n }\nnodes: []\nedges: []\n${keys}\n`).diagnostics).toHaveLength(MAX_PROBLEMS);
  });
});
