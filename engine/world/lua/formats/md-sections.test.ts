import { describe, expect, test } from 'vitest';
import { mdSections, mdSplitFirst } from './md-sections.ts';

const doc = `Early
# One

text 1

## One A

text 1a

# Two
\`\`\`md
# no heading
\`\`\`
####### neither
#tag
# Three
`;

describe('mdSections', () => {
  test('splits at every heading outside of fences', () => {
    const sections = mdSections(doc);
    expect(sections.map((one) => one.heading_content)).toEqual(['', '# One', '## One A', '# Two', '# Three']);
    expect(sections.map((one) => one.heading_level)).toEqual([0, 1, 2, 1, 1]);
    expect(sections[0]?.content).toBe('Early\n');
    expect(sections[1]).toEqual({
      _type: 'MdSection',
      content: '\ntext 1\n\n',
      heading_raw: '# One\n',
      heading_content: '# One',
      heading_level: 1,
      heading_name: 'One',
    });
    expect(sections[3]?.content).toBe('```md\n# no heading\n```\n####### neither\n#tag\n');
    expect(sections[4]?.content).toBe('');
  });

  test('returns the requested sections with their subsections', () => {
    const [one, ...others] = mdSections(doc, ['# One']);
    expect(others).toEqual([]);
    expect(one?.content).toBe('\ntext 1\n\n## One A\n\ntext 1a\n\n');
  });

  test('finds adjacent sections that were both requested', () => {
    expect(mdSections(doc, ['# Two', '# One', '# Three']).map((one) => one.heading_name)).toEqual([
      'One',
      'Two',
      'Three',
    ]);
    expect(mdSections('## A\na\n## B\nb\n## A\nagain', ['## A', '## B']).map((one) => one.content)).toEqual([
      'a\n',
      'b\n',
      'again\n',
    ]);
  });

  test('compares level and name exactly', () => {
    expect(mdSections(doc, ['## One'])).toEqual([]);
    expect(mdSections(doc, ['# one'])).toEqual([]);
    expect(mdSections(doc, ['#   One  ']).map((one) => one.heading_raw)).toEqual(['# One\n']);
  });

  test('an empty heading selects the text before the first heading', () => {
    expect(mdSections(doc, ['']).map((one) => one.content)).toEqual(['Early\n']);
    expect(mdSections('# A\ntext', [''])).toEqual([]);
  });

  test('rejects text that is not a heading', () => {
    expect(() => mdSections(doc, ['Intro'])).toThrow("ref 'Intro' is not a valid markdown heading");
    expect(() => mdSections(doc, ['#Intro'])).toThrow('not a valid markdown heading');
  });

  test('supports Windows line ends', () => {
    expect(mdSections('# A\r\nx\r\n').map((one) => [one.heading_raw, one.content])).toEqual([['# A\n', 'x\n']]);
  });
});

describe('mdSplitFirst', () => {
  test('splits after the first section', () => {
    expect(mdSplitFirst('# A\na\n## B\r\nb')).toEqual({
      before: '',
      first: expect.objectContaining({ heading_name: 'A', content: 'a\n' }),
      after: '## B\r\nb',
    });
  });

  test('treats text before the first heading as the first section', () => {
    const { before, first, after } = mdSplitFirst('early\n# A\n');
    expect([before, first?.content, first?.heading_level, after]).toEqual(['', 'early\n', 0, '# A\n']);
  });

  test('returns nothing for an empty text', () => {
    expect(mdSplitFirst('')).toEqual({ before: '', after: '' });
  });
});
