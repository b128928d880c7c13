/**
 * Lays out one level of a flow with groups: the cards of a group are placed together within its frame, and the frame is
 * placed like one large card.
 */

import { cardMetrics } from '../../card/card-metrics.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import type { Bend } from '../geometry/edge-path.ts';
import { type FlowLayout, groupPadding } from '../projection/frames.ts';
import { groupBy } from '../projection/plain-data.ts';

import { type LevelShape, layoutLevel } from './auto-layout.ts';
import { type LayoutEdge, type LayoutNode, portOf } from './layout-graph.ts';

/** A card, and the group that contains it. */
export interface GroupedCard extends LayoutNode {
  readonly groupId?: string;
}

interface LevelPlan {
  readonly shape: LevelShape;
  readonly direction: FlowDirection;
}

interface Room extends FlowLayout {
  readonly members: ReadonlyMap<string, GroupedCard>;
  /** The block that represents all cards of the group. */
  readonly block: LayoutNode & { readonly width: number };
  /** Offset from the top left corner of the frame to that of its cards. */
  readonly offset: Bend;
}

/** Lays out one level. An edge that would pass other cards of the same group gets no route. */
export function layoutGrouped(
  cards: readonly GroupedCard[],
  edges: readonly LayoutEdge[],
  { shape, direction }: LevelPlan,
): FlowLayout {
  const rooms = new Map<string, Room>();
  for (const [groupId, members] of groupBy(cards, ({ groupId }) => groupId)) {
    if (groupId !== undefined) rooms.set(groupId, roomFor(groupId, members, { edges, shape, direction }));
  }
  if (rooms.size === 0) return layoutLevel(cards, edges, shape);
  const roomOf = new Map([...rooms.values()].flatMap((room) => [...room.members.keys()].map((id) => [id, room])));
  const blocks = new Set(cards.map((card) => roomOf.get(card.id)?.block ?? card));
  const between = edges.filter(({ source, target }) => !isInside(roomOf, source, target));
  const level = layoutLevel(
    [...blocks],
    between.map((edge) => outerEdge(edge, roomOf)),
    shape,
  );
  const positions = new Map(level.positions);
  const routes = new Map(level.routes);
  for (const { block, offset, ...inner } of rooms.values()) {
    const { x = 0, y = 0 } = level.positions.get(block.id) ?? {};
    positions.delete(block.id);
    const move = (place: Bend): Bend => ({ x: place.x + x + offset.x, y: place.y + y + offset.y });
    for (const [id, place] of inner.positions) positions.set(id, move(place));
    for (const [id, bends] of inner.routes) routes.set(id, bends.map(move));
  }
  for (const edge of between) if (!isFree(edge, roomOf)) routes.delete(edge.id);
  return { positions, routes };
}

type Rooms = ReadonlyMap<string, Room>;

function isInside(roomOf: Rooms, source: string, target: string): boolean {
  const room = roomOf.get(source);
  return room !== undefined && room === roomOf.get(target);
}

/** Returns the padding of a frame around its cards, as for a left-to-right flow. */
function wallsOf(direction: FlowDirection) {
  const { side, top, bottom } = groupPadding;
  return direction === 'right'
    ? { left: side, right: side, above: top, below: bottom }
    : { left: top, right: bottom, above: side, below: side };
}

function roomFor(
  groupId: string,
  members: readonly GroupedCard[],
  { edges, shape, direction }: LevelPlan & { readonly edges: readonly LayoutEdge[] },
): Room {
  const byId = new Map(members.map((card) => [card.id, card]));
  const inner = edges.filter(({ source, target }) => byId.has(source) && byId.has(target));
  const layout = layoutLevel(members, inner, shape);
  const walls = wallsOf(direction);
  let [right, bottom] = [0, 0];
  for (const { id, width = cardMetrics.width, height } of members) {
    const { x, y } = layout.positions.get(id) ?? { x: 0, y: 0 };
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  const door = doorOf(members, edges);
  const block = {
    id: `group ${groupId}`,
    width: walls.left + right + walls.right,
    height: walls.above + bottom + walls.below,
    port: walls.above + (layout.positions.get(door.id)?.y ?? 0) + portOf(door),
  };
  return { ...layout, members: byId, block, offset: { x: walls.left, y: walls.above } };
}

/** Returns the card to align with the card before the group, or else with the card after it. */
function doorOf(members: readonly GroupedCard[], edges: readonly LayoutEdge[]): GroupedCard {
  const ids = new Set(members.map(({ id }) => id));
  const entered = new Set(edges.flatMap(({ source, target }) => (ids.has(source) ? [] : [target])));
  const left = new Set(edges.flatMap(({ source, target }) => (ids.has(target) ? [] : [source])));
  const [first] = members;
  const door = members.find(({ id }) => entered.has(id)) ?? members.find(({ id }) => left.has(id)) ?? first;
  if (door === undefined) throw new RangeError('A group without cards has no room');
  return door;
}

/** Returns the height of a card's line within its group. */
function lineOf({ positions, offset }: Room, card: LayoutNode): number {
  return offset.y + (positions.get(card.id)?.y ?? 0) + portOf(card);
}

/** Converts an edge to one between blocks and ungrouped cards. */
function outerEdge(edge: LayoutEdge, roomOf: Rooms): LayoutEdge {
  const [from, to] = [roomOf.get(edge.source), roomOf.get(edge.target)];
  const card = from?.members.get(edge.source);
  if (from === undefined || card === undefined) return { ...edge, target: to?.block.id ?? edge.target };
  const out = lineOf(from, card) + (edge.out === undefined ? 0 : edge.out - portOf(card));
  return { ...edge, source: from.block.id, target: to?.block.id ?? edge.target, out };
}

/** Returns whether an edge between blocks ends at its card and no card of the same group blocks it. */
function isFree({ source, target }: LayoutEdge, roomOf: Rooms): boolean {
  const [from, to] = [roomOf.get(source), roomOf.get(target)];
  const [first, last] = [from?.members.get(source), to?.members.get(target)];
  if (from !== undefined && first !== undefined) {
    const cards = [...from.members.values()];
    if (cards.some((card) => rightOf(from, card) > rightOf(from, first))) return false;
  }
  if (to === undefined || last === undefined) return true;
  return (to.positions.get(target)?.x ?? 0) === 0 && lineOf(to, last) === to.block.port;
}

function rightOf({ positions }: Room, { id, width = cardMetrics.width }: LayoutNode): number {
  return (positions.get(id)?.x ?? 0) + width;
}
