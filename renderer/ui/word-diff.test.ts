import { expect, test } from 'vitest';
import { type DiffPart, wordDiff } from './word-diff.ts';

/** Marks changed parts with brackets. */
function shown(parts: readonly DiffPart[]): string {
  return parts.map(({ text, kind }) => (kind === 'same' ? text : `[${text}]`)).join('');
}

function diff(before: string, now: string): [string, string] {
  const parts = wordDiff(before, now);
  return [shown(parts.before), shown(parts.now)];
}

test.each([
  ['the old mill runs', 'the new mill runs fast', 'the [old] mill runs', 'the [new] mill runs[ fast]'],
  ['one two three', 'one two three', 'one two three', 'one two three'],
  ['', 'all new', '', '[all new]'],
  ['gone', '', '[gone]', ''],
  ['in ten points.', 'in at most five points.', 'in [ten] points.', 'in [at most five] points.'],
  ['größer, schöner', 'größer; schöner', 'größer[,] schöner', 'größer[;] schöner'],
  ['a b a b', 'b a b', '[a ]b a b', 'b a b'],
  ['x\n', 'x\n\n', 'x\n', 'x\n[\n]'],
])('%j and %j', (before, now, left, right) => {
  expect(diff(before, now)).toEqual([left, right]);
});

test('compares only the words of lines that differ', () => {
  const line = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');
  const text = Array.from({ length: 50 }, () => line).join('\n');
  expect(diff(`${text}\nthe old end`, `${text}\nthe new end`)).toEqual([
    `${text}\nthe [old] end`,
    `${text}\nthe [new] end`,
  ]);
});

test('marks long lines, and texts with very many lines, as changed as a whole', () => {
  const words = Array.from({ length: 3000 }, (_, index) => `old${index}`).join(' ');
  const others = words.replaceAll('old', 'new');
  expect(diff(`same line\n${words}\nlast`, `same line\n${others}\nlast`)).toEqual([
    `same line\n[${words}]\nlast`,
    `same line\n[${others}]\nlast`,
  ]);
  const many = Array.from({ length: 3000 }, (_, index) => `l${index}`).join('\n');
  expect(diff(many, many.replaceAll('l', 'm'))[0]).toBe(`[${many}]`);
});

test('the parts of each side joined are its text', () => {
  const [before, now] = ['Grain goes in, and flour comes out.', 'Flour comes out, when grain went in!'];
  const parts = wordDiff(before, now);
  expect(parts.before.map(({ text }) => text).join('')).toBe(before);
  expect(parts.now.map(({ text }) => text).join('')).toBe(now);
});
