/**
 * Places and rectangles of the flow, in pixels at 100 %.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';

/** Pixels between two lines of the grid. */
export const gridStep = 16;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** By its top left corner and its size. */
export interface Rect extends NodePosition {
  readonly width: number;
  readonly height: number;
}

/** A card by its place and size. */
export interface Box extends Rect {
  readonly id: string;
}

/** A rectangle by its sides. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A line that shows with what dragged cards are level. */
export interface Guide {
  /** `x`: it stands upright at `at`; `y`: it lies at `at`. */
  readonly axis: 'x' | 'y';
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** The rectangle around others; null around none. */
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

/** The area around some points. */
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

/** Whether two areas have a point in common. */
export function areasMeet(a: Area, b: Area): boolean {
  return a.left <= b.right && a.right >= b.left && a.top <= b.bottom && a.bottom >= b.top;
}
