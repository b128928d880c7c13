import { describe, expect, test } from 'vitest';
import { splitAtLine, splitText, trimText, trimTextEnd, trimTextStart } from './cutting-functions.ts';
import {
  extractLineBlocks,
  removeFirstLines,
  removeLastLines,
  replaceMarkers,
  withSingleNewline,
} from './edit-lines.ts';
import { formatSize } from './shaping-functions.ts';

const parts = ({ before, after }: { readonly before: string; readonly after: string | undefined }) => [before, after];

describe('trimming', () => {
  test('trims all Unicode whitespace', () => {
    expect(trimText('\u00a0\u2003\u0085 a b\u3000\n')).toBe('a b');
    expect(trimTextStart(' a ')).toBe('a ');
    expect(trimTextEnd(' a ')).toBe(' a');
    expect(trimText('\ufeffa')).toBe('\ufeffa');
    expect(trimText(' \n')).toBe('');
  });

  test('trims in linear time', () => {
    const text = `${' '.repeat(300_000)}x${' '.repeat(300_000)}`;
    expect(trimText(`${text}y`)).toBe(`x${' '.repeat(300_000)}y`);
  });
});

describe('splitting', () => {
  test.each([
    { text: 'a == b == c', first: ['a ', ' b == c'], last: ['a == b ', ' c'] },
    { text: 'none', first: ['none', undefined], last: ['none', undefined] },
    { text: 'end==', first: ['end', ''], last: ['end', ''] },
    { text: '', first: ['', undefined], last: ['', undefined] },
  ])('splits $text at a separator', ({ text, first, last }) => {
    expect(parts(splitText(text, '==', 'first'))).toEqual(first);
    expect(parts(splitText(text, '==', 'last'))).toEqual(last);
  });

  test('finds an empty separator at the ends', () => {
    expect(parts(splitText('ab', '', 'first'))).toEqual(['', 'ab']);
    expect(parts(splitText('ab', '', 'last'))).toEqual(['ab', '']);
  });

  test.each([
    ['a\n---\nb\n---\nc', ['a', 'b\n---\nc'], ['a\n---\nb', 'c']],
    ['---\nb', ['', 'b'], ['', 'b']],
    ['a\n---', ['a', ''], ['a', '']],
    ['a\n---\n', ['a', ''], ['a', '']],
    ['---', ['', ''], ['', '']],
    ['a ---\n--- b', ['a ---\n--- b', undefined], ['a ---\n--- b', undefined]],
    ['a\r\n---\r\nb', ['a', 'b'], ['a', 'b']],
    ['', ['', undefined], ['', undefined]],
  ])('splits %j at a line', (text, first, last) => {
    expect(parts(splitAtLine(text, '---', 'first'))).toEqual(first);
    expect(parts(splitAtLine(text, '---', 'last'))).toEqual(last);
  });

  test('accepts an empty line as the separator, but not the end of the last line', () => {
    expect(parts(splitAtLine('a\n\nb', '', 'first'))).toEqual(['a', 'b']);
    expect(parts(splitAtLine('\nb', '', 'last'))).toEqual(['', 'b']);
    expect(parts(splitAtLine('a\n', '', 'first'))).toEqual(['a\n', undefined]);
  });
});

describe('lines', () => {
  test('removes lines at the start', () => {
    expect(removeFirstLines('a\nb\nc', 1)).toBe('b\nc');
    expect(removeFirstLines('a\nb\nc', 2)).toBe('c');
    expect(removeFirstLines('a\nb\nc', 3)).toBe('');
    expect(removeFirstLines('a\nb', 0)).toBe('a\nb');
  });

  test('removes lines at the end', () => {
    expect(removeLastLines('a\nb\nc', 1)).toBe('a\nb');
    expect(removeLastLines('a\nb\n', 1)).toBe('a\nb');
    expect(removeLastLines('a\nb\nc', 3)).toBe('');
    expect(removeLastLines('\nb', 1)).toBe('');
    expect(removeLastLines('\nb', 2)).toBe('');
    expect(removeLastLines('a\nb', 0)).toBe('a\nb');
  });

  test('ends a text with one newline', () => {
    expect(['', 'a', 'a\n', 'a\n\n\n', '\n'].map(withSingleNewline)).toEqual(['\n', 'a\n', 'a\n', 'a\n', '\n']);
  });

  test('extracts blocks of lines', () => {
    const text = '> a\n> b\ntext\n> c';
    expect(extractLineBlocks(text, '>')).toEqual({ blocks: ['> a\n> b\n', '> c\n'], rest: 'text\n' });
    expect(extractLineBlocks(text, '>', 1)).toEqual({ blocks: ['> a\n> b\n'], rest: 'text\n> c\n' });
    expect(extractLineBlocks(text, '#')).toEqual({ blocks: [], rest: '> a\n> b\ntext\n> c\n' });
  });
});

describe('replaceMarkers', () => {
  test('replaces marked regions with sections', () => {
    const text = 'a\n// <<START>> x\nold\n// <<END>>\nb\n<<START>>\n<<END>>\n';
    expect(replaceMarkers(text, ['one', 'two\nlines', 'spare'])).toBe('a\none\nb\ntwo\nlines\n');
    expect(replaceMarkers('plain', [])).toBe('plain');
  });

  test.each([
    ['<<START>>\n<<START>>\n<<END>>', 'when previous section not closed with <<END>>'],
    ['<<END>>', 'when not having open with a <<START>>'],
    ['<<START>>\nx', 'without a line with <<END>>'],
    ['<<START>>\n<<END>>', 'Not enough matching sections'],
  ])('rejects %j', (text, message) => {
    expect(() => replaceMarkers(text, [])).toThrow(message);
  });
});

describe('formatSize', () => {
  test.each([
    [0, '     0 B '],
    [777, '   777 B '],
    [8_777, '  8.78 KB'],
    [88_777, ' 88.78 KB'],
    [888_777, '888.78 KB'],
    [5_242_880, '  5.24 MB'],
    [2_345_678_900, '  2.35 GB'],
    [3e12, '  3.00 TB'],
    [7e15, '  7.00 PB'],
    [-5, '     0 B '],
    [1.6, '     2 B '],
  ])('formats %d as %j', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });

  test('uses no unit below the lowest one', () => {
    expect(formatSize(777, 'KB')).toBe('  0.78 KB');
    expect(formatSize(5_242_880, 'KB')).toBe('  5.24 MB');
    expect(formatSize(5_242_880, 'GB')).toBe('  0.01 GB');
    expect(formatSize(5_242_880, 'nonsense')).toBe('  5.24 MB');
  });
});
