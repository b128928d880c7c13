import { expect, test } from 'vitest';
import type { JsonMap } from '../../../engine/isomorphic.ts';
import { outputsCsv } from './outputs-csv.ts';

test.each<[string, JsonMap, string[]]>([
  [
    'a list of tables',
    {
      rank: [
        { id: 1, name: 'a' },
        { id: 2, score: 0.5 },
      ],
    },
    ['id,name,score', '1,a,', '2,,0.5'],
  ],
  ['a list of texts', { words: ['a', 'b, c'] }, ['value', 'a', '"b, c"']],
  ['one table', { say: { text: 'hi' } }, ['text', 'hi']],
  ['one value', { count: 3 }, ['value', '3']],
  ['several outputs', { a: [{ x: 1 }], b: { y: true } }, ['output,x,y', 'a,1,', 'b,,true']],
  ['nested values', { a: { list: [1, 2], map: { k: 'v' } } }, ['list,map', '"[1,2]","{""k"":""v""}"']],
  ['quotes and line ends', { a: { text: 'say "hi"\nthere' } }, ['text', '"say ""hi""\nthere"']],
  ['blanks at an end', { a: { text: ' x' } }, ['text', '" x"']],
  ['null and nothing', { a: [{ x: null }, {}] }, ['x', '', '']],
  ['numbers below zero', { a: { x: -4 } }, ['x', '-4']],
  [
    'text that a spreadsheet would run',
    { a: [{ x: '=1+1' }, { x: '@SUM(A1)' }, { x: '-2+3' }, { x: '+1' }] },
    ['x', "'=1+1", "'@SUM(A1)", "'-2+3", '+1'],
  ],
])('%s become rows', (_what, outputs, lines) => {
  expect(outputsCsv(outputs)).toBe(lines.map((line) => `${line}\r\n`).join(''));
});

test.each<[string, JsonMap]>([
  ['no output', {}],
  ['an empty list', { a: [] }],
])('%s gives an empty text', (_what, outputs) => {
  expect(outputsCsv(outputs)).toBe('');
});
