/**
 * The colors and fonts of painted cards and edges, read from the style tokens used by all styles.
 */
import { type TileCategory, tileColor } from '../ui/node-tile.tsx';
import type { VisualState } from '../ui/state-icon.tsx';
import type { Letters } from './text-wrap.ts';

/** The role of a mark on a card. The theme assigns a color to each. */
export type MarkRole =
  | 'canvas'
  | 'card'
  | 'line'
  | 'control'
  | 'port'
  | 'failure'
  | 'hairline'
  | 'inset'
  | 'select'
  | 'text'
  | 'textTwo'
  | 'textThree'
  | 'glyph'
  | 'tile'
  | 'state';

/** The colors and fonts used for painting. */
export interface PaintTokens extends Readonly<Record<Exclude<MarkRole, 'tile' | 'state'>, string>> {
  readonly edge: string;
  readonly edgeTaken: string;
  readonly edgeLive: string;
  readonly font: string;
  readonly mono: string;
  readonly tiles: ReadonlyMap<TileCategory, string>;
  readonly states: Readonly<Record<VisualState, string>>;
}

/** Returns the color of a role on a card of this category in this state. */
export function colorOf(
  role: MarkRole,
  { category, state }: { readonly category: TileCategory; readonly state: VisualState },
  tokens: PaintTokens,
): string {
  if (role === 'tile') return tokens.tiles.get(category) ?? tokens.edge;
  return role === 'state' ? tokens.states[state] : tokens[role];
}

/** Returns the CSS font for a text style. */
export function fontOf(letters: Letters, { font, mono }: Pick<PaintTokens, 'font' | 'mono'>): string {
  switch (letters) {
    case 'title':
      return `500 13px ${font}`;
    case 'titleMiddle':
      return `500 21px ${font}`;
    case 'typeMiddle':
      return `17px ${font}`;
    case 'titleFar':
      return `500 26px ${font}`;
    case 'body':
      return `12px ${font}`;
    case 'meta':
      return `500 11px ${font}`;
    case 'mono':
      return `11px ${mono}`;
  }
}

const categories: readonly TileCategory[] = ['agent', 'model', 'logic', 'loop', 'file', 'net', 'text', 'human', 'flow'];

/** Reads the tokens of an element in the current theme. */
export function readTokens(element: Element): PaintTokens {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  const run = read('--state-run');
  const ok = read('--state-ok');
  const fail = read('--state-fail');
  const wait = read('--state-wait');
  const pause = read('--state-pause');
  const quiet = read('--state-quiet');
  return {
    canvas: read('--canvas'),
    card: read('--card'),
    line: read('--line-strong'),
    control: read('--line-control'),
    text: read('--text-1'),
    select: read('--select'),
    textTwo: read('--text-2'),
    textThree: read('--text-3'),
    hairline: read('--line'),
    inset: read('--inset'),
    port: read('--line-control'),
    failure: fail,
    glyph: read('--tile-glyph'),
    edge: read('--edge'),
    edgeTaken: read('--text-2'),
    edgeLive: run,
    font: read('--font-ui'),
    mono: read('--font-mono'),
    tiles: new Map(categories.map((category) => [category, read(tileColor(category).slice('var('.length, -1))])),
    states: {
      idle: read('--text-3'),
      queued: quiet,
      running: run,
      retrying: run,
      suspended: wait,
      pausing: pause,
      paused: pause,
      completed: ok,
      reused: ok,
      pinned: pause,
      changed: pause,
      failed: fail,
      tolerated: fail,
      skipped: quiet,
      cancelled: quiet,
      cancelling: quiet,
      disabled: quiet,
      invalid: fail,
      interrupted: wait,
      stale: wait,
    },
  };
}
