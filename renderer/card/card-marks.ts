/**
 * The primitives that every painter of cards knows: boxes, outlines, texts, icons, dots and rings, each with a role instead
 * of a colour. All places are pixels from the card's top left corner.
 */
import type { TileCategory, TileIcon } from '../ui/node-tile.tsx';
import type { VisualState } from '../ui/state-icon.tsx';
import type { MarkRole } from './card-tokens.ts';
import type { Letters } from './text-wrap.ts';

interface MarkBase {
  readonly role: MarkRole;
  /** 1 when absent. */
  readonly opacity?: number;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  /** Of the left corners, where they are rounder. */
  readonly leftRadius?: number;
}

/** A filled rectangle. */
export interface BoxMark extends MarkBase, Rectangle {
  readonly kind: 'box';
}

/** A line around a shape; `role` is that of the line. */
export interface OutlineMark extends MarkBase {
  readonly kind: 'outline';
  /** A rectangle, or the corners of what has straight sides. */
  readonly shape: Rectangle | readonly { readonly x: number; readonly y: number }[];
  readonly fill: MarkRole | null;
  readonly line: number;
  readonly dash?: string | undefined;
}

export interface TextMark extends MarkBase {
  readonly kind: 'text';
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** What of the letters stands at `y`. */
  readonly level: 'baseline' | 'middle';
  /** What of the text stands at `x`: its start when absent. */
  readonly align?: 'end';
  readonly letters: Letters;
  /** That of the letters when absent. */
  readonly weight?: number;
  readonly isStruck?: boolean;
}

/** The icon of the card's type or of its state, 14 pixels wide. */
interface IconMark extends MarkBase {
  readonly kind: 'icon';
  readonly of: 'type' | 'state';
  readonly x: number;
  readonly y: number;
}

interface DotMark extends MarkBase {
  readonly kind: 'dot';
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Around the whole card; it stays as thick as some pixels of the screen, however far away the card is. */
export interface RingMark extends MarkBase, Omit<Rectangle, 'leftRadius'> {
  readonly kind: 'ring';
  /** From the card to the outer side of the ring. */
  readonly reach: number;
  readonly leastReach: number;
  readonly line: number;
  readonly leastLine: number;
}

export type CardMark = BoxMark | OutlineMark | TextMark | IconMark | DotMark | RingMark;

/** A card as marks, from the lowest to the uppermost, and what their roles mean on it. */
export interface CardDrawing {
  readonly category: TileCategory;
  readonly icon: TileIcon;
  readonly state: VisualState;
  /** All of it steps back. */
  readonly isFaint: boolean;
  readonly marks: readonly CardMark[];
}
