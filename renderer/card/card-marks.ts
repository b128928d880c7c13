/**
 * The primitives used to paint cards: boxes, outlines, texts, icons, dots and rings, each with a role instead of a
 * color. All positions are in pixels from the card's top left corner.
 */
import type { TileCategory, TileIcon } from '../ui/node-tile.tsx';
import type { VisualState } from '../ui/state-icon.tsx';
import type { MarkRole } from './card-tokens.ts';
import type { Letters } from './text-wrap.ts';

interface MarkBase {
  readonly role: MarkRole;
  /** Defaults to 1. */
  readonly opacity?: number;
}

interface CardRectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  /** Radius of the left corners, if they are rounder. */
  readonly leftRadius?: number;
}

/** A filled rectangle. */
export interface BoxMark extends MarkBase, CardRectangle {
  readonly kind: 'box';
}

/** A line around a shape. `role` is the role of the line. */
export interface OutlineMark extends MarkBase {
  readonly kind: 'outline';
  /** A rectangle, or the corners of a polygon. */
  readonly shape: CardRectangle | readonly { readonly x: number; readonly y: number }[];
  readonly fill: MarkRole | null;
  readonly line: number;
  readonly dash?: string | undefined;
}

export interface TextMark extends MarkBase {
  readonly kind: 'text';
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Vertical alignment of the text at `y`. */
  readonly level: 'baseline' | 'middle';
  /** Horizontal alignment of the text at `x`. Defaults to the start. */
  readonly align?: 'end';
  readonly letters: Letters;
  /** Defaults to the weight of the font. */
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

/** A ring around the whole card. Its width in screen pixels does not depend on the zoom. */
export interface RingMark extends MarkBase, Omit<CardRectangle, 'leftRadius'> {
  readonly kind: 'ring';
  /** Distance from the card to the outer side of the ring. */
  readonly reach: number;
  readonly leastReach: number;
  readonly line: number;
  readonly leastLine: number;
}

export type CardMark = BoxMark | OutlineMark | TextMark | IconMark | DotMark | RingMark;

/** A card as marks from bottom to top, and the values of their roles on this card. */
export interface CardDrawing {
  readonly category: TileCategory;
  readonly icon: TileIcon;
  readonly state: VisualState;
  /** Whether the whole card is faded. */
  readonly isFaint: boolean;
  readonly marks: readonly CardMark[];
}
