/**
 * Determines the final position of each card: from the file, or else from the layout.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics, columnGap } from '../../card/card-metrics.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import type { Rect } from '../geometry/rect.ts';
import type { FlowProjection, ProjectedNode } from '../projection/flow-projection.ts';
import type { FlowLayout } from '../projection/frames.ts';
import { type CanvasLayout, containerPadding, outerRect, withFrames } from '../projection/frames.ts';
import { groupBy, isSameData } from '../projection/plain-data.ts';

import { sizeOf } from './layout-flow.ts';
import { routeAround } from './route-around.ts';

/** Space between cards beside each other across the flow, in pixels. */
export const rowGap = 24;

/** Returns whether the file has no position for some card. */
export function needsLayout({ nodes }: Pick<FlowProjection, 'nodes'>): boolean {
  return nodes.some(({ position }) => position === null);
}

/** Returns whether the cards of two projections have the same positions, given the same layout. */
export function isPlacedAlike(one: FlowProjection, other: FlowProjection): boolean {
  return (
    one.shape === other.shape &&
    one.nodes.every((before, index) => {
      const node = other.nodes[index];
      return node === before || (node?.height === before.height && isSameData(node.position, before.position));
    })
  );
}

/**
 * Positions all cards. Positions in the file take precedence. If only some cards have one, the others are placed to the
 * right of their predecessors (or where `automatic`, the layout of the whole flow, places them) and moved aside until
 * nothing overlaps.
 */
export function placeCards(projection: FlowProjection, automatic: FlowLayout): CanvasLayout {
  const { nodes } = projection;
  if (nodes.every(({ position }) => position === null)) return withWays(projection, withFrames(nodes, automatic));
  const given = new Map(
    nodes.flatMap(({ id, position }): [string, NodePosition][] =>
      position === null ? [] : [[id, { x: position.x, y: position.y }]],
    ),
  );
  const positions = needsLayout(projection) ? placeRest(projection, automatic, given) : given;
  const placed = withFrames(nodes, { positions, routes: new Map() });
  return { ...placed, routes: routeAround(projection, placed) };
}

/**
 * Adds routes for edges past cards of the same group, which the layout does not compute. They are routed like edges
 * between cards with fixed positions.
 */
function withWays(projection: FlowProjection, layout: CanvasLayout): CanvasLayout {
  const { nodes, edges } = projection;
  if (nodes.every(({ groupId }) => groupId === undefined)) return layout;
  const left = edges.filter(({ id }) => !layout.routes.has(id));
  const ways = routeAround({ ...projection, edges: left }, layout);
  return { ...layout, routes: new Map([...layout.routes, ...ways]) };
}

type StoredCardPositions = ReadonlyMap<string, NodePosition>;

interface OccupiedRect extends Rect {
  readonly id: string;
}

/** Returns the positions of the file together with those of all other cards. */
function placeRest(
  { nodes, edges, direction }: FlowProjection,
  automatic: FlowLayout,
  given: StoredCardPositions,
): StoredCardPositions {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const positions = new Map(given);
  const there = withFrames(
    nodes.filter(({ id }) => given.has(id)),
    { positions: given, routes: new Map() },
  );
  const taken: OccupiedRect[] = nodes.flatMap((node) =>
    given.has(node.id) ? [{ id: node.id, ...outerRect(node, there), ...heightIn(node, there) }] : [],
  );
  const upstreamOf = groupBy(edges, ({ target }) => target);
  for (const node of nodes) {
    if (given.has(node.id)) continue;
    const before = (upstreamOf.get(node.id) ?? []).find(({ source }) => positions.has(source))?.source;
    const around = new Set(loopsAround(byId, node));
    const upstream = taken.find(({ id }) => id === before);
    const near = upstream === undefined ? insideLoop(node, taken) : behind(upstream, direction);
    const wish = near ?? automatic.positions.get(node.id) ?? { x: 0, y: 0 };
    const obstacles = taken.map((rect) => (around.has(rect.id) ? headerOf(rect) : rect));
    const place = freePlace({ ...wish, ...sizeOf(node) }, obstacles, direction);
    positions.set(node.id, place);
    taken.push({ id: node.id, ...place, ...sizeOf(node) });
  }
  return positions;
}

/** Returns the space that a card needs, or a container's size. */
function heightIn(node: ProjectedNode, { frames }: Pick<CanvasLayout, 'frames'>): { height?: number } {
  return frames.has(node.id) ? {} : { height: node.room };
}

function headerOf(rect: OccupiedRect): OccupiedRect {
  return { ...rect, height: cardMetrics.headerHeight };
}

function loopsAround(byId: ReadonlyMap<string, ProjectedNode>, { loopId }: ProjectedNode): string[] {
  const around: string[] = [];
  for (let id = loopId; id !== null; id = byId.get(id)?.loopId ?? null) around.push(id);
  return around;
}

function insideLoop({ loopId }: ProjectedNode, taken: readonly OccupiedRect[]): NodePosition | undefined {
  const loop = taken.find(({ id }) => id === loopId);
  if (loop === undefined) return undefined;
  return { x: loop.x + containerPadding, y: loop.y + cardMetrics.headerHeight + containerPadding };
}

function behind({ x, y, width, height }: Rect, direction: FlowDirection): NodePosition {
  return direction === 'right' ? { x: x + width + columnGap, y } : { x, y: y + height + columnGap };
}

/** Returns the requested position if it is free, or else one moved perpendicular to the flow. */
export function freePlace(wish: Rect, taken: readonly Rect[], direction: FlowDirection): NodePosition {
  let place = wish;
  for (let hit = findHit(place, taken); hit !== undefined; hit = findHit(place, taken)) {
    place =
      direction === 'right'
        ? { ...place, y: hit.y + hit.height + rowGap }
        : { ...place, x: hit.x + hit.width + rowGap };
  }
  return { x: place.x, y: place.y };
}

function findHit(rect: Rect, taken: readonly Rect[]): Rect | undefined {
  return taken.find(
    (other) =>
      other.x < rect.x + rect.width + rowGap &&
      rect.x < other.x + other.width + rowGap &&
      other.y < rect.y + rect.height + rowGap &&
      rect.y < other.y + other.height + rowGap,
  );
}
