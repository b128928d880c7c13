/**
 * To which card a wire would lead that is dragged to a place.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import type { Box } from './arrange.ts';

/** A card with the port that the wire could end in. */
export interface WireCard extends Box {
  readonly port: NodePosition;
}

export interface WireTarget {
  readonly id: string;
  /** Why it may not be; null when it may. */
  readonly refusal: string | null;
}

/**
 * The card under the pointer, else the one that may be connected with the nearest port within reach, else the nearest
 * that may not; null when none is near.
 * @param reach logical pixels
 * @param refusalOf asked only for cards that are near
 */
export function findWireTarget(
  cards: readonly WireCard[],
  { at, reach }: { readonly at: NodePosition; readonly reach: number },
  refusalOf: (id: string) => string | null,
): WireTarget | null {
  const under = cards.find((card) => contains(card, at));
  if (under !== undefined) return { id: under.id, refusal: refusalOf(under.id) };
  const near = cards
    .map(({ id, port }) => ({ id, distance: Math.hypot(port.x - at.x, port.y - at.y) }))
    .filter(({ distance }) => distance <= reach)
    .sort((a, b) => a.distance - b.distance)
    .map(({ id }) => ({ id, refusal: refusalOf(id) }));
  return near.find(({ refusal }) => refusal === null) ?? near[0] ?? null;
}

function contains({ x, y, width, height }: Box, at: NodePosition): boolean {
  return at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height;
}
