/**
 * Where each card stands in the end: where the file puts it, else where the layout does.
 */
import type { NodePosition } from '../../engine/isomorphic.ts';
import { cardMetrics, columnGap } from './card-metrics.ts';
import type { FlowDirection } from './card-ports.ts';
import type { FlowProjection, ProjectedNode } from './flow-projection.ts';
import { groupBy } from './group-by.ts';
import type { FlowLayout } from './layout/auto-layout.ts';
import { routeAround } from './route-around.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

const rowGap = 24;

/** Whether the file leaves it to the layout where some card stands. */
export function needsLayout({ nodes }: Pick<FlowProjection, 'nodes'>): boolean {
  return nodes.some(({ position }) => position === null);
}

/**
 * Places all cards. Positions of the file win; when only some cards have one, the others stand right of their upstream
 * (or where `automatic`, the layout of the whole, would put them), moved aside until nothing overlaps.
 */
export function placeCards(projection: FlowProjection, automatic: FlowLayout): FlowLayout {
  const { nodes, edges, direction } = projection;
  if (nodes.every(({ position }) => position === null)) return automatic;

  const byId = new Map(nodes.map((node) => [node.id, node]));
  const positions = new Map<string, NodePosition>();
  const taken: Box[] = [];
  const boxOf = (id: string): Box => ({ ...(positions.get(id) ?? { x: 0, y: 0 }), height: byId.get(id)?.room ?? 0 });
  const settle = ({ id, room }: ProjectedNode, { x, y }: NodePosition): void => {
    positions.set(id, { x, y });
    taken.push({ x, y, height: room });
  };
  for (const node of nodes) if (node.position !== null) settle(node, node.position);
  const unplaced = nodes.filter(({ position }) => position === null);
  if (unplaced.length > 0) {
    const upstreamOf = groupBy(edges, ({ target }) => target);
    for (const node of unplaced) {
      const before = (upstreamOf.get(node.id) ?? []).find(({ source }) => positions.has(source))?.source;
      const loop = node.loopId === null ? undefined : byId.get(node.loopId);
      const near = before === undefined ? belowLoop(loop, positions) : behind(boxOf(before), direction);
      const wish = near ?? automatic.positions.get(node.id) ?? { x: 0, y: 0 };
      settle(node, freePlace({ ...wish, height: node.room }, taken, direction));
    }
  }
  return { positions, routes: routeAround(projection, positions) };
}

function belowLoop(
  loop: ProjectedNode | undefined,
  positions: ReadonlyMap<string, NodePosition>,
): NodePosition | undefined {
  const place = loop === undefined ? undefined : positions.get(loop.id);
  return place === undefined || loop === undefined ? undefined : { x: place.x, y: place.y + loop.room + rowGap };
}

function behind({ x, y, height }: Box, direction: FlowDirection): NodePosition {
  return direction === 'right' ? { x: x + cardMetrics.width + columnGap, y } : { x, y: y + height + columnGap };
}

/** Aside from the way that the flow runs. */
function freePlace(wish: Box, taken: readonly Box[], direction: FlowDirection): NodePosition {
  let place = wish;
  for (let hit = findHit(place, taken); hit !== undefined; hit = findHit(place, taken)) {
    place =
      direction === 'right'
        ? { ...place, y: hit.y + hit.height + rowGap }
        : { ...place, x: hit.x + cardMetrics.width + rowGap };
  }
  return { x: place.x, y: place.y };
}

function findHit(box: Box, taken: readonly Box[]): Box | undefined {
  return taken.find(
    (other) =>
      Math.abs(other.x - box.x) < cardMetrics.width + rowGap &&
      other.y < box.y + box.height + rowGap &&
      box.y < other.y + other.height + rowGap,
  );
}
