import { describe, expect, test } from 'vitest';
import type { NodeDoc } from '../../engine/isomorphic.ts';
import { nodeTypes } from '../stores/flow/node-types.ts';
import { isFailureTolerated } from '../stores/runs/shown-run.ts';
import { type CardContent, cardContent, wordsOfCode } from './card-content.ts';
import { growthOf, restHeight } from './card-sections.ts';

function contentOf(node: Partial<NodeDoc> & { type: string }, source: { isFailFast?: boolean } = {}): CardContent {
  const doc = { id: 'n', input: {}, ...node };
  const flow = { flow: { name: 'f', policy: { failFast: source.isFailFast ?? true } }, nodes: [doc], edges: [] };
  return cardContent({
    node: doc,
    spec: nodeTypes.get(node.type),
    problems: [],
    branches: [],
    edgesOut: 0,
    isStart: false,
    isTolerated: isFailureTolerated(flow, doc, undefined),
    bodySize: null,
  });
}

describe('cardContent', () => {
  test('shows the name if there is one, or else the id', () => {
    expect(contentOf({ type: 'echo' }).title).toBe('n');
    expect(contentOf({ type: 'echo', name: 'Say it' }).title).toBe('Say it');
  });

  test('shows model, temperature and condition as rows', () => {
    const { rows } = contentOf({
      type: 'prompt',
      config: { model: 'fast', temperature: 0.3, top_p: 1 },
      when: { equals: { var: 'a.ok', value: true } },
    });
    expect(rows).toEqual([
      { label: 'Model', value: 'fast', isCode: false },
      { label: 'Temperature', value: '0.3', isCode: false },
      { label: 'When', value: 'a.ok is true', isCode: true },
    ]);
  });

  test('has a footer only for policies that differ from the default', () => {
    expect(contentOf({ type: 'echo', policy: { retry: { maxAttempts: 1 }, timeoutMs: 0 } }).footer).toBeNull();
    expect(
      contentOf({ type: 'echo', policy: { retry: { maxAttempts: 3 }, timeoutMs: 90_000, continueOnError: true } })
        .footer,
    ).toEqual({ attempts: 3, timeLimit: '90 s' });
  });

  test.each([
    [true, undefined, false],
    [true, true, true],
    [false, undefined, true],
    [false, false, false],
  ])('with failFast %s and continueOnError %s a failure is tolerated: %s', (isFailFast, continueOnError, expected) => {
    const policy = continueOnError === undefined ? {} : { continueOnError };
    expect(contentOf({ type: 'echo', policy }, { isFailFast }).isTolerated).toBe(expected);
  });

  test('shows the first error instead of the summary', () => {
    const content = cardContent({
      node: { id: 'n', type: 'nope', input: {} },
      spec: undefined,
      problems: [
        {
          code: 'node.unknown-type',
          severity: 'error',
          message: 'There is no such type.',
          range: { line: 1, column: 1, endLine: 1, endColumn: 2 },
        },
      ],
      branches: [],
      edgesOut: 0,
      isStart: false,
      isTolerated: false,
      bodySize: null,
    });
    expect(content.sentence).toEqual(['There is no such type.']);
    expect(content.error?.word).toBe('unknown type');
  });
});

describe('the height of a card', () => {
  test('counts header, summary, rows and footer', () => {
    const bare = contentOf({ type: 'constant', input: { value: 1 } });
    expect(bare.sentenceLines).toBe(1);
    expect(restHeight(bare)).toBe(67);
    const full = contentOf({ type: 'constant', input: { value: 1 }, policy: { timeoutMs: 1000 } });
    expect(restHeight(full)).toBe(67 + 26);
  });

  test('reserves room for streamed text instead of the rows for a node that prompts a model', () => {
    const plain = contentOf({ type: 'prompt', input: { prompt: 'Hi' } });
    const withRows = contentOf({ type: 'prompt', input: { prompt: 'Hi' }, config: { model: 'a', temperature: 1 } });
    expect(growthOf(plain)).toBe(63);
    expect(growthOf(withRows)).toBe(20);
  });

  test('reserves room for the output line, so that nothing moves or overlaps when a run ends', () => {
    expect(growthOf(contentOf({ type: 'echo' }))).toBe(20);
    expect(growthOf(contentOf({ type: 'http.request' }))).toBe(36);
  });
});

test('wordsOfCode returns the last part of a code', () => {
  expect(wordsOfCode('model.rate-limited')).toBe('rate limited');
  expect(wordsOfCode('internal')).toBe('internal');
});
