/** Checks the contrast of the style tokens according to WCAG 2. */
import { expect, test } from 'vitest';
import highContrast from './high-contrast.css?raw';
import usual from './tokens.css?raw';

const table = usual + highContrast;

/** Returns the tokens of all blocks with exactly this selector. */
function block(selector: string): Map<string, string> {
  const found = table.split('\n}').filter((part) => part.trimEnd().includes(`${selector} {`));
  expect(found, selector).not.toHaveLength(0);
  const tokens = found.flatMap((part) => [...part.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)]);
  return new Map(tokens.map(([, name = '', value = '']) => [name, value]));
}

const light = block('[data-theme="light"]');
const dark = new Map([...light, ...block('[data-theme="dark"]')]);
const looks = [
  ['light', light, { text: 4.5, line: 3 }],
  ['dark', dark, { text: 4.5, line: 3 }],
  [
    'light, high contrast',
    new Map([...light, ...block('[data-theme="light"][data-contrast="high"]')]),
    { text: 7, line: 4.5 },
  ],
  [
    'dark, high contrast',
    new Map([...dark, ...block('[data-theme="dark"][data-contrast="high"]')]),
    { text: 7, line: 4.5 },
  ],
] as const;

const grounds = ['app', 'canvas', 'panel', 'card', 'inset'];
const states = ['run', 'ok', 'wait', 'fail', 'pause', 'quiet'].map((state) => `state-${state}`);
const syntax = ['key', 'str', 'num', 'com', 'fn', 'head', 'bind'].map((part) => `syn-${part}`);
const tiles = ['agent', 'model', 'logic', 'loop', 'file', 'net', 'text', 'human', 'flow'].map((tile) => `tile-${tile}`);

type Color = readonly [red: number, green: number, blue: number];

function colorOf(tokens: ReadonlyMap<string, string>, name: string): Color {
  const value = tokens.get(name);
  if (value === undefined) throw new Error(`No --${name}`);
  const part = (start: number): number => Number.parseInt(value.slice(start, start + 2), 16) / 255;
  return [part(1), part(3), part(5)];
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrast(a: Color, b: Color): number {
  const [bright = 0, dim = 0] = [luminance(a), luminance(b)].sort((one, other) => other - one);
  return (bright + 0.05) / (dim + 0.05);
}

/** Returns the color that results from mixing `part` of one color over another. */
function tint(part: number, [red, green, blue]: Color, ground: Color): Color {
  const mix = (over: number, under: number): number => over * part + under * (1 - part);
  return [mix(red, ground[0]), mix(green, ground[1]), mix(blue, ground[2])];
}

/** Returns the pairs with a contrast below `least`, with their contrast. */
function tooWeak(
  tokens: ReadonlyMap<string, string>,
  pairs: readonly (readonly [string, string])[],
  least: number,
): string[] {
  return pairs.flatMap(([name, ground]) => {
    const reached = contrast(colorOf(tokens, name), colorOf(tokens, ground));
    return reached >= least ? [] : [`--${name} on --${ground}: ${reached.toFixed(2)}`];
  });
}

function pairsOf(names: readonly string[], on: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((name) => on.map((ground) => [name, ground] as const));
}

test.each(looks)('text is readable: %s', (_, tokens, { text }) => {
  const texts = pairsOf(['text-1', 'text-2', 'text-3', ...states], grounds);
  const code = pairsOf(syntax, ['panel', 'inset']);
  const marked = pairsOf(['text-1', 'text-2'], ['hover', 'active', 'seg-on']);
  const inverse = [['on-inverse', 'inverse'] as const];
  expect(tooWeak(tokens, [...texts, ...code, ...marked, ...inverse], text)).toEqual([]);
});

test.each(looks)('states are readable on their own tint: %s', (_, tokens, { text }) => {
  const card = colorOf(tokens, 'card');
  const reached = states.map((state) => {
    const color = colorOf(tokens, state);
    return [state, contrast(color, tint(0.12, color, card))] as const;
  });
  expect(reached.filter(([, value]) => value < text)).toEqual([]);
});

test.each(looks)('meaningful lines are visible: %s', (_, tokens, { line }) => {
  const decorating = line > 3 ? ['line', 'line-strong', 'field-line'] : [];
  const lines = [...pairsOf(['select', 'line-control', ...decorating], grounds), ['edge', 'canvas'] as const];
  expect(tooWeak(tokens, lines, line)).toEqual([]);
});

test.each(looks)('tiles are visible, and so are their icons: %s', (_, tokens) => {
  const pairs = tiles.flatMap((tile) => [['tile-glyph', tile] as const, [tile, 'card'] as const]);
  expect(tooWeak(tokens, pairs, 4.5)).toEqual([]);
});

test('a cancellation has the muted color, and only failures and invalid elements have the failure color', () => {
  const rules = [...usual.matchAll(/([^{}]*)\{\s*--state-color: var\(--state-(\w+)\);\s*\}/g)];
  const statesOf = (color: string): string[] =>
    rules
      .filter(([, , name]) => name === color)
      .flatMap(([, selector = '']) => [...selector.matchAll(/data-state="(\w+)"/g)].map(([, state = '']) => state));
  expect(statesOf('quiet')).toEqual(expect.arrayContaining(['cancelled', 'cancelling']));
  expect(statesOf('fail')).toEqual(['failed', 'tolerated', 'invalid']);
});
