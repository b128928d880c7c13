/**
 * Where new cards go.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import type { Box } from '../geometry/rect.ts';

export interface PlacementRoom {
  readonly boxes: readonly Box[];
  readonly direction: FlowDirection;
  /** Size of the new card. */
  readonly width: number;
  readonly height: number;
}

/** Between a card and what comes behind it, and between cards beside each other. */
const gapAlong = 56;
const gapAside = 24;

/** A place behind a card, beside what stands there already. */
export function placeBehind(box: Omit<Box, 'id'>, room: PlacementRoom): NodePosition {
  const wish =
    room.direction === 'right'
      ? { x: box.x + box.width + gapAlong, y: box.y }
      : { x: box.x, y: box.y + box.height + gapAlong };
  return freePlace(wish, room);
}

/** A place before a card, beside what stands there already. */
export function placeBefore(box: Omit<Box, 'id'>, room: PlacementRoom): NodePosition {
  const wish =
    room.direction === 'right'
      ? { x: box.x - room.width - gapAlong, y: box.y }
      : { x: box.x, y: box.y - room.height - gapAlong };
  return freePlace(wish, room);
}

/** The wished place, moved aside from the way of the flow until it covers no card. */
export function freePlace(wish: NodePosition, { boxes, direction, width, height }: PlacementRoom): NodePosition {
  let { x, y } = wish;
  const hit = (): Box | undefined =>
    boxes.find(
      (box) =>
        x < box.x + box.width + gapAside &&
        box.x < x + width + gapAside &&
        y < box.y + box.height + gapAside &&
        box.y < y + height + gapAside,
    );
  for (let box = hit(); box !== undefined; box = hit()) {
    if (direction === 'right') y = box.y + box.height + gapAside;
    else x = box.x + box.width + gapAside;
  }
  return { x: Math.round(x), y: Math.round(y) };
}

interface Insertion {
  readonly place: NodePosition;
  /** New places of the cards that make room. */
  readonly moved: ReadonlyMap<string, NodePosition>;
}

/**
 * A place between two cards. Where there is too little room, the second one and all behind it move on.
 * @param behind ids of the second card and of all that comes after it
 */
export function placeBetween(first: Box, second: Box, behind: ReadonlySet<string>, room: PlacementRoom): Insertion {
  if (room.direction === 'right') return placeAcross(first, second, behind, room);
  const { place, moved } = placeAcross(turned(first), turned(second), behind, {
    ...room,
    boxes: room.boxes.map(turned),
    width: room.height,
    height: room.width,
  });
  return { place: exchanged(place), moved: new Map([...moved].map(([id, at]) => [id, exchanged(at)])) };
}

function placeAcross(first: Box, second: Box, behind: ReadonlySet<string>, { boxes, width }: PlacementRoom): Insertion {
  const start = first.x + first.width;
  const needed = width + 2 * gapAlong;
  const there = second.x - start;
  const lacking = needed - there;
  const place = { x: Math.round(start + (Math.max(needed, there) - width) / 2), y: first.y };
  // A wire that runs back has no room to make: its second card stands before the first.
  if (lacking <= 0 || there < 0) return { place, moved: new Map() };
  const moving = boxes.filter(({ id, x }) => behind.has(id) && x >= second.x);
  return { place, moved: new Map(moving.map(({ id, x, y }) => [id, { x: x + lacking, y }])) };
}

function turned({ id, x, y, width, height }: Box): Box {
  return { id, x: y, y: x, width: height, height: width };
}

function exchanged({ x, y }: NodePosition): NodePosition {
  return { x: y, y: x };
}
