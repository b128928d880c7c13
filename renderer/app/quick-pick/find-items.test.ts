import { describe, expect, test } from 'vitest';
import { type FoundItem, fileItem, findItems } from './find-items.ts';

function titles(items: readonly FoundItem[]): string[] {
  return items.map(({ title }) => title);
}

describe('finding by name', () => {
  const items = [
    fileItem('flows/release-notes.flow.yaml', false),
    fileItem('flows/triage.flow.yaml', true),
    fileItem('notes/release.md', false),
  ];

  test('without a query those used lately come first', () => {
    expect(titles(findItems(items, ' '))[0]).toBe('triage.flow.yaml');
  });

  test('letters of a name find it', () => {
    expect(titles(findItems(items, 'release')).sort()).toEqual(['release-notes.flow.yaml', 'release.md']);
    expect(titles(findItems(items, 'rnf'))[0]).toBe('release-notes.flow.yaml');
  });

  test('folders count as well, and what has none of the letters is left out', () => {
    expect(titles(findItems(items, 'notes/rel'))[0]).toBe('release.md');
    expect(findItems(items, 'zzz')).toEqual([]);
  });

  test('a command is found by further words, behind those that have the word in their title', () => {
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

  test('of very many files the list stays short', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => fileItem(`notes/${index}.md`, false));
    expect(findItems(many, 'md')).toHaveLength(60);
  });
});
