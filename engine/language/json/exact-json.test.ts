import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTemplate } from '../bindings/binding-template.ts';
import { isUnsafeNumber, parseJson, readExactJson } from './exact-json.ts';
import { jsonEquals } from './json-value.ts';

const anyJson = fc.jsonValue({ noUnicodeString: false });

describe('numbers that cannot be represented', () => {
  test.each([
    ...['9007199254740993', '-9007199254740993', '9223372036854775807', '-9223372036854775808', '18446744073709551615'],
    ...['12345678901234567890123', '1152921504606846976', `1${'0'.repeat(400)}`],
    ...['1e400', '-1e400', '1E+309', '1234e306', '1e00400', '0.1e999', '1.5e9999'],
  ])('%s', (number) => {
    expect(isUnsafeNumber(number)).toBe(true);
    for (const text of [number, ` [1,${number}]`, `{"a":{"b\\"1":[${number} ]}}`, `["\\\\",${number}]`]) {
      expect(readExactJson(text), text).toEqual({ kind: 'unsafe-number', number });
      expect(parseJson(text)).toBeUndefined();
    }
  });

  test.each([
    ...[
      '0',
      '-0',
      '9007199254740991',
      '-9007199254740991',
      '9007199254740992',
      '10000000000000000',
      '1000000000000000000',
    ],
    ...['0.1', '1e300', '1e21', '3.141592653589793238462643', '1e-400', '9007199254740993.5', '100000000000000000000'],
  ])('not %s', (number) => {
    expect(isUnsafeNumber(number)).toBe(false);
    expect(readExactJson(`[${number}]`)).toEqual({ kind: 'value', value: [Number(number)] });
  });

  test('not digits in texts and keys', () => {
    const value = { '9007199254740993': ['1e400 \\', 'a"9007199254740993"', '9007199254740993'], b: 1 };
    for (const indent of [0, 2]) {
      expect(readExactJson(JSON.stringify(value, null, indent))).toEqual({ kind: 'value', value });
    }
  });

  test('none that was written from a number', () => {
    const numbers = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger());
    const large = numbers.map((number) => Math.round(number * 2 ** 20)).filter(Number.isFinite);
    fc.assert(
      fc.property(fc.oneof(numbers, large), (number) => {
        expect(parseJson(JSON.stringify(number))).toBe(number + 0);
      }),
    );
  });

  test('all integers that change when they are serialized again', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (integer) => {
        expect(isUnsafeNumber(String(integer))).toBe(String(Number(integer)) !== String(integer));
      }),
    );
  });
});

describe('parseJson', () => {
  test('returns the value of JSON text', () => {
    fc.assert(
      fc.property(anyJson, (value) => jsonEquals(parseJson(JSON.stringify(value))!, JSON.parse(JSON.stringify(value)))),
    );
  });

  test.each(['', 'hello', '{', '[1,]', 'NaN', '1e999', '-1e999', '{"a":[1e400]}'])('rejects %j', (text) => {
    expect(parseJson(text)).toBeUndefined();
  });

  test('handles a text of many quotes and digits quickly', () => {
    const text = JSON.stringify(Array.from({ length: 20_000 }, () => '\\"1234567890123456'));
    const start = performance.now();
    expect(parseJson(text)).toHaveLength(20_000);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

test('rejects a default of a binding that would be rounded', () => {
  for (const text of ['{{a.b | default:9007199254740993}}', 'x {{a | default:{"id":[-9007199254740993]}}}']) {
    expect(parseTemplate(text).problems).toMatchObject([
      { code: 'json.unsafe-number', message: expect.stringContaining('The default in {{a') },
    ]);
  }
  expect(parseTemplate('{{a | default:"9007199254740993"}}').problems).toEqual([]);
});
