import { describe, expect, test } from 'vitest';
import { isSameData } from './plain-data.ts';

const values: readonly unknown[] = [
  null,
  undefined,
  true,
  false,
  0,
  1,
  '',
  '0',
  'text',
  [],
  [[]],
  [0],
  [0, 1],
  [1, 0],
  [undefined],
  [null],
  {},
  { a: undefined },
  { a: null },
  { a: 1 },
  { a: '1' },
  { b: 1 },
  { a: 1, b: 2 },
  { a: [1, { c: 'deep' }] },
  { a: [1, { c: 'other' }] },
  { a: { 0: 1 } },
  { a: [1] },
  { toString: 1 },
  JSON.parse('{"__proto__": 1}'),
  { length: 0 },
  { 0: 0 },
];

describe('plain data equality', () => {
  test.each(values.map((value, index) => ({ value, index })))(
    'equals only its copy: value $index',
    ({ value, index }) => {
      const same = values.flatMap((other, at) => (isSameData(value, structuredClone(other)) ? [at] : []));
      expect(same).toEqual([index]);
    },
  );

  test('ignores the order of keys', () => {
    expect(isSameData({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
  });
});
