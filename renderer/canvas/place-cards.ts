/**
 * Where each card stands in the end: where the file puts it, else where the layout does.
 */
import type { NodePosition } from '../../engine/isomorphic.ts';
import { cardMetrics, columnGap } from './card-metrics.ts';
import { labelWidth } from './edge-label.ts';
import type { FlowProjection, ProjectedNode } from './flow-projection.ts';
import { groupBy } from './group-by.ts';
import type { FlowLayout } from './layout/auto-layout.ts';
import { layoutNested } from './layout/nested-layout.ts';

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
export function placeCards(projection: FlowProjection): FlowLayout {
  const { nodes, edges } = projection;
  if (nodes.every(({ position }) => position === null)) return layoutAll(projection);

  const byId = new Map(nodes.map((node) => [node.id, node]));
  const positions = new Map<string, NodePosition>();
  const taken: Box[] = [];
  const settle = ({ id, room }: ProjectedNode, { x, y }: NodePosition): void => {
    positions.set(id, { x, y });
    taken.push({ x, y, height: room });
  };
  for (const node of nodes) if (node.position !== null) settle(node, node.position);
  const unplaced = nodes.filter(({ position }) => position === null);
  if (unplaced.length > 0) {
    const automatic = layoutAll(projection).positions;
    const upstreamOf = groupBy(edges, ({ target }) => target);
    for (const node of unplaced) {
      const before = (upstreamOf.get(node.id) ?? []).map(({ source }) => positions.get(source)).find(Boolean);
      const loop = node.loopId === null ? undefined : byId.get(node.loopId);
      const near = before === undefined ? belowLoop(loop, positions) : rightOf(before);
      const wish = near ?? automatic.get(node.id) ?? { x: 0, y: 0 };
      settle(node, freePlace({ ...wish, height: node.room }, taken));
    }
  }
  return { positions, routes: new Map() };
}

function layoutAll({ nodes, edges }: FlowProjection): FlowLayout {
  return layoutNested(
    nodes.map(({ id, room, loopId }) => ({ id, height: room, loopId })),
    edges.map(({ id, source, target, label }) => ({ id, source, target, labelWidth: label ? labelWidth(label) : 0 })),
  );
}

function belowLoop(
  loop: ProjectedNode | undefined,
  positions: ReadonlyMap<string, NodePosition>,
): NodePosition | undefined {
  const place = loop === undefined ? undefined : positions.get(loop.id);
  return place === undefined || loop === undefined ? undefined : { x: place.x, y: place.y + loop.room + rowGap };
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
