import { expect, test } from 'vitest';
import { EditorEchoes } from './editor-echoes.ts';

test('a late echo does not remove what was typed since', () => {
  const typed = new EditorEchoes();
  expect(typed.isNews('const', '')).toBe(true);
  expect(typed.isNews('const ', '')).toBe(true);
  expect(typed.isOwn('const')).toBe(true);
  expect(typed.isOwn('const ')).toBe(true);
});

test('several texts may come back as only the last of them', () => {
  const typed = new EditorEchoes();
  typed.isNews('a', '');
  typed.isNews('ab', '');
  expect(typed.isOwn('ab')).toBe(true);
  // The document returned to this text, so it is now a change from elsewhere.
  expect(typed.isOwn('a')).toBe(false);
});

test('typing back to the text of the document is news while an earlier text is pending', () => {
  const typed = new EditorEchoes();
  expect(typed.isNews('ax', 'a')).toBe(true);
  expect(typed.isNews('a', 'a')).toBe(true);
  expect(typed.isOwn('ax')).toBe(true);
  expect(typed.isOwn('a')).toBe(true);
  expect(typed.isNews('a', 'a')).toBe(false);
});

test('a text from elsewhere replaces everything that was typed', () => {
  const typed = new EditorEchoes();
  typed.isNews('mine', '');
  expect(typed.isOwn('theirs')).toBe(false);
  expect(typed.isOwn('mine')).toBe(false);
  expect(typed.isNews('theirs', 'theirs')).toBe(false);
});
