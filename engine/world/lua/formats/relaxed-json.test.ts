import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LuaFloat, withPlainFloats } from '../lua-number.ts';
import { parseNdjson, parseRelaxedJson } from './relaxed-json.ts';

describe('parseRelaxedJson', () => {
  test('parses everything in strict JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(withPlainFloats(parseRelaxedJson(text) ?? null)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('skips comments', () => {
    expect(parseRelaxedJson('// a\n{ /* b */ "k": 1, // c\n "s": "// no comment" }\n/* end */')).toEqual({
      k: 1,
      s: '// no comment',
    });
  });

  test('requires no commas and accepts a trailing one', () => {
    expect(parseRelaxedJson('{"a": 1 "b": [1 2, "x" "y",],\n"c": {}\n"d": null,}')).toEqual({
      a: 1,
      b: [1, 2, 'x', 'y'],
      c: {},
      d: null,
    });
  });

  test('parses single quotes and unquoted keys', () => {
    expect(parseRelaxedJson(`{ name: 'it\\'s "so"', data-id: 1, $x_1: true, ключ: 2, 7: 'seven' }`)).toEqual({
      name: 'it\'s "so"',
      'data-id': 1,
      $x_1: true,
      ключ: 2,
      7: 'seven',
    });
  });

  test('parses hexadecimal numbers and leading signs', () => {
    expect(parseRelaxedJson('[0x1F, +1, -2.5e3, -0xA, +0.5]')).toEqual([31, 1, new LuaFloat(-2500), -10, 0.5]);
  });

  test('parses escape sequences', () => {
    expect(parseRelaxedJson(String.raw`"\u00e9\ud83d\ude00\n\t\\\/"`)).toBe('é😀\n\t\\/');
  });

  test('returns undefined for a blank text', () => {
    expect(parseRelaxedJson('')).toBeUndefined();
    expect(parseRelaxedJson(' \n// only a comment')).toBeUndefined();
    expect(parseRelaxedJson('null')).toBeNull();
  });

  test('keeps keys that are special in JavaScript', () => {
    const value = parseRelaxedJson('{"__proto__": {"a": 1}, constructor: 2}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test.each([
    ['{"a" 1}', 'Expected a colon after the key of a property on line 1 column 6'],
    ['{"a": }', "Unexpected '}' on line 1 column 7"],
    ['[1,,2]', "Unexpected ',' on line 1 column 4"],
    ['[1\n', "']' is missing for the bracket on line 1 column 1"],
    ['{"a": "b\n"}', 'Unterminated string literal on line 1 column 7'],
    ['{}\n{}', 'Text cannot contain more than one JSON value on line 2 column 1'],
    ['[word]', "Unexpected 'word' on line 1 column 2"],
    ['[1-2]', "Unexpected '1-2' on line 1 column 2"],
    ['["\\x"]', "Invalid escape '\\x' on line 1 column 4"],
    ['/* a', 'Unterminated comment block on line 1 column 1'],
  ])('rejects %j with the position', (text, cause) => {
    expect(() => parseRelaxedJson(text)).toThrow(
      expect.objectContaining({ message: `Fail to parse json.\nCause: ${cause}\nJson Content:\n${text}` }),
    );
  });

  test('shows the first 300 characters of invalid text', () => {
    const text = `[${'😀'.repeat(400)}`;
    expect(() => parseRelaxedJson(text)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/Json Content:\n\[(?:😀){299}$/u) }),
    );
  });

  test('withstands hostile text', () => {
    expect(() => parseRelaxedJson('['.repeat(100_000))).toThrow('nested deeper than 500');
    expect(() => parseRelaxedJson(`[${'/'.repeat(200_000)}`)).toThrow('missing');
    expect(() => parseRelaxedJson(`"${'\\'.repeat(200_001)}`)).toThrow('Invalid escape');
    expect(() => parseRelaxedJson(`[${'1'.repeat(200_000)}x`)).toThrow('Unexpected');
    expect(() => parseRelaxedJson(`[${'+'.repeat(200_000)}`)).toThrow('Unexpected');
    expect(parseRelaxedJson(`[${' '.repeat(500_000)}]`)).toEqual([]);
  });
});

describe('parseNdjson', () => {
  test('parses one value per line', () => {
    expect(parseNdjson('{"a":1}\r\n\n [2] \n"x"')).toEqual([{ a: 1 }, [2], 'x']);
    expect(parseNdjson('')).toEqual([]);
  });

  test('parses strictly and reports the line of an error', () => {
    expect(() => parseNdjson('{}\n{a:1}')).toThrow('Line 2 is not valid JSON');
  });
});
