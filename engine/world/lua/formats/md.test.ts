import { describe, expect, test } from 'vitest';
import { extractMeta, extractRefs } from '../api/md.ts';
import { extractBlocks, outerBlockContent } from './md-blocks.ts';

describe('extractBlocks', () => {
  const text = 'a\n```rust\nfn main() {}\n```\nb\n````md\n```lua\nx\n```\n````\n```\nplain\n```\nc';

  test('extracts blocks with three and four backticks', () => {
    expect(extractBlocks(text)).toEqual({
      blocks: [
        { _type: 'MdBlock', lang: 'rust', content: 'fn main() {}\n' },
        { _type: 'MdBlock', lang: 'md', content: '```lua\nx\n```\n' },
        { _type: 'MdBlock', lang: '', content: 'plain\n' },
      ],
      rest: 'a\nb\nc\n',
    });
  });

  test('extracts blocks with a label, or those without one', () => {
    const { blocks, rest } = extractBlocks(text, 'rust');
    expect(blocks.map((block) => block.lang)).toEqual(['rust']);
    expect(rest).toBe('a\nb\n````md\n```lua\nx\n```\n````\n```\nplain\n```\nc\n');
    expect(extractBlocks(text, '').blocks.map((block) => block.content)).toEqual(['plain\n']);
    expect(extractBlocks(text, 'rus').blocks).toEqual([]);
  });

  test('leaves a block that is never closed in the remaining text', () => {
    expect(extractBlocks('a\n```lua\nx')).toEqual({ blocks: [], rest: 'a\n```lua\nx\n' });
    expect(extractBlocks('```lua\n```').blocks).toEqual([{ _type: 'MdBlock', lang: 'lua', content: '' }]);
  });
});

describe('outerBlockContent', () => {
  test('unwraps a response that is one block', () => {
    expect(outerBlockContent('```rust\ncontent\n```')).toBe('content\n');
    expect(outerBlockContent('\n  ```md\na\n```js\nb\n```\nc\n```\n  ')).toBe('a\n```js\nb\n```\nc\n');
    expect(outerBlockContent('```\n```')).toBe('');
  });

  test.each([
    ['````md\n```js\nb\n```\n````', '```js\nb\n```\n'],
    ['````md\na\n```js\nb\n```\nc\n````\n', 'a\n```js\nb\n```\nc\n'],
    ['\n````\n```\n```\n````\n\n', '```\n```\n'],
    ['`````md\n````md\n```\nx\n```\n````\n`````', '````md\n```\nx\n```\n````\n'],
    ['````md\r\n```js\r\nb\r\n```\r\n````', '```js\nb\n```\n'],
    // Without the outer end, and with text after it, the last line that begins with a fence is used.
    ['````md\n```js\nb\n```\n', '```js\nb\n'],
    ['````md\na\n````\nRun:\n```sh\nx\n```\nDone.', 'a\n````\nRun:\n```sh\nx\n'],
  ])('unwraps a block with a fence longer than those inside, as AIPack does: %j', (text, content) => {
    expect(outerBlockContent(text)).toBe(content);
  });

  test('leaves other text unchanged', () => {
    for (const text of ['no block', 'a\n```\nb\n```', '```\nnever closed', ' ', '']) {
      expect(outerBlockContent(text)).toBe(text);
    }
  });
});

describe('extractMeta', () => {
  test('merges marked blocks and removes them from the text', () => {
    const text = [
      'Intro',
      '```toml\n#!meta (settings)\na = 1\nb = { x = 1 }\n```',
      'Main',
      '```json\n//!meta\n{ "b": { y: 2 } } // relaxed\n```',
      '```yaml\n #!meta\nc: [1]\n```',
      '```yml\n#!meta\n```',
      'End\n',
    ].join('\n');
    expect(extractMeta(text)).toEqual({ meta: { a: 1, b: { y: 2 }, c: [1] }, rest: 'Intro\nMain\nEnd\n' });
  });

  test('ignores blocks without the mark', () => {
    const text =
      'a\n```toml\nx = 1\n```\n```python\n#!meta\n```\n````toml\n#!meta\nx = 1\n````\n```toml\n#!meta\nx = 1';
    expect(extractMeta(text)).toEqual({ meta: {}, rest: text });
  });

  test('rejects marked blocks that cannot be parsed', () => {
    expect(() => extractMeta('```toml\n#!meta\nx =\n```')).toThrow('Fail to parse toml');
    expect(() => extractMeta('```json\n#!meta\n{]\n```')).toThrow('Fail to parse json');
  });
});

describe('extractRefs', () => {
  test('finds links and images', () => {
    expect(extractRefs('See [this](https://a.b) and [docs](d/p.md)![img](i.jpg)\n[](#top) [x](//c.d/e)')).toEqual([
      { _type: 'MdRef', target: 'https://a.b', text: 'this', inline: false, kind: 'Url' },
      { _type: 'MdRef', target: 'd/p.md', text: 'docs', inline: false, kind: 'File' },
      { _type: 'MdRef', target: 'i.jpg', text: 'img', inline: true, kind: 'File' },
      { _type: 'MdRef', target: '#top', inline: false, kind: 'Anchor' },
      { _type: 'MdRef', target: '//c.d/e', text: 'x', inline: false, kind: 'Url' },
    ]);
  });

  test('skips code', () => {
    const text = '`[a](b)` [c](d)\n```\n[e](f)\n```\n````\n```\n[g](h)\n````\n[i](j)';
    expect(extractRefs(text).map((ref) => ref.target)).toEqual(['d', 'j']);
  });

  test('skips brackets that are not references', () => {
    expect(extractRefs('[a] (b) [c]() [d](e [f]\n[g][h](i) [')).toEqual([
      expect.objectContaining({ text: 'h', target: 'i' }),
    ]);
  });

  test('stays fast on hostile text', () => {
    for (const part of ['[', '[](', '![', '`[', '[]']) expect(extractRefs(part.repeat(200_000))).toEqual([]);
    expect(extractRefs('[a](b)'.repeat(200_000))).toHaveLength(200_000);
  });
});
