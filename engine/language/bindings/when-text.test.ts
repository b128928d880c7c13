import { expect, test } from 'vitest';
import type { WhenExpr } from '../flow/flow-doc.ts';
import { whenText } from './when-text.ts';

const isMinor: WhenExpr = { equals: { var: 'route.kind', value: 'minor' } };
const isReady: WhenExpr = { equals: { var: 'check.ready', value: true } };

test.each<[WhenExpr, string]>([
  [isMinor, 'route.kind is "minor"'],
  [{ not: isMinor }, 'route.kind is not "minor"'],
  [{ and: [isMinor, isReady] }, 'route.kind is "minor" and check.ready is true'],
  [
    { or: [{ and: [isMinor, isReady] }, isReady] },
    '(route.kind is "minor" and check.ready is true) or check.ready is true',
  ],
  [{ not: { or: [isMinor, isReady] } }, 'not (route.kind is "minor" or check.ready is true)'],
  [{ and: [{ or: [isMinor] }] }, 'route.kind is "minor"'],
  [{ exists: 'a.b' }, 'a.b exists'],
  [{ not: { exists: 'a.b' } }, 'a.b is missing'],
  [{ gte: { var: 'a.n', value: 3 } }, 'a.n ≥ 3'],
  [{ not: { lt: { var: 'a.n', value: 3 } } }, 'not (a.n < 3)'],
  [{ in: { var: 'a.b', value: ['x', 'y'] } }, 'a.b in ["x","y"]'],
  [{ contains: { var: 'a.b', value: 'x' } }, 'a.b contains "x"'],
  [{ and: [] }, 'always'],
  [{ or: [] }, 'never'],
])('a condition reads as a sentence: %#', (expr, text) => {
  expect(whenText(expr)).toBe(text);
});
