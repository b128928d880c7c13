import { describe, expect, test } from 'vitest';
import { isPlainKey, type KeyPress, matchesShortcut, printShortcut, shortcutOf } from './shortcut.ts';

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  return { key, code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held };
}

test('Mod is Ctrl here and Cmd on a Mac', () => {
  const ctrl = press('Enter', { ctrlKey: true });
  const cmd = press('Enter', { metaKey: true });
  expect([false, true].map((isMac) => [ctrl, cmd].map((key) => matchesShortcut(key, 'Mod+Enter', isMac)))).toEqual([
    [true, false],
    [false, true],
  ]);
});

test('a shortcut with other modifiers does not match', () => {
  const b = press('b', { ctrlKey: true });
  expect(matchesShortcut(b, 'Mod+B', false)).toBe(true);
  expect(matchesShortcut({ ...b, altKey: true }, 'Mod+B', false)).toBe(false);
  expect(matchesShortcut({ ...b, altKey: true }, 'Mod+Alt+B', false)).toBe(true);
  expect(matchesShortcut({ ...b, shiftKey: true }, 'Mod+B', false)).toBe(false);
});

test('a letter is matched by its physical key if the layout or Alt produces another character', () => {
  const alt = press('∫', { code: 'KeyB', metaKey: true, altKey: true });
  const cyrillic = press('и', { code: 'KeyB', ctrlKey: true });
  const dvorak = press('n', { code: 'KeyL', ctrlKey: true });
  expect(matchesShortcut(alt, 'Mod+Alt+B', true)).toBe(true);
  expect(matchesShortcut(cyrillic, 'Mod+B', false)).toBe(true);
  expect(matchesShortcut(dvorak, 'Mod+L', false)).toBe(false);
});

test('a symbol matches with and without Shift', () => {
  expect(matchesShortcut(press('?', { shiftKey: true }), '?', false)).toBe(true);
  expect(matchesShortcut(press('?'), '?', false)).toBe(true);
  expect(isPlainKey('?')).toBe(true);
  expect(isPlainKey('F')).toBe(true);
  expect(['Mod+B', 'F4', 'Shift+F6'].map(isPlainKey)).toEqual([false, false, false]);
});

test('shortcuts are printed in the style of the operating system', () => {
  expect(['Mod+Enter', 'Mod+Alt+B', 'Ctrl+Tab'].map((text) => printShortcut(text, false))).toEqual([
    'Ctrl ⏎',
    'Ctrl Alt B',
    'Ctrl Tab',
  ]);
  expect(['Mod+Enter', 'Mod+Alt+B', 'Ctrl+Tab'].map((text) => printShortcut(text, true))).toEqual([
    '⌘⏎',
    '⌥⌘B',
    '⌃Tab',
  ]);
});

describe('choosing keys', () => {
  const press = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

  test.each([
    [{ ...press, key: 's', code: 'KeyS', ctrlKey: true }, 'Mod+S'],
    [{ ...press, key: 'S', code: 'KeyS', ctrlKey: true, shiftKey: true }, 'Mod+Shift+S'],
    [{ ...press, key: '?', code: 'Slash', shiftKey: true }, '?'],
    [{ ...press, key: 'ы', code: 'KeyS', altKey: true }, 'Alt+S'],
    [{ ...press, key: 'F9', code: 'F9' }, 'F9'],
    [{ ...press, key: 'Control', code: 'ControlLeft', ctrlKey: true }, null],
  ])('%j is %s', (event, expected) => {
    const keys = shortcutOf(event, false);
    expect(keys).toBe(expected);
    if (keys !== null) expect(matchesShortcut(event, keys, false)).toBe(true);
  });
});
