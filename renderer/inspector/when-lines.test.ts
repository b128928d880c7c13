import { expect, test } from 'vitest';
import { linesOfTrace, linesOfWhen } from './when-lines.ts';

const kind = { equals: { var: 'route.kind', value: 'minor' } };

test('groups stand above their parts', () => {
  expect(linesOfWhen({ and: [kind, { not: kind }] })).toEqual([
    { depth: 0, variable: null, text: 'all of' },
    { depth: 1, variable: 'route.kind', text: '"minor"' },
    { depth: 1, variable: null, text: 'not' },
    { depth: 2, variable: 'route.kind', text: '"minor"' },
  ]);
});

test('a trace says what each path gave, and when it gave nothing', () => {
  const seen = { op: 'equals', var: 'route.kind', value: 'minor', actual: 'major', result: false } as const;
  const missing = { op: 'equals', var: 'a.b', value: 1, result: false } as const;
  expect(linesOfTrace({ op: 'or', of: [seen, missing], result: false })).toEqual([
    { depth: 0, variable: null, text: 'any of', result: false },
    { depth: 1, variable: 'route.kind', text: '"minor"', actual: '"major"', result: false },
    { depth: 1, variable: 'a.b', text: '1', actual: 'missing', result: false },
  ]);
});
