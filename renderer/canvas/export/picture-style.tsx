/**
 * Reads the styles for a picture of a flow from the page: colors of the current theme, fonts and icons.
 */
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { type LayoutColor, type TriggerDoc, triggerKindOf } from '../../../engine/isomorphic.ts';
import { fontOf, type PaintTokens, readTokens } from '../../card/card-tokens.ts';
import type { MeasureText } from '../../card/text-wrap.ts';
import { TriggerTile } from '../../card/trigger/trigger-tile.tsx';
import { NodeTile, type TileCategory, type TileIcon } from '../../ui/node-tile.tsx';
import { StateIcon, type VisualState } from '../../ui/state-icon.tsx';

export interface PictureStyle extends PaintTokens {
  /** Whether nodes that did not run are faded. False in high contrast. */
  readonly isFading: boolean;
  readonly paper: Readonly<Record<LayoutColor, string>>;
  readonly measure: MeasureText;
  /** Returns the markup of a 14-pixel SVG that uses the surrounding color. */
  glyphOf(category: TileCategory, icon: TileIcon): string;
  /** Returns the markup of the icon of a trigger, like `glyphOf`. */
  triggerGlyphOf(trigger: TriggerDoc): string;
  /** Returns the markup of the icon for a state. Empty if the state has no icon. */
  iconOf(state: VisualState): string;
}

/** Reads the style of an element. @throws Error if drawing is not possible */
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
    glyphOf: (category, icon) => once(`tile:${icon}`, () => <NodeTile category={category} icon={icon} />),
    triggerGlyphOf: (trigger) => once(`trigger:${triggerKindOf(trigger)}`, () => <TriggerTile trigger={trigger} />),
    iconOf: (state) => once(`state:${state}`, () => <StateIcon state={state} isDecorative />),
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

/** Returns the SVG markup that React renders. */
function svgOf(drawn: React.ReactNode): string {
  const host = document.createElement('div');
  const root = createRoot(host);
  flushSync(() => root.render(drawn));
  const markup = host.querySelector('svg')?.outerHTML ?? '';
  root.unmount();
  return markup;
}

/** Returns the three components of `#rrggbb` or `#rgb`. Null for a color in another notation. */
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

/**
 * Mixes one color over another into a form that works in programs without `color-mix`. Returns `over` if a color cannot
 * be parsed.
 */
export function mixColors(over: string, under: string, part: number): string {
  const [top, ground] = [partsOf(over), partsOf(under)];
  if (top === null || ground === null) return over;
  const mixed = top.map((value, index) => Math.round(value * part + (ground[index] ?? 0) * (1 - part)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
