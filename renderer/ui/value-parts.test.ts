import { expect, test } from 'vitest';
import { fullDateTimeText } from './quantity-text.ts';
import { scalarPairs, valueParts } from './value-parts.ts';

test('the text comes first, and values that fit on a line become rows', () => {
  const usage = { promptTokens: 12, completionTokens: 3 };
  expect(valueParts({ text: 'Once upon a time', model: 'a::b', usage, costUsd: 0.01 })).toEqual({
    lead: 'Once upon a time',
    rows: [
      ['model', 'a::b'],
      ['usage', 'promptTokens 12, completionTokens 3'],
      ['costUsd', '0.01'],
    ],
    blocks: [],
  });
});

test('a text that is stored separately comes first as well', () => {
  const text = { $value: 'ab', bytes: 9, preview: 'Once' };
  expect(valueParts({ text }).lead).toBe(text);
});

test('lists, long and large values stay blocks', () => {
  const long = 'x'.repeat(61);
  const large = { $value: 'ab', bytes: 9, preview: 'Once' };
  const { lead, rows, blocks } = valueParts({
    list: [1],
    long,
    lines: 'a\nb',
    large,
    empty: {},
    deep: { a: { b: 1 } },
  });
  expect([lead, rows]).toEqual([undefined, []]);
  expect(blocks.map(([key]) => key)).toEqual(['list', 'long', 'lines', 'large', 'empty', 'deep']);
});

test('a field named text with another type is a normal field', () => {
  expect(valueParts({ text: 3 })).toEqual({ lead: undefined, rows: [['text', '3']], blocks: [] });
});

test('an output about a file names it with its size', () => {
  expect(valueParts({ write: { path: 'out.md', sizeBytes: 88 } }).rows).toEqual([['write', 'out.md, 88 B']]);
});

const moment = 1_795_807_764_329;

test.each(['at', 'askedAt', 'created_at', 'since', 'until', 'timestamp', 'snoozedUntil'])(
  'a time in the field "%s" is shown as a date and a time',
  (name) => {
    expect(valueParts({ route: 'approved', [name]: moment }).rows[1]).toEqual([name, fullDateTimeText(moment)]);
    expect(scalarPairs({ [name]: moment })).toBe(`${name} ${fullDateTimeText(moment)}`);
    expect(valueParts({ answer: { [name]: moment } }).rows[0]?.[1]).toContain(fullDateTimeText(moment));
  },
);

test.each([
  ['count', moment],
  ['format', moment],
  ['at', 12],
  ['at', 1_795_807_764],
  ['at', 9e15],
  ['seat', moment],
])('other numbers stay numbers: %s %d', (name, value) => {
  expect(valueParts({ [name]: value }).rows).toEqual([[name, String(value)]]);
});
