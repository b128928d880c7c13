import { expect, test } from 'vitest';
import { chipOf, quoteOf, wordsOf } from './summary-text.ts';

test('splits text into words and chips', () => {
  expect(wordsOf('Sum of {{a.x}} and {{?b.y | default:{"k": "}}"}}}.')).toEqual([
    'Sum of ',
    { chip: 'a.x' },
    ' and ',
    { chip: 'b.y' },
    '.',
  ]);
});

test('joins lines, so that the text after the first line is visible too', () => {
  expect(wordsOf('Judge the log:\n\n  {{log.text}}\n')).toEqual(['Judge the log: ', { chip: 'log.text' }]);
});

test('truncates long text', () => {
  const [words] = wordsOf('word '.repeat(40));
  expect(words).toHaveLength(80);
  expect(words).toMatch(/…$/);
});

test('truncation never leaves half a binding as words', () => {
  expect(wordsOf(`${'x'.repeat(75)} {{some.long.path}} rest`)).toEqual([`${'x'.repeat(75)} `, { chip: 'som…' }, '…']);
});

test('a chip shows the path of a lone binding and shortens long ones', () => {
  expect(chipOf('{{ note.text }}')).toEqual({ chip: 'note.text' });
  expect(chipOf({ a: 'x'.repeat(99) })).toEqual({ chip: `{"a":"${'x'.repeat(33)}…` });
  expect([chipOf(undefined), chipOf(null), chipOf('')]).toEqual([undefined, undefined, undefined]);
});

test('quotes text and shows other values and lone bindings as chips', () => {
  expect(quoteOf('Hello {{who}}')).toEqual(['“', 'Hello ', { chip: 'who' }, '”']);
  expect(quoteOf('{{note.text}}')).toEqual([{ chip: 'note.text' }]);
  expect(quoteOf({ a: 1 })).toEqual([{ chip: '{"a":1}' }]);
  expect([quoteOf(undefined), quoteOf(null), quoteOf(' ')]).toEqual([[], [], []]);
});
