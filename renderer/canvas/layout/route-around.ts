/**
 * Routes edges between manually placed cards: the default route if it is free, or else along a free line above or below
 * the cards in the way.
 */

import type { CardContent } from '../../card/card-content.ts';
import { outOf } from '../../card/card-ports.ts';
import type { Bend } from '../geometry/edge-path.ts';
import { type CardBox, type EdgeEnds, edgeCorners, edgeEnds, turned, turnedEnds } from '../geometry/edge-path.ts';
import type { Point } from '../geometry/rect.ts';
import type { FlowProjection, ProjectedEdge } from '../projection/flow-projection.ts';
import { type CanvasLayout, outerRect } from '../projection/frames.ts';

interface Obstacle {
  readonly id: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** For a container: the cards inside it, which do not block edges. */
  readonly body?: ReadonlySet<string>;
}

/** Length in pixels of the straight part of an edge at its cards. `routeAround` turns there. */
const lead = 20;
/** Minimum length where space is limited. */
const closeLead = 9;
/** Distance between the lines of edges that leave a card from different rows. */
const rowStep = 8;
const arrowLength = 7;
/** Distance between a line and the cards that it passes. */
const clearance = 12;
const mostTries = 8;
const cellSize = 300;

type Cells = ReadonlyMap<string, readonly Obstacle[]>;
type Routes = ReadonlyMap<string, readonly Bend[]>;

/** Maximum distance of a detour from the ends of its edge, so that the edge is still found when a card there moves. */
const detour = 400;

interface PreviousRoutes {
  readonly obstacles: ReadonlyMap<string, Obstacle>;
  readonly routes: Routes;
}

/** The last result for each flow. While cards are dragged, only the edges near them need new routes. */
const formerOf = new WeakMap<object, PreviousRoutes>();

/**
 * Returns routes around cards and containers, by edge ID. An edge without an entry can use its default route, or has no
 * better one.
 */
export function routeAround(projection: FlowProjection, layout: Pick<CanvasLayout, 'positions' | 'frames'>): Routes {
  const { nodes, edges, direction, shape } = projection;
  const isDown = direction === 'down';
  const contents = new Map(nodes.map(({ id, content }) => [id, content]));
  const boxes = new Map(
    nodes.flatMap((node): [string, CardBox][] =>
      layout.positions.has(node.id) ? [[node.id, outerRect(node, layout)]] : [],
    ),
  );
  const inBody = new Set(nodes.flatMap(({ id, loopId }) => (loopId === null ? [] : [id])));
  const bodies = bodiesOf(nodes, layout.frames.keys());
  const obstacles = new Map([...boxes].map(([id, box]) => [id, { ...obstacleAt(id, box, isDown), ...bodies.get(id) }]));
  const cells = sortIntoCells([...obstacles.values()]);
  const former = formerOf.get(shape);
  const moved = former === undefined ? [] : movedObstacles(former.obstacles, obstacles);
  const routeOf = ({ id, source, target, route: way }: ProjectedEdge): readonly Bend[] | undefined => {
    const [from, to, content] = [boxes.get(source), boxes.get(target), contents.get(source)];
    if (from === undefined || to === undefined || content === undefined) return undefined;
    const trueEnds = edgeEnds({ ...from, out: outOf(content, way, direction) }, to, direction);
    const ends = isDown ? turnedEnds(trueEnds) : trueEnds;
    if (former !== undefined && !moved.some((place) => isNear(ends, place))) return former.routes.get(id);
    const [start, end] = [obstacles.get(source), obstacles.get(target)];
    const around = { cells, source, target };
    const route =
      (start === undefined || end === undefined
        ? undefined
        : routeBack(ends, { start, end, isInBody: inBody.has(source) }, around)) ??
      routeByRow(ends, rowOf(content, way), around) ??
      findRoute(ends, around);
    return isDown ? route?.map(turned) : route;
  };
  const routes = new Map(
    edges.flatMap((edge): [string, readonly Bend[]][] => {
      const route = routeOf(edge);
      return route === undefined ? [] : [[edge.id, route]];
    }),
  );
  formerOf.set(shape, { obstacles, routes });
  return routes;
}

/** Returns all cards inside each container, at any depth. */
function bodiesOf(
  nodes: FlowProjection['nodes'],
  loopIds: Iterable<string>,
): ReadonlyMap<string, { body: Set<string> }> {
  const loopOf = new Map(nodes.map(({ id, loopId }) => [id, loopId]));
  const bodies = new Map([...loopIds].map((id) => [id, { body: new Set<string>() }]));
  for (const { id, loopId } of nodes) {
    for (let loop = loopId; loop !== null; loop = loopOf.get(loop) ?? null) bodies.get(loop)?.body.add(id);
  }
  return bodies;
}

/** Returns the previous and the current positions of the cards that moved. */
function movedObstacles(before: ReadonlyMap<string, Obstacle>, now: ReadonlyMap<string, Obstacle>): Obstacle[] {
  return [...now].flatMap(([id, place]) => {
    const former = before.get(id);
    if (former === undefined) return [place];
    const isSame = (['left', 'top', 'right', 'bottom'] as const).every((side) => former[side] === place[side]);
    return isSame ? [] : [former, place];
  });
}

function isNear({ sourceX, sourceY, targetX, targetY }: EdgeEnds, { left, top, right, bottom }: Obstacle): boolean {
  return (
    Math.min(sourceX, targetX) - detour < right &&
    Math.max(sourceX, targetX) + detour > left &&
    Math.min(sourceY, targetY) - detour < bottom &&
    Math.max(sourceY, targetY) + detour > top
  );
}

/** Everything is computed for a left-to-right flow. Top-down flows are transposed before and after. */
function obstacleAt(id: string, { x, y, width, height }: CardBox, isDown: boolean): Obstacle {
  return isDown
    ? { id, left: y, top: x, right: y + height, bottom: x + width }
    : { id, left: x, top: y, right: x + width, bottom: y + height };
}

function sortIntoCells(obstacles: readonly Obstacle[]): Cells {
  const cells = new Map<string, Obstacle[]>();
  for (const obstacle of obstacles) {
    for (const key of cellsOf(obstacle)) {
      const cell = cells.get(key);
      if (cell === undefined) cells.set(key, [obstacle]);
      else cell.push(obstacle);
    }
  }
  return cells;
}

function cellsOf({ left, top, right, bottom }: Omit<Obstacle, 'id'>): string[] {
  const keys: string[] = [];
  for (let column = Math.floor(left / cellSize); column <= Math.floor(right / cellSize); column++) {
    for (let row = Math.floor(top / cellSize); row <= Math.floor(bottom / cellSize); row++)
      keys.push(`${column} ${row}`);
  }
  return keys;
}

interface RoutingContext {
  readonly cells: Cells;
  readonly source: string;
  readonly target: string;
}

/**
 * Routes an edge back to a card above or below between the two cards instead of behind one of them. In a container, the
 * edge runs close beside them.
 */
function routeBack(
  { sourceX, sourceY, targetX, targetY }: EdgeEnds,
  { start, end, isInBody }: { readonly start: Obstacle; readonly end: Obstacle; readonly isInBody: boolean },
  around: RoutingContext,
): Bend[] | undefined {
  const [upper, lower] = start.top < end.top ? [start, end] : [end, start];
  if (targetX - sourceX >= 2 * lead || lower.top - upper.bottom < 2 * closeLead) return undefined;
  const by = isInBody ? closeLead : lead;
  const route = [
    { x: sourceX + by, y: (upper.bottom + lower.top) / 2 },
    { x: targetX - by, y: targetY },
  ];
  const ends = { sourceX, sourceY, targetX, targetY };
  return findHit(ends, route, around) === undefined ? route : undefined;
}

/** Index of a branch's row, from the top, and the number of rows. */
interface BranchOutletRow {
  readonly index: number;
  readonly count: number;
}

function rowOf({ branches }: CardContent, way: string | null): BranchOutletRow | null {
  const index = branches.findIndex(({ route }) => route === way);
  return index === -1 ? null : { index, count: branches.length };
}

/** Offsets the turns of edges that leave one card from different rows, so that their lines can be distinguished. */
function routeByRow(ends: EdgeEnds, row: BranchOutletRow | null, around: RoutingContext): Bend[] | undefined {
  const { sourceX, sourceY, targetX, targetY } = ends;
  const room = targetX - arrowLength - closeLead - (sourceX + closeLead);
  if (row === null || room < 0 || Math.abs(targetY - sourceY) < 1) return undefined;
  const step = Math.min(rowStep, room / Math.max(1, row.count - 1));
  const slot = targetY > sourceY ? row.count - 1 - row.index : row.index;
  const route = [{ x: sourceX + closeLead + slot * step, y: targetY }];
  return findHit(ends, route, around) === undefined ? route : undefined;
}

function findRoute(ends: EdgeEnds, around: RoutingContext): Bend[] | undefined {
  const { sourceX, sourceY, targetX, targetY } = ends;
  const usual = findHit(ends, null, around);
  if (usual === undefined) return undefined;
  const first = sourceX + lead;
  const last = targetX - lead - arrowLength;
  const early = first < last ? [{ x: first, y: targetY }] : null;
  const tried = new Set<number>();
  const open = [usual];
  if (early !== null) {
    const hit = findHit(ends, early, around);
    if (hit === undefined) return early;
    open.push(hit);
  }
  for (const hit of open) {
    const lines = [hit.top - clearance, hit.bottom + clearance].sort(
      (a, b) => Math.abs(a - sourceY) - Math.abs(b - sourceY),
    );
    for (const y of lines) {
      if (tried.has(y) || tried.size >= mostTries) continue;
      tried.add(y);
      const route = [
        { x: first, y },
        { x: last, y: targetY },
      ];
      const next = findHit(ends, route, around);
      if (next === undefined) return route;
      open.push(next);
    }
  }
  return undefined;
}

/** Returns a card that blocks the route, other than the two that the edge connects. */
function findHit(ends: EdgeEnds, route: readonly Bend[] | null, around: RoutingContext): Obstacle | undefined {
  const corners = edgeCorners({ ends, route, direction: 'right' });
  for (const [index, corner] of corners.entries()) {
    const before = corners[index - 1];
    const hit = before === undefined ? undefined : hitBetween(before, corner, around);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function hitBetween(from: Point, to: Point, { cells, source, target }: RoutingContext): Obstacle | undefined {
  const line = {
    left: Math.min(from.x, to.x),
    top: Math.min(from.y, to.y),
    right: Math.max(from.x, to.x),
    bottom: Math.max(from.y, to.y),
  };
  for (const key of cellsOf(line)) {
    const hit = cells.get(key)?.find(({ id, left, top, right, bottom, body }) => {
      if (id === source || id === target || body?.has(source) === true) return false;
      return left < line.right + 1 && right > line.left - 1 && top < line.bottom + 1 && bottom > line.top - 1;
    });
    if (hit !== undefined) return hit;
  }
  return undefined;
}
