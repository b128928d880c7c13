import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSearch, searchText } from './search-text.ts';

const plain = { isCaseSensitive: true, isWholeWord: false, isRegExp: false };
const find = (text: string, wanted: string) => searchText(text, createLineSearch({ ...plain, text: wanted }), 100);

test('returns a match with its line, without leading whitespace', () => {
  expect(find('a\n    - id: greet\n', 'id')).toEqual([
    { line: 2, column: 7, length: 2, text: '- id: greet', start: 2, end: 4 },
  ]);
});

test('returns only the text around the match for a long line', () => {
  const [match] = find(`${'a'.repeat(1000)}HERE${'b'.repeat(1000)}`, 'HERE');
  expect(match).toMatchObject({ column: 1001, start: 60, end: 64 });
  expect(match?.text).toBe(`${'a'.repeat(60)}HERE${'b'.repeat(236)}`);
});

test('does not split characters at the ends of a line excerpt', () => {
  const [match] = find(`${'🙂'.repeat(300)}xHERE${'🙂'.repeat(300)}`, 'HERE');
  expect(match?.text).not.toMatch(/\p{Surrogate}/u);
  expect(match?.text.slice(match.start, match.end)).toBe('HERE');
});

test('reports the actual position of each match', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '🙂', '\\', '{', '.'), { maxLength: 60 });
  const words = fc.array(fc.constantFrom('a', 'b', '🙂', '\\', '{', '.'), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(texts, words, (parts, wished) => {
      const [text, wanted] = [parts.join(''), wished.join('')];
      const lines = text.split(/\r\n|\n|\r/);
      const found = find(text, wanted);
      for (const { line, column, length, text: piece, start, end } of found) {
        expect(lines[line - 1]?.slice(column - 1, column - 1 + length)).toBe(wanted);
        expect(piece.slice(start, end)).toBe(wanted);
      }
      const count = lines.reduce((sum, line) => sum + line.split(wanted).length - 1, 0);
      expect(found).toHaveLength(Math.min(100, count));
    }),
  );
});
