import { expect, test } from 'vitest';
import { EditorEchoes } from './editor-echoes.ts';

test('what comes back late takes nothing away of what was typed since', () => {
  const typed = new EditorEchoes();
  expect(typed.isNews('const', '')).toBe(true);
  expect(typed.isNews('const ', '')).toBe(true);
  expect(typed.isOwn('const')).toBe(true);
  expect(typed.isOwn('const ')).toBe(true);
});

test('several at once may come back as the last of them', () => {
  const typed = new EditorEchoes();
  typed.isNews('a', '');
  typed.isNews('ab', '');
  expect(typed.isOwn('ab')).toBe(true);
  // Whoever keeps the text went back to it: now it is somebody else's word.
  expect(typed.isOwn('a')).toBe(false);
});

test('typing back to what is kept is news as long as what was typed before is on its way', () => {
  const typed = new EditorEchoes();
  expect(typed.isNews('ax', 'a')).toBe(true);
  expect(typed.isNews('a', 'a')).toBe(true);
  expect(typed.isOwn('ax')).toBe(true);
  expect(typed.isOwn('a')).toBe(true);
  expect(typed.isNews('a', 'a')).toBe(false);
});

test('a text from elsewhere takes the place of all that was typed', () => {
  const typed = new EditorEchoes();
  typed.isNews('mine', '');
  expect(typed.isOwn('theirs')).toBe(false);
  expect(typed.isOwn('mine')).toBe(false);
  expect(typed.isNews('theirs', 'theirs')).toBe(false);
});
