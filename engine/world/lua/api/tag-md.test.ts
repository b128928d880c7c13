import { describe, expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import { mdApi } from './md.ts';
import { tagApi } from './tag.ts';

describe('aip.tag', () => {
  const call = apiCaller(tagApi);
  const text = 'Prefix <A file=readme.md>one</A> middle <B>two</B> suffix <A>three</A>';

  test('returns elements as a list, and the remaining text only on request', () => {
    expect(call.all('extract', text, [' A ', 'B'])).toEqual([
      [
        { tag: 'A', attrs: { file: 'readme.md' }, content: 'one' },
        { tag: 'B', content: 'two' },
        { tag: 'A', content: 'three' },
      ],
    ]);
    expect(call.all('extract', text, 'B', { extrude: 'content' })[1]).toBe(
      'Prefix <A file=readme.md>one</A> middle  suffix <A>three</A>',
    );
  });

  test('returns elements by name', () => {
    expect(call('extract_as_map', text, ['A', 'B'])).toEqual({
      A: { tag: 'A', content: 'three' },
      B: { tag: 'B', content: 'two' },
    });
    expect(call.all('extract_as_multi_map', text, 'A', { extrude: 'content' })).toEqual([
      {
        A: [
          { tag: 'A', attrs: { file: 'readme.md' }, content: 'one' },
          { tag: 'A', content: 'three' },
        ],
      },
      'Prefix  middle <B>two</B> suffix ',
    ]);
  });

  test('rejects invalid names', () => {
    expect(() => call('extract', text)).toThrow('aip.tag.extract requires tag_names');
    expect(() => call('extract', text, [])).toThrow('tag_names list must not be empty');
    expect(() => call('extract', text, ['A', ' '])).toThrow('cannot contain empty entries');
    expect(() => call('extract', text, 1)).toThrow(
      'aip.tag.extract tag_names - Expected a string or a list of strings',
    );
    expect(() => call('extract', text, ['A', 1])).toThrow('Table contains non-string values');
    expect(() => call('extract', undefined, 'A')).toThrow('bad argument #1');
  });
});

describe('aip.md', () => {
  const call = apiCaller(mdApi);
  const text = 'a\n```lua\nx\n```\nb\n```\ny\n```\n';

  test('extracts code blocks', () => {
    expect(call.all('extract_blocks', text)).toEqual([
      [
        { _type: 'MdBlock', lang: 'lua', content: 'x\n' },
        { _type: 'MdBlock', lang: '', content: 'y\n' },
      ],
    ]);
    expect(call('extract_blocks', text, '')).toEqual([{ _type: 'MdBlock', lang: '', content: 'y\n' }]);
    expect(call.all('extract_blocks', text, { lang: 'lua', extrude: 'content' })).toEqual([
      [{ _type: 'MdBlock', lang: 'lua', content: 'x\n' }],
      'a\nb\n```\ny\n```\n',
    ]);
    expect(() => call('extract_blocks', text, 5)).toThrow('the options must be a table');
  });

  test('extracts metadata', () => {
    expect(call.all('extract_meta', 'a\n```toml\n#!meta\nx = 1\n```\nb')).toEqual([{ x: 1 }, 'a\nb']);
    expect(call('extract_meta', undefined)).toBeUndefined();
  });

  test('unwraps the outer code block', () => {
    expect(call('outer_block_content_or_raw', '```md\nx\n```')).toBe('x\n');
    expect(() => call('outer_block_content_or_raw', undefined)).toThrow('bad argument #1');
  });

  test('extracts links and images', () => {
    expect(call('extract_refs', '![a](b)')).toEqual([
      { _type: 'MdRef', target: 'b', text: 'a', inline: true, kind: 'File' },
    ]);
    expect(call('extract_refs', undefined)).toEqual([]);
  });
});
