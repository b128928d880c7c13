/**
 * Finds the card that a wire would connect to at a position.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import type { CardRect } from './rect.ts';

/** A port where the wire could end. */
interface WirePort extends NodePosition {
  /** The branch of the port. Null for the card's default port. */
  readonly route: string | null;
}

/** A card with the ports where the wire could end, its default port first. */
export interface WireCard extends CardRect {
  readonly ports: readonly [WirePort, ...WirePort[]];
}

export interface WireEnd {
  readonly id: string;
  readonly route: string | null;
}

export interface WireTarget extends WireEnd {
  /** Why the connection is not allowed. Null if it is. */
  readonly refusal: string | null;
}

/**
 * Returns the card under the pointer with its nearest port. Otherwise returns the nearest port within reach that can be
 * connected, or else the nearest that cannot. Null if none is near.
 * @param reach distance in logical pixels
 * @param refusalOf called only for cards that are near
 */
export function findWireTarget(
  cards: readonly WireCard[],
  { at, reach }: { readonly at: NodePosition; readonly reach: number },
  refusalOf: (end: WireEnd) => string | null,
): WireTarget | null {
  const targetAt = ({ id, route }: WireEnd): WireTarget => ({ id, route, refusal: refusalOf({ id, route }) });
  const under = cards.find((card) => contains(card, at));
  if (under !== undefined) return targetAt({ id: under.id, route: nearestPort(under, at).route });
  const near = cards
    .flatMap(({ id, ports }) => ports.map((port) => ({ id, route: port.route, distance: distanceTo(port, at) })))
    .filter(({ distance }) => distance <= reach)
    .sort((a, b) => a.distance - b.distance)
    .map(targetAt);
  return near.find(({ refusal }) => refusal === null) ?? near[0] ?? null;
}

function nearestPort({ ports }: WireCard, at: NodePosition): WirePort {
  return ports.reduce((best, port) => (distanceTo(port, at) < distanceTo(best, at) ? port : best));
}

function distanceTo({ x, y }: NodePosition, at: NodePosition): number {
  return Math.hypot(x - at.x, y - at.y);
}

function contains({ x, y, width, height }: CardRect, at: NodePosition): boolean {
  return at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height;
}
