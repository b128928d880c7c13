/**
 * Where each card stands in the end: where the file puts it, else where the layout does.
 */
import type { NodePosition } from '../../engine/isomorphic.ts';
import { cardMetrics, columnGap } from './card-metrics.ts';
import type { FlowProjection, ProjectedNode } from './flow-projection.ts';
import { groupBy } from './group-by.ts';
import { type FlowLayout, layoutFlow } from './layout/auto-layout.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

const rowGap = 24;

/**
 * Places all cards. Positions of the file win; when only some cards have one, the others stand right of their upstream
 * (or where the layout of the whole would put them), moved down until nothing overlaps.
 */
export function placeCards({ nodes, edges }: FlowProjection): FlowLayout {
  const cards = nodes.map(({ id, room }) => ({ id: id, height: room }));
  if (nodes.every(({ position }) => position === null)) return layoutFlow(cards, edges);

  const positions = new Map<string, NodePosition>();
  const taken: Box[] = [];
  const settle = ({ id, room }: ProjectedNode, { x, y }: NodePosition): void => {
    positions.set(id, { x, y });
    taken.push({ x, y, height: room });
  };
  for (const node of nodes) if (node.position !== null) settle(node, node.position);
  if (positions.size < nodes.length) {
    const automatic = layoutFlow(cards, edges).positions;
    const upstreamOf = groupBy(edges, ({ target }) => target);
    for (const node of nodes) {
      if (node.position !== null) continue;
      const before = (upstreamOf.get(node.id) ?? []).map(({ source }) => positions.get(source)).find(Boolean);
      const wish = before === undefined ? automatic.get(node.id) : rightOf(before);
      settle(node, freePlace({ ...(wish ?? { x: 0, y: 0 }), height: node.room }, taken));
    }
  }
  return { positions, routes: new Map() };
}

function rightOf({ x, y }: NodePosition): NodePosition {
  return { x: x + cardMetrics.width + columnGap, y };
}

function freePlace(wish: Box, taken: readonly Box[]): NodePosition {
  let place = wish;
  for (let hit = findHit(place, taken); hit !== undefined; hit = findHit(place, taken)) {
    place = { ...place, y: hit.y + hit.height + rowGap };
  }
  return { x: place.x, y: place.y };
}

function findHit(box: Box, taken: readonly Box[]): Box | undefined {
  return taken.find(
    (other) =>
      Math.abs(other.x - box.x) < cardMetrics.width &&
      other.y < box.y + box.height + rowGap &&
      box.y < other.y + other.height + rowGap,
  );
}
