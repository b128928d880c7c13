import { expect, test } from 'vitest';
import { markedParts, spaceWords } from './space-marks.ts';

function shown(text: string, isInLine = true): string {
  return markedParts(text, isInLine)
    .map(({ text: part, sign }) => sign ?? part)
    .join('');
}

test.each([
  ['DE', 'DE', undefined],
  ['Den Haag', 'Den Haag', undefined],
  ['DE ', 'DE·', 'Ends with a space'],
  ['  DE', '··DE', 'Starts with 2 spaces'],
  ['a  b', 'a··b', 'Contains 2 spaces'],
  ['a\tb', 'a→b', 'Contains a tab'],
  ['DE\n', 'DE↵', 'Ends with a line break'],
  ['10\u00A0EUR', '10␣EUR', 'Contains a special space'],
  ['\tDE \n', '→DE·↵', 'Starts with a tab. Ends with 2 characters of white space'],
  [' ', '·', 'Starts with a space'],
  ['', '', undefined],
])('white space of %j is shown as %s', (text, expected, words) => {
  expect([shown(text), spaceWords(text)]).toEqual([expected, words]);
});

test('of long text and of text with several lines, only spaces at its ends are marked', () => {
  expect(shown('one\n  two\n', false)).toBe('one\n  two\n');
  expect(shown(' one\ntwo ', false)).toBe('·one\ntwo·');
  const long = `${'word  '.repeat(40)}`;
  expect(shown(long)).toBe(`${long.trimEnd()}··`);
});

test('a long run has a limited number of marks, and no character is lost', () => {
  const parts = markedParts(`a${' '.repeat(5000)}`, true);
  expect(parts.length).toBeLessThan(30);
  expect(parts.map(({ text }) => text).join('').length).toBe(5001);
});
