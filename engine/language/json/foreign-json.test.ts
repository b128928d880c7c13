import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isChangingNumber, jsonWarningTexts, readForeignJson } from './foreign-json.ts';

describe('a number that would change is kept as text, and its path is reported', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['{"p_id":7615917337495251231,"name":"x"}', { p_id: '7615917337495251231', name: 'x' }, ['p_id']],
    ['[1,9007199254740993,2]', [1, '9007199254740993', 2], ['1']],
    ['{"a":[{"id":-9223372036854775808}]}', { a: [{ id: '-9223372036854775808' }] }, ['a.0.id']],
    ['{"a b":{"c.d":18446744073709551615}}', { 'a b': { 'c.d': '18446744073709551615' } }, ['a b["c.d"]']],
    ['7615917337495251231', '7615917337495251231', ['']],
    [' 1e400 ', '1e400', ['']],
    ['{"x":-1e999}', { x: '-1e999' }, ['x']],
    ['{"x":1e-400}', { x: '1e-400' }, ['x']],
    ['{"x":3.141592653589793238462643}', { x: '3.141592653589793238462643' }, ['x']],
    ['{"x":9007199254740993.5}', { x: '9007199254740993.5' }, ['x']],
    ['{"x":12345678901234567.89}', { x: '12345678901234567.89' }, ['x']],
    ['{"x":0.12345678901234567890123}', { x: '0.12345678901234567890123' }, ['x']],
  ])('%s', (text, value, asText) => {
    expect(readForeignJson(text)).toEqual({ kind: 'value', value, notes: { asText, repeated: [] } });
  });

  test.each([
    ...['0', '1', '-1', '9007199254740991', '9007199254740992', '10000000000000000', '0.1', '1e300', '1e21', '1E+5'],
    // Seventeen digits are how other programs print the same number.
    ...[
      '0.10000000000000001',
      '2.2250738585072014e-308',
      '1.7976931348623157e308',
      '0.1000000000000000055511151231257827',
    ],
    ...[
      '123456789012345.6',
      '1.50',
      '100.000000000000000000',
      '5e-324',
      '0.0',
      '0e5',
      '3.1415926535897931',
      '185319462293664.12',
    ],
  ])('not %s', (text) => {
    expect(isChangingNumber(text)).toBe(false);
    expect(readForeignJson(`[${text}]`)).toEqual({ kind: 'value', value: [Number(text)] });
  });

  test('-0 becomes 0, as in serialized JSON', () => {
    expect(JSON.stringify(readForeignJson('[-0]'))).toBe('{"kind":"value","value":[0]}');
  });

  test.each(['+1', '01', '.5', '1.', 'NaN', 'Infinity', '0x10', '1_000', '{', ''])('%j is not JSON', (text) => {
    expect(readForeignJson(text)).toMatchObject({ kind: 'no-json' });
  });

  test('nothing written by JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(readForeignJson(text)).toEqual({ kind: 'value', value: JSON.parse(text) });
      }),
    );
  });

  test('digits in texts and keys stay unchanged', () => {
    const value = { '9007199254740993': ['1e400 \\', 'a"9007199254740993"', '{"x":9007199254740993}'], b: '\\\\' };
    expect(readForeignJson(JSON.stringify(value))).toEqual({ kind: 'value', value });
  });
});

describe('reports a duplicate key, and the last one counts', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['{"a":1,"a":2}', { a: 2 }, ['a']],
    ['[{"a":1},{"a":1,"b":{"c":1,"c":[]}}]', [{ a: 1 }, { a: 1, b: { c: [] } }], ['1.b.c']],
    ['{"a":1,"\\u0061":2}', { a: 2 }, ['a']],
    ['{"__proto__":1,"__proto__":2}', JSON.parse('{"__proto__":2}'), ['__proto__']],
  ])('%s', (text, value, repeated) => {
    expect(readForeignJson(text)).toEqual({ kind: 'value', value, notes: { asText: [], repeated } });
  });

  test('not a text that looks like a key', () => {
    expect(readForeignJson('{"a":"\\"a\\": 1","b":["a","a"]}')).not.toHaveProperty('notes');
  });
});

test('the warning names the first paths and the number of others', () => {
  const many = Array.from({ length: 7 }, (_, index) => `ids.${index}`);
  expect(jsonWarningTexts('The answer', { asText: many, repeated: ['a.b'] })).toEqual([
    'The answer contains numbers that cannot be represented exactly, so they become text: ids.0, ids.1, ids.2, ids.3, ids.4 and 2 more. Compare them and pass them on as text.',
    'The answer contains keys that occur more than once in a map: a.b. The last value is used.',
  ]);
});
