import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue, WhenExpr } from '../../../engine/isomorphic.ts';
import { emptyRow, exprOf, rowOf } from './condition-rows.ts';
import { typedProblem, typedValue, valueText } from './typed-value.ts';

const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
const path = fc.stringMatching(/^[a-z]{1,5}(\.[a-z]{1,5}){0,2}$/);
const ordered = fc.oneof(fc.integer(), fc.string());

const { expr } = fc.letrec<{ expr: WhenExpr }>((tie) => ({
  expr: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ exists: path }),
    fc.record({ equals: fc.record({ var: path, value: json }) }),
    fc.record({ contains: fc.record({ var: path, value: json }) }),
    fc.record({ lt: fc.record({ var: path, value: ordered }) }),
    fc.record({ gte: fc.record({ var: path, value: ordered }) }),
    fc.record({ in: fc.record({ var: path, value: fc.array(json, { maxLength: 3 }) }) }),
    fc.record({ not: tie('expr') }),
    fc.record({ and: fc.array(tie('expr'), { maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('expr'), { maxLength: 3 }) }),
  ),
}));

/** JSON has no negative zero. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

test('a condition converted to rows and back is the same', () => {
  fc.assert(
    fc.property(expr, (condition) => {
      expect(plain(exprOf(rowOf(condition as unknown as JsonValue)))).toEqual(plain(condition));
    }),
  );
});

test('an invalid condition is kept as it is', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(plain(exprOf(rowOf(value)))).toEqual(plain(value));
    }),
  );
});

test('text is unquoted unless it looks like another type', () => {
  const texts = ['minor', 'true', '5', '', ' a', '{{a.b}}', '{a', '[x'];
  expect(texts.map(valueText)).toEqual(['minor', '"true"', '"5"', '""', ' a', '{{a.b}}', '"{a"', '"[x"']);
  expect(texts.map((text) => typedValue(valueText(text)))).toEqual(texts);
  expect([typedValue('5'), typedValue('null'), typedValue('{"a":1}')]).toEqual([5, null, { a: 1 }]);
  expect([typedProblem('{{a.b}}'), typedProblem('{"a":1}'), typedProblem('plain')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(typedProblem('{"a":')).toContain('Not valid JSON');
  expect(typedProblem('9007199254740993')).toContain('would be rounded');
  expect(typedProblem(valueText('9007199254740993'))).toBeUndefined();
  expect(typedValue(valueText('9007199254740993'))).toBe('9007199254740993');
});

test('a list may be typed with commas, and a row without a path is not a condition yet', () => {
  expect(exprOf({ ...emptyRow, op: 'in', path: 'a.b', value: 'minor, 5' })).toEqual({
    in: { var: 'a.b', value: ['minor', 5] },
  });
  expect(exprOf(emptyRow)).toBeUndefined();
  expect(exprOf({ kind: 'group', isNegated: false, word: 'and', rows: [emptyRow] })).toBeUndefined();
});

test('a comparison and its negation are one row', () => {
  expect(rowOf({ not: { equals: { var: 'a', value: 'x' } } })).toEqual({
    ...emptyRow,
    isNegated: true,
    path: 'a',
    value: 'x',
  });
  expect(rowOf({ not: { not: { exists: 'a' } } }).kind).toBe('raw');
});
