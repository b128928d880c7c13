import { describe, expect, test } from 'vitest';
import { isTextKey } from './text-keys.ts';

describe('isTextKey', () => {
  test.each(['Mod+F', 'Mod+Z', 'Mod+/', 'Alt+ArrowUp'])('%s belongs to the text', (keys) => {
    expect(isTextKey(keys)).toBe(true);
  });

  test.each(['Mod+Enter', 'Mod+S', 'Mod+P', 'Mod+W', 'Mod+Shift+M'])('%s belongs to the window', (keys) => {
    expect(isTextKey(keys)).toBe(false);
  });
});
