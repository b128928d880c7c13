/** Tests conditions written as one line. */
import { describe, expect, test } from 'vitest';
import type { WhenExpr } from '../flow/flow-doc.ts';
import { parseWhen } from './parse-when.ts';
import { whenText } from './when-text.ts';

const conditions: readonly WhenExpr[] = [
  { equals: { var: 'route.kind', value: 'minor' } },
  { not: { equals: { var: 'a["first name"].0.b', value: 'say "no"' } } },
  { exists: 'notes.x' },
  { not: { exists: 'a.b' } },
  { lt: { var: 'a.n', value: -1.5 } },
  { gte: { var: 'order.n', value: 100 } },
  { contains: { var: 'a.list', value: { k: ['}', 1] } } },
  { in: { var: 'a.kind', value: ['x and y', null, true] } },
  { and: [{ or: [{ exists: 'a' }, { exists: 'b' }] }, { not: { and: [{ exists: 'c' }, { exists: 'd' }] } }] },
  { or: [{ and: [{ exists: 'a' }, { exists: 'b' }] }, { lte: { var: 'c', value: 3 } }] },
];

test('every condition is read as it is shown', () => {
  for (const condition of conditions) expect(parseWhen(whenText(condition))).toEqual(condition);
});

test('programmers may write ==, !=, <= and >=, and "and" binds closer than "or"', () => {
  expect(parseWhen('a.n>=1 or b == "x"  and c != 2')).toEqual({
    or: [
      { gte: { var: 'a.n', value: 1 } },
      { and: [{ equals: { var: 'b', value: 'x' } }, { not: { equals: { var: 'c', value: 2 } } }] },
    ],
  });
});

describe('an invalid condition is rejected with its place and reason', () => {
  test.each([
    ['', 'at the end: expected a path'],
    ['a.b', 'at the end: expected is, is not, <'],
    ['a.b is minor', 'at character 8 ("minor"): expected a JSON value'],
    ['a.b is [1, 2', 'expected a JSON value'],
    ['(a exists', 'at the end: expected ")"'],
    ['a exists b exists', 'at character 10 ("b exists"): expected "and", "or" or the end'],
    [`${'('.repeat(60)}a exists`, 'more than 50 groups'],
  ])('%s', (text, problem) => {
    expect(() => parseWhen(text)).toThrow(expect.objectContaining({ code: 'condition.invalid' }));
    expect(() => parseWhen(text)).toThrow(problem);
  });
});
