/**
 * Moving the canvas while something is held near its border.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';

/** So near the border the canvas moves along, so many pixels a frame. */
const panBorder = 28;
const panStep = 10;

const sides = ['left', 'right', 'top', 'bottom'] as const;
type Distances = Record<(typeof sides)[number], number>;

function distancesOf({ left, right, top, bottom }: DOMRect, { x, y }: NodePosition): Distances {
  return { left: x - left, right: right - x, top: y - top, bottom: bottom - y };
}

/**
 * Follows what was taken up at a point of the page. What begins beside a border does not move the canvas until it is
 * taken nearer to that border, or has been away from it: else a port at the border would run away from its wire.
 * @param leastMove pixels of the screen that are no movement yet
 * @returns for a place of the pointer, by how much to move the canvas in this frame; null = it stays
 */
export function createBorderPan(
  frame: HTMLElement | null,
  from: NodePosition,
  leastMove: number,
): (at: NodePosition) => NodePosition | null {
  const begin = frame && distancesOf(frame.getBoundingClientRect(), from);
  const zones = begin && { ...begin };
  for (const side of sides) if (zones !== null) zones[side] = Math.min(panBorder, zones[side] - leastMove);
  return (at) => {
    if (frame === null || zones === null) return null;
    const distances = distancesOf(frame.getBoundingClientRect(), at);
    const isNear = (side: (typeof sides)[number]): boolean => distances[side] < zones[side];
    const along = (start: boolean, end: boolean): number => (start ? panStep : end ? -panStep : 0);
    const by = { x: along(isNear('left'), isNear('right')), y: along(isNear('top'), isNear('bottom')) };
    for (const side of sides) zones[side] = Math.max(zones[side], Math.min(panBorder, distances[side]));
    return by.x === 0 && by.y === 0 ? null : by;
  };
}
