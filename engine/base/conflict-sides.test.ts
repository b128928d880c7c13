import { expect, test } from 'vitest';
import { conflictPlaces, conflictSides } from './conflict-markers.ts';

const conflict = (ours: string, theirs: string): string =>
  `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> feature/polite\n`;

test('returns both texts with the names of the sides', () => {
  const text = `a\n${conflict('ours\n', 'theirs\nmore\n')}b\n${conflict('', 'added\n')}c`;
  expect(conflictSides(text)).toEqual({
    ours: { name: 'HEAD', text: 'a\nours\nb\nc' },
    theirs: { name: 'feature/polite', text: 'a\ntheirs\nmore\nb\nadded\nc' },
    base: null,
  });
});

test('returns the base of both sides if all conflicts have one, and keeps line endings', () => {
  const text = 'a\r\n<<<<<<< ours\r\n1\r\n||||||| 3f2a\r\n0\r\n=======\r\n2\r\n>>>>>>> theirs\r\nb\r\n';
  expect(conflictSides(text)).toEqual({
    ours: { name: 'ours', text: 'a\r\n1\r\nb\r\n' },
    theirs: { name: 'theirs', text: 'a\r\n2\r\nb\r\n' },
    base: 'a\r\n0\r\nb\r\n',
  });
  expect(conflictSides(text + conflict('a\n', 'b\n'))?.base).toBeNull();
});

test('returns the place of each conflict with the lines of both sides', () => {
  const first = conflict('ours\n', 'theirs\nmore\n');
  const second = '<<<<<<< HEAD\r\n||||||| 3f2a\r\n0\r\n=======\r\n2\r\n>>>>>>> theirs';
  const text = `a\n${first}b\n${second}`;
  expect(conflictPlaces(text)).toEqual([
    { start: 2, end: 2 + first.length, ours: 'ours\n', theirs: 'theirs\nmore\n' },
    { start: text.indexOf(second), end: text.length, ours: '', theirs: '2\r\n' },
  ]);
  expect(conflictPlaces('<<<<<<< HEAD\na\n=======\nb\n')).toEqual([]);
});

test('takes a line of seven equals signs outside conflicts as text', () => {
  const heading = 'Title\n=======\n';
  expect(conflictSides(heading + conflict('a\n', 'b\n'))?.theirs.text).toBe(`${heading}b\n`);
});

test.each([
  ['no conflict', 'a\nb\n'],
  ['no end', '<<<<<<< HEAD\na\n=======\nb\n'],
  ['no middle', '<<<<<<< HEAD\na\n>>>>>>> x\n'],
  ['a conflict in a conflict', '<<<<<<< HEAD\n<<<<<<< HEAD\n=======\nb\n>>>>>>> x\n'],
  ['a second conflict without an end', `${conflict('a\n', 'b\n')}<<<<<<< HEAD\n=======\n`],
])('returns undefined for a text with %s', (_, text) => {
  expect(conflictSides(text)).toBeUndefined();
});
