import { expect, test } from 'vitest';
import { chipOf, quoteOf, wordsOf } from './summary-text.ts';

test('text is split into words and chips', () => {
  expect(wordsOf('Sum of {{a.x}} and {{?b.y | default:{"k": "}}"}}}.')).toEqual([
    'Sum of ',
    { chip: 'a.x' },
    ' and ',
    { chip: 'b.y' },
    '.',
  ]);
});

test('lines are joined, so that what a text is about can be seen behind its first line', () => {
  expect(wordsOf('Judge the log:\n\n  {{log.text}}\n')).toEqual(['Judge the log: ', { chip: 'log.text' }]);
});

test('long text is cut', () => {
  const [words] = wordsOf('word '.repeat(40));
  expect(words).toHaveLength(80);
  expect(words).toMatch(/…$/);
});

test('a cut never leaves half a binding as words', () => {
  expect(wordsOf(`${'x'.repeat(75)} {{some.long.path}} rest`)).toEqual([`${'x'.repeat(75)} `, { chip: 'som…' }, '…']);
});

test('a chip shows the path of a lone binding and shortens what is long', () => {
  expect(chipOf('{{ note.text }}')).toEqual({ chip: 'note.text' });
  expect(chipOf({ a: 'x'.repeat(99) })).toEqual({ chip: `{"a":"${'x'.repeat(33)}…` });
  expect([chipOf(undefined), chipOf(null), chipOf('')]).toEqual([undefined, undefined, undefined]);
});

test('text is quoted, other values and lone bindings are chips', () => {
  expect(quoteOf('Hello {{who}}')).toEqual(['“', 'Hello ', { chip: 'who' }, '”']);
  expect(quoteOf('{{note.text}}')).toEqual([{ chip: 'note.text' }]);
  expect(quoteOf({ a: 1 })).toEqual([{ chip: '{"a":1}' }]);
  expect([quoteOf(undefined), quoteOf(null), quoteOf(' ')]).toEqual([[], [], []]);
});
