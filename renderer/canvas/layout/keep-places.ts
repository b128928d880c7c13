/**
 * Limits what the automatic layout moves when a flow changes: only new cards and those after a change. All others keep
 * their positions, so that a change of one branch does not shuffle the others.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import type { Rect } from '../geometry/rect.ts';
import type { FlowProjection, ProjectedEdge, ProjectedNode } from '../projection/flow-projection.ts';
import { type CanvasLayout, type FlowLayout, outerRect, withBodies, withFrames } from '../projection/frames.ts';
import { groupBy } from '../projection/plain-data.ts';
import { freePlace, rowGap } from './place-cards.ts';
import { routeAround } from './route-around.ts';

interface PreviousLayout {
  readonly projection: FlowProjection;
  readonly layout: CanvasLayout;
}

/** If more cards than this would move, the flow has a different shape and gets a new layout. */
const mostMovedShare = 0.8;
const pixel = 0.5;

/**
 * Positions a flow without saved positions after a change. Returns null if no card is kept or the direction changed.
 * The automatic layout is used then.
 */
export function keepPlaces(
  projection: FlowProjection,
  automatic: FlowLayout,
  former: PreviousLayout,
): CanvasLayout | null {
  if (projection.direction !== former.projection.direction) return null;
  const moving = movingCards(projection, former.projection);
  const { nodes } = projection;
  const outer = nodes.filter(({ loopId }) => loopId === null);
  const staying = outer.filter(({ id }) => !moving.has(id));
  const anchor = staying[0];
  if (anchor === undefined || outer.length - staying.length > outer.length * mostMovedShare) return null;
  const now = withFrames(nodes, automatic);
  const shift = shiftOf(anchor.id, now, former.layout);
  if (staying.every(({ id }) => isSamePlace(moved(placeOf(now, id), shift), placeOf(former.layout, id)))) {
    return shift.x === 0 && shift.y === 0 ? now : withFrames(nodes, shifted(automatic, shift));
  }
  return settle({ projection, now, former }, outer, moving);
}

interface LayoutChange {
  readonly projection: FlowProjection;
  /** The positions of the automatic layout. */
  readonly now: CanvasLayout;
  readonly former: PreviousLayout;
}

/**
 * Places the cards that stay first, and then the others where the layout has them relative to their predecessors, moved
 * aside until they are free.
 */
function settle(
  { projection, now, former }: LayoutChange,
  outer: readonly ProjectedNode[],
  moving: ReadonlySet<string>,
) {
  const { nodes, edges, direction } = projection;
  const positions = new Map(now.positions);
  const before = groupBy(edges, ({ target }) => target);
  const taken = new TakenRects(direction);
  const put = (node: ProjectedNode, wish: NodePosition): void => {
    const rect = outerRect(node, now);
    const size = { width: rect.width, height: Math.max(rect.height, now.frames.has(node.id) ? 0 : node.room) };
    const place = freePlace({ ...wish, ...size }, taken.near({ ...wish, ...size }), direction);
    taken.add({ ...place, ...size });
    const by = { x: place.x - rect.x, y: place.y - rect.y };
    for (const id of withBodies(nodes, [node.id])) positions.set(id, moved(placeOf(now, id), by));
  };
  const staying = outer.filter(({ id }) => !moving.has(id));
  for (const node of staying) put(node, placeOf(former.layout, node.id));
  for (const node of outer.filter(({ id }) => moving.has(id))) {
    const source = (before.get(node.id) ?? []).find(({ source: id }) => !moving.has(id))?.source ?? staying[0]?.id;
    const by = source === undefined ? { x: 0, y: 0 } : shiftOf(source, now, { positions });
    put(node, moved(placeOf(now, node.id), by));
  }
  const placed = withFrames(nodes, { positions, routes: new Map() });
  return { ...placed, routes: routeAround(projection, placed) };
}

/** In pixels: a few cards. */
const bandSize = 1_000;

/** Rectangles, by bands across the flow: a card only moves aside within its bands. */
class TakenRects {
  readonly #direction: FlowDirection;
  readonly #bands = new Map<number, Rect[]>();

  constructor(direction: FlowDirection) {
    this.#direction = direction;
  }

  add(rect: Rect): void {
    for (const band of this.#bandsOf(rect)) {
      const rects = this.#bands.get(band);
      if (rects === undefined) this.#bands.set(band, [rect]);
      else rects.push(rect);
    }
  }

  /** Returns all rectangles that are in the way, wherever the given one moves aside. */
  near(rect: Rect): readonly Rect[] {
    return this.#bandsOf(rect).flatMap((band) => this.#bands.get(band) ?? []);
  }

  /** Returns the bands of a rectangle and of the space around it. */
  #bandsOf({ x, y, width, height }: Rect): readonly number[] {
    const [start, size] = this.#direction === 'right' ? [x, width] : [y, height];
    const first = Math.floor((start - rowGap) / bandSize);
    const last = Math.floor((start + size + rowGap) / bandSize);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }
}

/** Returns the outermost cards that are new or come after a change of edges, loops or loop bodies. */
function movingCards(projection: FlowProjection, former: FlowProjection): Set<string> {
  const loopOf = new Map(projection.nodes.map(({ id, loopId }) => [id, loopId]));
  const outermost = (id: string): string => {
    let at = id;
    for (let loop = loopOf.get(at); loop != null; loop = loopOf.get(at)) at = loop;
    return at;
  };
  const formerLoops = new Map(former.nodes.map(({ id, loopId }) => [id, loopId]));
  const strangers = projection.nodes.filter(({ id, loopId }) => formerLoops.get(id) !== loopId);
  const inBodies = strangers.filter(({ id, loopId }) => loopId !== null && formerLoops.has(outermost(id)));
  const changed = changedEdges(projection.edges, former.edges)
    .filter(({ target }) => loopOf.has(target))
    .map(({ source, target }) => ({ from: outermost(source), to: outermost(target) }));
  // A loop with a changed body stays in place, but the cards after it may need to make room.
  const loops = new Set([
    ...inBodies.map(({ id }) => outermost(id)),
    ...changed.flatMap(({ from, to }) => (from === to ? [to] : [])),
  ]);
  const roots = new Set([
    ...strangers.filter((node) => !inBodies.includes(node)).map(({ id }) => outermost(id)),
    ...changed.flatMap(({ from, to }) => (from === to ? [] : [to])),
    ...projection.edges.flatMap(({ source, target }) => (loops.has(source) ? [outermost(target)] : [])),
  ]);
  return new Set([...behind(projection.edges, roots)].map(outermost));
}

/** Returns the edges that only one of the two lists contains. */
function changedEdges(now: readonly ProjectedEdge[], before: readonly ProjectedEdge[]): ProjectedEdge[] {
  const key = ({ source, target, route }: ProjectedEdge): string => JSON.stringify([source, target, route]);
  const [nowKeys, beforeKeys] = [new Set(now.map(key)), new Set(before.map(key))];
  return [...now.filter((edge) => !beforeKeys.has(key(edge))), ...before.filter((edge) => !nowKeys.has(key(edge)))];
}

function behind(edges: readonly ProjectedEdge[], roots: ReadonlySet<string>): Set<string> {
  const from = groupBy(edges, ({ source }) => source);
  const reached = new Set(roots);
  // `reached` grows during the iteration.
  for (const id of reached) for (const { target } of from.get(id) ?? []) reached.add(target);
  return reached;
}

function placeOf({ positions }: Pick<CanvasLayout, 'positions'>, id: string): NodePosition {
  return positions.get(id) ?? { x: 0, y: 0 };
}

function shiftOf(
  id: string,
  now: Pick<CanvasLayout, 'positions'>,
  then: Pick<CanvasLayout, 'positions'>,
): NodePosition {
  const [from, to] = [placeOf(now, id), placeOf(then, id)];
  return { x: to.x - from.x, y: to.y - from.y };
}

function moved({ x, y }: NodePosition, by: NodePosition): NodePosition {
  return { x: x + by.x, y: y + by.y };
}

function isSamePlace(one: NodePosition, other: NodePosition): boolean {
  return Math.abs(one.x - other.x) < pixel && Math.abs(one.y - other.y) < pixel;
}

function shifted({ positions, routes }: FlowLayout, by: NodePosition): FlowLayout {
  return {
    positions: new Map([...positions].map(([id, place]) => [id, moved(place, by)])),
    routes: new Map([...routes].map(([id, bends]) => [id, bends.map((bend) => moved(bend, by))])),
  };
}
