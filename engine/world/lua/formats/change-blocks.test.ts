import { describe, expect, test } from 'vitest';
import { applyChangeBlocks } from './change-blocks.ts';

function block(search: string, replace: string): string {
  const lines = (text: string) => (text === '' ? '' : `${text}\n`);
  return `<<<<<<< SEARCH\n${lines(search)}=======\n${lines(replace)}>>>>>>> REPLACE\n`;
}

describe('applyChangeBlocks', () => {
  test('replaces the first occurrence of each block in order', () => {
    const { content, info } = applyChangeBlocks('a\nb\na\n', `${block('a', 'x')}\n${block('x\nb', 'y')}`);
    expect(content).toBe('y\na\n');
    expect(info).toEqual({ changed_count: 2 });
  });

  test('removes a line that has an empty replacement', () => {
    expect(applyChangeBlocks('a\nb\nc\n', block('b', '')).content).toBe('a\nc\n');
    expect(applyChangeBlocks('a\nb', block('b', '')).content).toBe('a\n');
    expect(applyChangeBlocks('one two', block(' two', '')).content).toBe('one');
  });

  test('reports blocks that were not found and applies the others', () => {
    const { content, info } = applyChangeBlocks('a\n', block('z', 'q') + block('a', 'b'));
    expect(content).toBe('b\n');
    expect(info).toEqual({
      changed_count: 1,
      failed_changes: [{ search: 'z', replace: 'q', reason: expect.stringContaining('not found') }],
    });
  });

  test.each([
    ['abc', [block('', 'X')], 'Xabc'],
    ['abc def', ['<<<<<<< SEARCH\n=======\nX-\n>>>>>>> REPLACE\n'], 'X-abc def'],
    ['a\nb\n', [block('', 'c')], 'ca\nb\n'],
    ['a\nb\n', [block('', 'c\n')], 'c\na\nb\n'],
    ['a\r\nb\r\n', [block('', 'c')], 'ca\r\nb\r\n'],
    ['', [block('', 'c')], 'c'],
    ['a\n', [block('', '')], 'a\n'],
    ['a\n', [block('', 'c'), block('ca', 'd')], 'd\n'],
    ['a\n', [block('', '1'), block('', '2')], '21a\n'],
  ])('inserts the replacement of an empty search at the start of %j, as AIPack does', (text, blocks, content) => {
    expect(applyChangeBlocks(text, blocks.join(''))).toEqual({ content, info: { changed_count: blocks.length } });
  });

  test('converts Windows line ends only if the search requires it', () => {
    expect(applyChangeBlocks('a\r\nb\r\nc\r\n', block('a\nb', 'x')).content).toBe('x\nc\n');
    expect(applyChangeBlocks('a\r\nb\r\nc\r\n', block('b', 'x')).content).toBe('a\r\nx\r\nc\r\n');
    expect(applyChangeBlocks('a\r\nb\r\n', block('a', '')).content).toBe('b\r\n');
  });

  test('uses a text without blocks as the whole content', () => {
    expect(applyChangeBlocks('old', 'new\n')).toEqual({ content: 'new\n', info: { changed_count: 1 } });
  });

  test('does not interpret special characters in replacements', () => {
    expect(applyChangeBlocks('a', block('a', "$& $' $1")).content).toBe("$& $' $1");
  });

  test('rejects text outside of blocks', () => {
    expect(() => applyChangeBlocks('a', `Here you are:\n${block('a', 'b')}`)).toThrow('outside of SEARCH');
  });

  test('rejects a block without an end', () => {
    expect(() => applyChangeBlocks('a', '<<<<<<< SEARCH\na\n=======\nb\n')).toThrow('does not end with');
  });
});
