/**
 * Finds the next card for the arrow keys.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import type { Direction } from '../../stores/window/canvases.ts';
import type { ProjectedEdge } from './flow-projection.ts';

export interface CardMap {
  readonly positions: ReadonlyMap<string, NodePosition>;
  readonly edges: readonly Pick<ProjectedEdge, 'source' | 'target'>[];
}

/** Cards further apart than half a card do not count as one column. */
const columnTolerance = 124;

/**
 * Returns the card that an arrow key leads to: along an edge sideways, or within the column up and down. Undefined if
 * there is none.
 */
export function neighbourOf(map: CardMap, cardId: string, direction: Direction): string | undefined {
  const here = map.positions.get(cardId);
  if (here === undefined) return undefined;
  const candidates =
    direction === 'left' || direction === 'right' ? linked(map, cardId, direction) : inColumn(map, here);
  const isBeyond = ({ y }: NodePosition): boolean =>
    direction === 'up' ? y < here.y : direction === 'down' ? y > here.y : true;
  let nearest: { id: string; distance: number } | undefined;
  for (const id of candidates) {
    const place = map.positions.get(id);
    if (place === undefined || id === cardId || !isBeyond(place)) continue;
    const distance = Math.abs(place.y - here.y);
    if (nearest === undefined || distance < nearest.distance) nearest = { id, distance };
  }
  return nearest?.id;
}

/** Returns the card and all cards before it (`left`) or after it (`right`). */
export function reachableFrom({ edges }: CardMap, cardId: string, direction: 'left' | 'right'): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { source, target } of edges) {
    const [from, to] = direction === 'right' ? [source, target] : [target, source];
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  const reached = new Set([cardId]);
  // Elements added to a set during iteration are also visited.
  for (const id of reached) for (const other of next.get(id) ?? []) reached.add(other);
  return reached;
}

function linked({ edges }: CardMap, cardId: string, direction: 'left' | 'right'): string[] {
  return direction === 'right'
    ? edges.filter(({ source }) => source === cardId).map(({ target }) => target)
    : edges.filter(({ target }) => target === cardId).map(({ source }) => source);
}

function inColumn({ positions }: CardMap, here: NodePosition): string[] {
  return [...positions].filter(([, { x }]) => Math.abs(x - here.x) < columnTolerance).map(([id]) => id);
}
