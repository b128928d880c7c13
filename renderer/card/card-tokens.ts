/**
 * The colours and letters of the overview, read from the token table that all styles use.
 */
import { type TileCategory, tileColor } from '../ui/node-tile.tsx';
import type { VisualState } from '../ui/state-icon.tsx';

export interface PaintTokens {
  readonly canvas: string;
  readonly card: string;
  readonly line: string;
  readonly control: string;
  readonly text: string;
  readonly select: string;
  readonly edge: string;
  readonly edgeTaken: string;
  readonly edgeLive: string;
  readonly font: string;
  readonly tiles: ReadonlyMap<TileCategory, string>;
  readonly states: Readonly<Record<VisualState, string>>;
}

const categories: readonly TileCategory[] = ['agent', 'model', 'logic', 'loop', 'file', 'net', 'text', 'human', 'flow'];

/** Reads the tokens as they are for this element, in the theme of the moment. */
export function readTokens(element: Element): PaintTokens {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  const run = read('--state-run');
  const ok = read('--state-ok');
  const fail = read('--state-fail');
  const wait = read('--state-wait');
  const quiet = read('--state-quiet');
  return {
    canvas: read('--canvas'),
    card: read('--card'),
    line: read('--line-strong'),
    control: read('--line-control'),
    text: read('--text-1'),
    select: read('--select'),
    edge: read('--edge'),
    edgeTaken: read('--text-2'),
    edgeLive: run,
    font: read('--font-ui'),
    tiles: new Map(categories.map((category) => [category, read(tileColor(category).slice('var('.length, -1))])),
    states: {
      idle: read('--text-3'),
      queued: quiet,
      running: run,
      retrying: run,
      suspended: wait,
      completed: ok,
      reused: ok,
      failed: fail,
      tolerated: fail,
      skipped: quiet,
      cancelled: quiet,
      cancelling: quiet,
      disabled: quiet,
      invalid: fail,
      interrupted: wait,
    },
  };
}
