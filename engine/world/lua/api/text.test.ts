import { expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import { textApi } from './text.ts';

const call = apiCaller(textApi);

test('all functions return nil for nil', () => {
  for (const { name } of textApi.members) expect(call.all(name, undefined, 'x', {})).toEqual([undefined]);
});

test('rejects values that are not text', () => {
  const message = 'aip.text.trim - accepted argument types are String or Nil, but was table';
  expect(() => call('trim', ['a'])).toThrow(message);
  expect(() => call('split_first', true, 'a')).toThrow(
    'aip.text.split_first - accepted argument types are String or Nil',
  );
  expect(() => call('split_first', 'text')).toThrow('bad argument #2');
  expect(() => call('remove_first_lines', 'text', 1.5)).toThrow('bad argument #2');
});

test('trims text', () => {
  expect([call('trim', ' a '), call('trim_start', ' a '), call('trim_end', ' a ')]).toEqual(['a', 'a ', ' a']);
});

test('returns both parts of a split text', () => {
  expect(call.all('split_first', 'a==b==c', '==')).toEqual(['a', 'b==c']);
  expect(call.all('split_last', 'a==b==c', '==')).toEqual(['a==b', 'c']);
  expect(call.all('split_first', 'abc', '==')).toEqual(['abc', undefined]);
  expect(call.all('split_first_line', 'a\n==\nb', '==')).toEqual(['a', 'b']);
  expect(call.all('split_last_line', 'a\n==\nb\n==', '==')).toEqual(['a\n==\nb', '']);
});

test('removes lines', () => {
  expect(call('remove_first_line', 'a\nb')).toBe('b');
  expect(call('remove_first_lines', 'a\nb\nc', 2)).toBe('c');
  expect(call('remove_last_line', 'a\nb')).toBe('a');
  expect(call('remove_last_lines', 'a\nb\nc', 2)).toBe('a');
});

test('truncates by characters, including the ellipsis', () => {
  expect(call('truncate', 'abcdef', 4)).toBe('abcd');
  expect(call('truncate', 'abcdef', 4, '..')).toBe('ab..');
  expect(call('truncate', 'abcd', 4, '..')).toBe('abcd');
  expect(call('truncate', '😀😀😀', 2, '…')).toBe('😀…');
  expect(call('truncate', 'abcdef', 1, '...')).toBe('.');
  expect(call('truncate', 'abcdef', 0)).toBe('');
});

test('adds a missing prefix and suffix', () => {
  expect(call('ensure', 'x', { prefix: './', suffix: '.md' })).toBe('./x.md');
  expect(call('ensure', './x.md', { prefix: './', suffix: '.md' })).toBe('./x.md');
  expect(call('ensure', 'x', [])).toBe('x');
  expect(() => call('ensure', 'x', { start: 'a' })).toThrow('invalid table property `start`');
});

test('ends a text with a single newline, under both names', () => {
  expect(call('ensure_single_trailing_newline', 'a\n\n')).toBe('a\n');
  expect(call('ensure_single_ending_newline', '')).toBe('\n');
});

test('replaces markers with texts and with tables that have content', () => {
  const text = '<<START>>\n<<END>>\n<<START>>\n<<END>>';
  expect(call('replace_markers', text, ['a', { content: 'b' }])).toBe('a\nb');
  expect(() => call('replace_markers', text, [1])).toThrow('the sections must be strings');
  expect(() => call('replace_markers', text, 'a')).toThrow('must be a list');
});

test('extracts blocks of lines, and the remaining text on request', () => {
  expect(call.all('extract_line_blocks', '> a\nb', { starts_with: '>' })).toEqual([['> a\n'], undefined]);
  expect(call.all('extract_line_blocks', '> a\nb\n> c', { starts_with: '>', first: 1, extrude: 'content' })).toEqual([
    ['> a\n'],
    'b\n> c\n',
  ]);
  expect(() => call('extract_line_blocks', 'a', {})).toThrow("'starts_with' must be a string");
  expect(() => call('extract_line_blocks', 'a', { starts_with: '>', extrude: 'all' })).toThrow("'extrude'");
});

test('formats sizes', () => {
  expect(call('format_size', 777)).toBe('   777 B ');
  expect(call('format_size', 8_777)).toBe('  8.78 KB');
  expect(call('format_size', 5_242_880)).toBe('  5.24 MB');
  expect(call('format_size', 500_000, 'MB')).toBe('  0.50 MB');
  expect(call('format_size', 500_000, { lowest_unit: 'MB', trim: true })).toBe('0.50 MB');
  expect(call('format_size', 777, { trim: true })).toBe('777 B');
  expect(() => call('format_size', 'big')).toThrow('bytes argument must be a number');
});

test('decodes HTML entities', () => {
  expect(call('escape_decode', 'a &amp; b &#233; &eacute; &unknown; AT&T')).toBe('a & b é é &unknown; AT&T');
  expect(call('escape_decode_if_needed', '&lt;b&gt; &amp;')).toBe('<b> &');
  expect(call('escape_decode_if_needed', 'a &amp; b')).toBe('a &amp; b');
});
