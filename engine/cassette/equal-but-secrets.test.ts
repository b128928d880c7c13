import { expect, test } from 'vitest';
import type { JsonValue } from '../flowspec/json-value.ts';
import { equalButSecrets } from './equal-but-secrets.ts';

test.each<[JsonValue, JsonValue]>([
  ['a [secret] b', 'a key b'],
  ['[secret]', ''],
  ['a[secret]b[secret]c', 'a1b2b3c'],
  ['[secret][secret]', 'x'],
  [
    { a: 1, b: ['[secret]'] },
    { b: ['key'], a: 1 },
  ],
  [
    ['[secret]', 'key'],
    ['key', '[secret]'],
  ],
  [null, null],
])('%j and %j are equal, both ways', (left, right) => {
  expect(equalButSecrets(left, right)).toBe(true);
  expect(equalButSecrets(right, left)).toBe(true);
});

test.each<[JsonValue, JsonValue]>([
  ['a [secret] b', 'a key c'],
  ['ab[secret]ba', 'aba'],
  ['a[secret]b[secret]c', 'a1c'],
  ['a', 'b'],
  ['[secret]', 1],
  ['[secret]', ['key']],
  [{ a: 1 }, { a: 1, b: 1 }],
  [{ a: 1 }, { b: 1 }],
  [[], {}],
  [['a'], { 0: 'a' }],
  [null, {}],
])('%j and %j are not', (left, right) => {
  expect(equalButSecrets(left, right)).toBe(false);
  expect(equalButSecrets(right, left)).toBe(false);
});
