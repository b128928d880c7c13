/**
 * Pans the canvas while something is held near its border.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';

/** Distance in pixels from the border at which the canvas pans. `panStep` is the speed in pixels per frame. */
const panBorder = 28;
const panStep = 10;

const sides = ['left', 'right', 'top', 'bottom'] as const;
type Distances = Record<(typeof sides)[number], number>;

function distancesOf({ left, right, top, bottom }: DOMRect, { x, y }: NodePosition): Distances {
  return { left: x - left, right: right - x, top: y - top, bottom: bottom - y };
}

/**
 * Follows a drag that starts at a point on the page. A drag that starts near a border does not pan until it moves
 * closer to that border or has left it. Otherwise a port at the border would move away from its wire.
 * @param leastMove screen pixels that do not count as movement
 * @returns a function that takes the pointer position and returns how far to pan in this frame; null if the canvas does
 * not move
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
