import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonValue, jsonEquals, textForm } from './json-value.ts';

const anyJson = fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<JsonValue>;

describe('jsonEquals', () => {
  test.each<[JsonValue, JsonValue, boolean]>([
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [[1, 2], [2, 1], false],
    [[1], [1, null], false],
    [{ a: null }, {}, false],
    [{ a: null }, { b: null }, false],
    [1, '1', false],
    [0, false, false],
    [null, false, false],
    [[], {}, false],
    ['', '', true],
  ])('%j and %j: %j', (left, right, expected) => {
    expect([jsonEquals(left, right), jsonEquals(right, left)]).toEqual([expected, expected]);
  });

  test('considers every value equal to its copy', () => {
    fc.assert(fc.property(anyJson, (value) => jsonEquals(value, JSON.parse(JSON.stringify(value)))));
  });

  test('does not mistake inherited properties for keys', () => {
    expect(jsonEquals({ toString: 'x' }, { constructor: 'x' })).toBe(false);
  });
});

test('the text form of text is the text itself, and of everything else JSON', () => {
  expect(['a "b"', 1.5, true, null, [1, 'x'], { a: {} }].map((value) => textForm(value))).toEqual([
    'a "b"',
    '1.5',
    'true',
    'null',
    '[1,"x"]',
    '{"a":{}}',
  ]);
});
