import { describe, expect, test } from 'vitest';
import { textTheme } from './text-theme.ts';

/** A token table in which each token has a different color. */
function createTokens() {
  const colors = new Map<string, string>();
  return {
    colors,
    read(name: string): string {
      const color = colors.get(name) ?? `#${(0x10_0000 + colors.size).toString(16)}`;
      colors.set(name, color);
      return color;
    },
  };
}

describe.each([
  ['light', 'vs'],
  ['dark', 'vs-dark'],
] as const)('the %s theme', (name, base) => {
  const tokens = createTokens();
  const theme = textTheme(name, tokens.read);

  test('uses tokens, in the formats that Monaco accepts', () => {
    expect(theme.base).toBe(base);
    for (const color of Object.values(theme.colors)) expect(color).toMatch(/^#[0-9a-f]{6}([0-9a-f]{2})?$/);
    for (const { foreground } of theme.rules) expect(foreground).toMatch(/^[0-9a-f]{6}$/);
  });

  test('has the background and text color of the panels', () => {
    expect(theme.colors['editor.background']).toBe(tokens.colors.get('--panel'));
    expect(theme.rules[0]).toEqual({ token: '', foreground: tokens.colors.get('--text-1')?.slice(1) });
  });
});

test('expands colors that the built style sheet has shortened', () => {
  const theme = textTheme('light', () => '#fa0');
  expect(theme.colors['editor.background']).toBe('#ffaa00');
  expect(theme.colors['editor.selectionBackground']).toBe('#ffaa0040');
});
