import { describe, expect, test } from 'vitest';
import { type FoundItem, fileItem, findItems } from './find-items.ts';

function titles(items: readonly FoundItem[]): string[] {
  return items.map(({ title }) => title);
}

describe('findItems', () => {
  const items = [
    fileItem('flows/release-notes.flow.yaml', false),
    fileItem('flows/triage.flow.yaml', true),
    fileItem('notes/release.md', false),
  ];

  test('lists recently used items first without a query', () => {
    expect(titles(findItems(items, ' '))[0]).toBe('triage.flow.yaml');
  });

  test('finds a name by some of its letters', () => {
    expect(titles(findItems(items, 'release')).sort()).toEqual(['release-notes.flow.yaml', 'release.md']);
    expect(titles(findItems(items, 'rnf'))[0]).toBe('release-notes.flow.yaml');
  });

  test('finds a node by its name and its file, in any order', () => {
    const each: FoundItem = {
      id: 'n',
      kind: 'node',
      title: 'each',
      detail: 'control.foreach',
      words: 'orders.flow.yaml',
    };
    for (const query of ['orders each', 'each orders'])
      expect(titles(findItems([...items, each], query))).toEqual(['each']);
    expect(findItems([...items, each], 'each zzz')).toEqual([]);
  });

  test('matches folders, and omits items without a match', () => {
    expect(titles(findItems(items, 'notes/rel'))[0]).toBe('release.md');
    expect(findItems(items, 'zzz')).toEqual([]);
  });

  test('finds a command by its keywords, after those that have the word in their title', () => {
    const command = (title: string, words?: string): FoundItem => ({
      id: title,
      kind: 'command',
      title,
      detail: 'Run',
      words,
    });
    const all = [
      command('Save the canvas as a picture (PNG)…', 'export image'),
      command('Export the shown run…'),
      command('Run'),
    ];
    expect(titles(findItems(all, 'export'))).toEqual(['Export the shown run…', 'Save the canvas as a picture (PNG)…']);
  });

  test('keeps the list short for a very large number of files', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => fileItem(`notes/${index}.md`, false));
    expect(findItems(many, 'md')).toHaveLength(60);
  });
});
