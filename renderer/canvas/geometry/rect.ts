/**
 * Positions and rectangles of the flow, in pixels at 100 %.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';

/** Distance in pixels between two grid lines. */
export const gridStep = 16;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle with its top left corner and size. */
export interface Rect extends NodePosition {
  readonly width: number;
  readonly height: number;
}

/** The rectangle of a card. */
export interface CardRect extends Rect {
  readonly id: string;
}

/** A rectangle defined by its sides. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A line that shows what dragged cards are aligned with. */
export interface Guide {
  /** `x` for a vertical line at `at`, `y` for a horizontal line at `at`. */
  readonly axis: 'x' | 'y';
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the bounding box of rectangles, or null if there are none. */
export function boundsOf(rects: readonly Rect[]): Rect | null {
  if (rects.length === 0) return null;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of rects) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Returns the bounding area of points. */
export function areaAround(points: readonly Point[]): Area {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return { left, top, right, bottom };
}

/** Returns whether two areas have a point in common. */
export function areasMeet(a: Area, b: Area): boolean {
  return a.left <= b.right && a.right >= b.left && a.top <= b.bottom && a.bottom >= b.top;
}
