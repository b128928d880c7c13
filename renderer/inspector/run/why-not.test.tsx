import { expect, test } from 'vitest';
import { linesOfTrace } from './why-not.tsx';

test('a trace shows the value of each path, and missing values', () => {
  const seen = { op: 'equals', var: 'route.kind', value: 'minor', actual: 'major', result: false } as const;
  const missing = { op: 'equals', var: 'a.b', value: 1, result: false } as const;
  expect(linesOfTrace({ op: 'or', of: [seen, missing], result: false })).toEqual([
    { depth: 0, variable: null, word: 'any of', result: false },
    { depth: 1, variable: 'route.kind', word: 'is', value: '"minor"', actual: '"major"', result: false },
    { depth: 1, variable: 'a.b', word: 'is', value: '1', actual: 'missing', result: false },
  ]);
});

test('each comparison has a different label, and existence has no value', () => {
  const words = (['lt', 'lte', 'gt', 'gte', 'contains', 'in'] as const).map((op) => {
    return linesOfTrace({ op, var: 'a.n', value: 3, actual: 5, result: false })[0]?.word;
  });
  expect(words).toEqual(['is less than', 'is at most', 'is more than', 'is at least', 'contains', 'is one of']);
  const exists = { op: 'exists', var: 'a.n', actual: 5, result: true } as const;
  expect(linesOfTrace({ op: 'not', of: [exists], result: false })).toEqual([
    { depth: 0, variable: null, word: 'not', result: false },
    { depth: 1, variable: 'a.n', word: 'exists', actual: '5', result: true },
  ]);
});
