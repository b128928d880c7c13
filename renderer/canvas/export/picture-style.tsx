/**
 * What a picture of a flow takes from the page: colours of the theme of the moment, letters and glyphs.
 */
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { LayoutColor } from '../../../engine/isomorphic.ts';
import { fontOf, type PaintTokens, readTokens } from '../../card/card-tokens.ts';
import type { MeasureText } from '../../card/text-wrap.ts';
import { NodeTile, type TileCategory, type TileIcon } from '../../ui/node-tile.tsx';
import { StateIcon, type VisualState } from '../../ui/state-icon.tsx';

export interface PictureStyle extends PaintTokens {
  /** Whether what did not run steps back; not in high contrast. */
  readonly isFading: boolean;
  readonly paper: Readonly<Record<LayoutColor, string>>;
  readonly measure: MeasureText;
  /** Markup of an SVG of 14 pixels that draws in the colour around it. */
  glyphOf(category: TileCategory, icon: TileIcon): string;
  /** The same; empty for a state without an icon. */
  iconOf(state: VisualState): string;
}

/** Reads the style of an element. @throws Error where nothing can be drawn */
export function readPictureStyle(element: Element): PictureStyle {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  const tokens = readTokens(element);
  const icons = new Map<string, string>();
  const once = (key: string, make: () => React.ReactNode): string => {
    const known = icons.get(key) ?? svgOf(make());
    icons.set(key, known);
    return known;
  };
  return {
    ...tokens,
    isFading: document.documentElement.dataset['contrast'] !== 'high',
    paper: {
      grey: read('--tile-flow'),
      blue: read('--tile-net'),
      green: read('--tile-file'),
      amber: read('--sheet-amber'),
      red: read('--state-fail'),
      violet: read('--tile-model'),
    },
    measure: createMeasure(tokens),
    glyphOf: (category, icon) => once(`tile ${icon}`, () => <NodeTile category={category} icon={icon} />),
    iconOf: (state) => once(`state ${state}`, () => <StateIcon state={state} isDecorative />),
  };
}

function createMeasure(tokens: PaintTokens): MeasureText {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) throw new Error('Text cannot be measured here');
  return (text, letters) => {
    context.font = fontOf(letters, tokens);
    return context.measureText(text).width;
  };
}

/** The SVG in what React draws. */
function svgOf(drawn: React.ReactNode): string {
  const host = document.createElement('div');
  const root = createRoot(host);
  flushSync(() => root.render(drawn));
  const markup = host.querySelector('svg')?.outerHTML ?? '';
  root.unmount();
  return markup;
}

/** The three parts of `#rrggbb` or `#rgb`; null for a colour that is written otherwise. */
function partsOf(color: string): readonly number[] | null {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color);
  const full =
    short === null
      ? color
      : `#${short
          .slice(1)
          .map((digit) => digit + digit)
          .join('')}`;
  const parts = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(full)?.slice(1);
  return parts?.map((part) => Number.parseInt(part, 16)) ?? null;
}

/** So much of the one over the other, as programs understand it that know no `color-mix`; `over` where it cannot be told. */
export function mixColors(over: string, under: string, part: number): string {
  const [top, ground] = [partsOf(over), partsOf(under)];
  if (top === null || ground === null) return over;
  const mixed = top.map((value, index) => Math.round(value * part + (ground[index] ?? 0) * (1 - part)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
