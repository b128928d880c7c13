import { expect, test } from 'vitest';
import { fitTitle } from './text-wrap.ts';

/** Ten pixels per letter. */
const measure = (text: string) => 10 * text.length;

function linesOf(title: string, most = 2): readonly string[] {
  return fitTitle(measure, title, { letters: 'titleMiddle', room: 100, most });
}

test('a name that fits is one line', () => {
  expect(linesOf('summarise')).toEqual(['summarise']);
});

test('a longer name breaks between words, or within a word that is too long', () => {
  expect(linesOf('read the notes')).toEqual(['read the', 'notes']);
  expect(linesOf('summarise_notes')).toEqual(['summarise_', 'notes']);
});

test('text that does not fit is truncated', () => {
  expect(linesOf('read all the notes of the week')).toEqual(['read all', 'the notes…']);
  expect(linesOf('summarise notes', 1)).toEqual(['summarise…']);
});
