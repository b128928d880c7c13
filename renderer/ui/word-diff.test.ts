import { expect, test } from 'vitest';
import { type DiffPart, lineDiff, type MergedPart, mergedDiff, wordDiff } from './word-diff.ts';

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

/** Marks removed parts with - and added ones with +. */
function signs(parts: readonly MergedPart[]): string {
  return parts.map(({ text, kind }) => (kind === 'same' ? text : `${kind === 'added' ? '+' : '-'}[${text}]`)).join('');
}

test.each([
  ['the old mill', 'the new mill', 'the -[old]+[new] mill'],
  ['a b a b', 'b a b', '-[a ]b a b'],
  ['one two', 'one three two four', 'one +[three ]two+[ four]'],
  ['', 'new', '+[new]'],
  ['gone', '', '-[gone]'],
  ['same', 'same', 'same'],
  ['we are sorry for it', 'we were glad for it', 'we -[are sorry]+[were glad] for it'],
])('merges both sides of %j and %j', (before, now, merged) => {
  expect(signs(mergedDiff(wordDiff(before, now)))).toBe(merged);
});

test('compares line by line', () => {
  expect(signs(lineDiff('a\nold line\nc', 'a\nnew line\nc\nd'))).toBe('a\n-[old line\nc]+[new line\nc\nd]');
  expect(signs(lineDiff('a\nold line\nc\n', 'a\nnew line\nc\n'))).toBe('a\n-[old line\n]+[new line\n]c\n');
});
