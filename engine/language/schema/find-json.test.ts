import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_JSON_DEPTH } from '../../base/json-limits.ts';
import { findJson } from './find-json.ts';

const read = (text: string, find: 'whole' | 'first' = 'first'): unknown => {
  const found = findJson(text, find);
  return 'value' in found ? found.value : undefined;
};
const placeOf = (text: string, find: 'whole' | 'first' = 'first') => {
  const found = findJson(text, find);
  return 'unreadable' in found ? found.unreadable : undefined;
};

test.each<[string, unknown]>([
  ['{"a":1}', { a: 1 }],
  ['\uFEFF [1, 2]\n', [1, 2]],
  ['"just text"', 'just text'],
  ['-1.5e3', -1500],
  ['null', null],
  ['Here it is:\n```json\n{"a": [1]}\n```\nFine?', { a: [1] }],
  ['As [1] says:\n```\n{"a": true}\n```', { a: true }],
  ['```json\n"text"\n```', 'text'],
  ['The answer is {"a": "}"} and {"b": 2}', { a: '}' }],
  ['See [the list] of {"a": 1}', { a: 1 }],
  ['[see {"a": {"b": 2}} there]', { a: { b: 2 } }],
  ['{broken: 1} then {"ok": 1}', { ok: 1 }],
  ['x {"a":1,} {"b":[2]} y', { b: [2] }],
  ['[{"a":1} {"b":2}]', { a: 1 }],
  ['{"\\u00e9\\n":"\\\\"}', { 'é\n': '\\' }],
])('%j results in %j', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  '{"a":1',
  '[{"a":1},{"b":',
  'Nothing here.',
  '',
  '  ',
  '{"a":"\u0001"}',
  '[1 2',
  '{"a":"\\x"}',
  'true story',
])('returns nothing for %j', (text) => {
  expect(read(text)).toBeUndefined();
});

test.each(['{"a":1} and more', 'before {"a":1}', '```json\n{}\n```', '01', '1.', '+1', "{'a':1}", '[1,]'])(
  '%j is not JSON as a whole',
  (text) => {
    expect(read(text, 'whole')).toBeUndefined();
  },
);

describe('invalid JSON is reported with its position', () => {
  test.each<[string, number, number, string]>([
    ['{\n  "a": 1,\n  b: 2\n}', 3, 3, 'This is not valid JSON.'],
    ['{"a":', 1, 6, 'The text ends in the middle of the JSON value.'],
    ['', 1, 1, 'The text is empty.'],
    ['{"a":1} x', 1, 9, 'This is not valid JSON.'],
  ])('%j', (text, line, column, problem) => {
    expect(placeOf(text, 'whole')).toMatchObject({ line, column, problem });
  });

  test('reports the 40 characters around the error', () => {
    const { around } = placeOf(`{"key": "${'a'.repeat(50)}" b: "${'c'.repeat(50)}"}`, 'whole') ?? {};
    expect(around).toBe(`${'a'.repeat(18)}" b: "${'c'.repeat(16)}`);
    expect(around).toHaveLength(40);
  });
});

test('converts a number that would be rounded to text and reports its path', () => {
  expect(findJson('It is {"id": 9007199254740993}.', 'first')).toEqual({
    value: { id: '9007199254740993' },
    notes: { asText: ['id'], repeated: [] },
  });
});

test('accepts and rejects the same text as JSON.parse', () => {
  const signs = fc.array(
    fc.constantFrom('{', '}', '[', ']', ',', ':', '"', 'a', '\\', '1', '-', '.', 'e', ' ', 'null'),
  );
  const texts = fc.oneof(
    fc.json(),
    signs.map((list) => list.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        expected = undefined;
      }
      expect(read(text, 'whole')).toEqual(expected);
    }),
    { numRuns: 500 * Number(process.env['MILLRACE_TEST_ROUNDS'] ?? 1) },
  );
});

test('finds the value between words that contain no brackets', () => {
  const words = fc.stringMatching(/^[a-z ,.]*$/);
  fc.assert(
    fc.property(
      words,
      fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
      words,
      (before, value, after) => {
        expect(read(`${before}${JSON.stringify(value)}${after}`)).toEqual(JSON.parse(JSON.stringify(value)));
      },
    ),
    { numRuns: 200 * Number(process.env['MILLRACE_TEST_ROUNDS'] ?? 1) },
  );
});

test('takes linear time whatever the text contains', () => {
  const size = 200_000;
  const before = process.cpuUsage();
  for (const text of ['[', '{"a":', '[x', '{', '"', '```', '```\n', '[1}', '\\', '[[1],'].map((one) =>
    one.repeat(size),
  )) {
    findJson(text, 'first');
  }
  // Rescanning from each bracket would take minutes.
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(10_000_000);
});

test('rejects values that are too deep for later steps', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  expect(read(nested(MAX_JSON_DEPTH))).toBeDefined();
  expect(placeOf(nested(MAX_JSON_DEPTH + 1))?.problem).toContain('nested');
  expect(placeOf(nested(100_000))?.problem).toContain('nested');
});
