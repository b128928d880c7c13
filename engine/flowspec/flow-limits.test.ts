import { describe, expect, test } from 'vitest';
import { parseProblems } from '../testing/flow-problems.ts';
import { hasErrors } from './diagnostic.ts';
import {
  MAX_ALIASED_VALUES,
  MAX_FLOW_TEXT_LENGTH,
  MAX_FLOW_VALUES,
  MAX_NESTING_DEPTH,
  MAX_PROBLEMS,
} from './flow-limits.ts';
import { parseFlow } from './parse-flow.ts';

const MiB = 1024 * 1024;

/** A flow whose input holds `value`. */
function flowWith(value: string): string {
  return `flow:\n  name: n\n  input: ${value}\nnodes: []\nedges: []\n`;
}

/** Anchors of which each stands for ten times what the one before does. */
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
  test('of 20 MB is refused before it is parsed, and the limit is named', () => {
    const text = flowWith(`{ a: "${'x'.repeat(20 * MiB)}" }`);
    expect(parseProblems(text)).toEqual(['1:1 error file.too-large']);
    expect(messagesOf(text)).toEqual([expect.stringContaining('4 MiB')]);
  });

  test('is refused whatever the file holds', () => {
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
  /** A flow of as many values as said. */
  function flowOf(values: number): string {
    // flow, name, n, input, a, nodes, edges and four pairs of brackets
    return flowWith(`{ a: [${'1,'.repeat(values - 11)}] }`);
  }

  test('may reach the limit exactly', () => {
    expect(parseProblems(flowOf(MAX_FLOW_VALUES))).toEqual([]);
  });

  test('is refused beyond it, which is named', () => {
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

  test('may reach the limit exactly, which is named when it is exceeded', () => {
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
  ])('of %s nested without end is refused without exhausting the stack', (_, text) => {
    expect(parseProblems(text)).toEqual([expect.stringMatching(/error yaml\.too-deep$/)]);
  });

  test('counts what aliases stand for', () => {
    const half = MAX_NESTING_DEPTH / 2;
    const value = `{ a: &a ${'['.repeat(half)}${']'.repeat(half)}, b: ${'['.repeat(half)}*a${']'.repeat(half)} }`;
    expect(parseProblems(flowWith(value))).toEqual([expect.stringMatching(/^3:\d+ error yaml\.too-deep$/)]);
  });

  test('does not count brackets in text and comments', () => {
    expect(
      parseProblems(`${flowWith(`"${'[{'.repeat(1000)}"`).replace('input: ', 'description: ')}# ${'['.repeat(1000)}\n`),
    ).toEqual([]);
  });
});

describe('what aliases stand for', () => {
  test('is refused beyond the limit, which is named', () => {
    expect(parseProblems(aliasBomb(30))).toEqual([expect.stringMatching(/error yaml\.too-many-aliases$/)]);
    expect(messagesOf(aliasBomb(30))).toEqual([expect.stringContaining(String(MAX_ALIASED_VALUES))]);
  });

  test('may be used below it', () => {
    expect(parseProblems(aliasBomb(4))).toEqual([]);
  });

  test('is counted over all aliases together', () => {
    const many = Array.from({ length: MAX_ALIASED_VALUES + 1 }, () => '*a').join(', ');
    expect(parseProblems(flowWith(`{ a: &a 1, b: [${many}] }`))).toEqual([
      expect.stringMatching(/error yaml\.too-many-aliases$/),
    ]);
  });
});

test('a map of very many keys is read without comparing each with each', () => {
  const keys = Array.from({ length: 30_000 }, (_, index) => `k${index}: 1`).join(', ');
  expect(parseProblems(flowWith(`{ ${keys}, k0: 2 }`))).toEqual([expect.stringMatching(/error yaml\.duplicate-key$/)]);
});

describe('the number of problems', () => {
  test('of a file full of syntax errors stays readable', () => {
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

  test('does not make a file of very many unknown keys slow', () => {
    const keys = Array.from({ length: 30_000 }, (_, index) => `k${index}: 1`).join('\n');
    expect(parseFlow(`flow: { name: n }\nnodes: []\nedges: []\n${keys}\n`).diagnostics).toHaveLength(MAX_PROBLEMS);
  });
});
