import { expect, test } from 'vitest';
import { valueParts } from './value-parts.ts';

test('the text leads, and what fits on a line becomes a row', () => {
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

test('a text that was too large to travel leads as well', () => {
  const text = { $value: 'ab', bytes: 9, preview: 'Once' };
  expect(valueParts({ text }).lead).toBe(text);
});

test('lists, long and large things stay blocks', () => {
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

test('a field named text that is no text is a field like others', () => {
  expect(valueParts({ text: 3 })).toEqual({ lead: undefined, rows: [['text', '3']], blocks: [] });
});

test('a field that is about a file names it with its size', () => {
  expect(valueParts({ write: { path: 'out.md', sizeBytes: 88 } }).rows).toEqual([['write', 'out.md, 88 B']]);
});
