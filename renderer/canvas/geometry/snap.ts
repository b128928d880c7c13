/**
 * Snaps dragged cards to the alignment with nearby ones, or else to the grid.
 */

import type { NodePosition } from '../../../engine/isomorphic.ts';
import { boundsOf, type Guide, type Rect } from './rect.ts';

interface SnapOptions {
  /** Grid size, or null for no grid. */
  readonly grid: number | null;
  /** Maximum distance for alignment, in logical pixels. 0 disables guides. */
  readonly reach: number;
}

interface Snapped extends NodePosition {
  readonly guides: readonly Guide[];
}

/**
 * Returns the snapped position of a rectangle that is dragged to `rect`.
 * @param others rectangles that do not move
 */
export function snapRect(rect: Rect, others: readonly Rect[], { grid, reach }: SnapOptions): Snapped {
  const x = snapAxis(rect, others, { axis: 'x', reach, grid });
  const y = snapAxis(rect, others, { axis: 'y', reach, grid });
  const moved = { ...rect, x: x.at, y: y.at };
  return {
    x: x.at,
    y: y.at,
    guides: [
      ...(x.line === null ? [] : [guideAlong(moved, others, { axis: 'x', at: x.line })]),
      ...(y.line === null ? [] : [guideAlong(moved, others, { axis: 'y', at: y.line })]),
    ],
  };
}

interface AxisOptions extends SnapOptions {
  readonly axis: 'x' | 'y';
}

/** Returns the lines of a rectangle that can be aligned: its two borders and its center. */
function linesOf(rect: Rect, axis: 'x' | 'y'): readonly [number, number, number] {
  const start = rect[axis];
  const length = axis === 'x' ? rect.width : rect.height;
  return [start, start + length / 2, start + length];
}

function snapAxis(
  rect: Rect,
  others: readonly Rect[],
  { axis, grid, reach }: AxisOptions,
): { readonly at: number; readonly line: number | null } {
  const own = linesOf(rect, axis);
  let best: { readonly shift: number; readonly line: number } | null = null;
  for (const other of others) {
    for (const line of linesOf(other, axis)) {
      for (const mine of own) {
        const shift = line - mine;
        if (Math.abs(shift) <= reach && Math.abs(shift) < Math.abs(best?.shift ?? Infinity)) best = { shift, line };
      }
    }
  }
  if (best !== null && reach > 0) return { at: rect[axis] + best.shift, line: best.line };
  return { at: grid === null ? rect[axis] : Math.round(rect[axis] / grid) * grid, line: null };
}

/** Returns a guide that spans the first to the last rectangle aligned there. */
function guideAlong(
  rect: Rect,
  others: readonly Rect[],
  { axis, at }: { readonly axis: 'x' | 'y'; readonly at: number },
): Guide {
  const isLevel = (other: Rect): boolean => linesOf(other, axis).some((line) => Math.abs(line - at) < 0.5);
  const around = boundsOf([rect, ...others.filter(isLevel)]) ?? rect;
  return axis === 'x'
    ? { axis, at, from: around.y, to: around.y + around.height }
    : { axis, at, from: around.x, to: around.x + around.width };
}
