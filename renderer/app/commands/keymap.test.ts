import { describe, expect, test } from 'vitest';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { isTextKey, keyConflicts, keysOf } from './keymap.ts';

const save: Command = { id: 'save', title: 'Save', group: 'Files', shortcut: 'Mod+S', run: () => undefined };
const find: Command = { ...save, id: 'find', shortcut: 'Mod+F', aliases: ['F3'] };

describe('keys of commands', () => {
  test('a custom shortcut replaces all default ones, and null removes them', () => {
    expect(keysOf(find, {})).toEqual(['Mod+F', 'F3']);
    expect(keysOf(find, { find: 'Mod+E' })).toEqual(['Mod+E']);
    expect(keysOf(find, { find: null })).toEqual([]);
  });

  test('reports commands that share keys', () => {
    expect(keyConflicts([save, find], { find: 'Mod+S' })).toEqual(new Map([['Mod+S', ['save', 'find']]]));
  });

  test('no two commands share default keys', () => {
    expect(keyConflicts(commands, {})).toEqual(new Map());
  });
});

describe('isTextKey', () => {
  test.each(['Mod+F', 'Mod+Z', 'Mod+/', 'Alt+ArrowUp'])('%s belongs to the text editor', (keys) => {
    expect(isTextKey(keys)).toBe(true);
  });

  test.each(['Mod+Enter', 'Mod+S', 'Mod+P', 'Mod+W', 'Mod+Shift+M'])('%s belongs to the window', (keys) => {
    expect(isTextKey(keys)).toBe(false);
  });
});
