/**
 * Converts a new node into a change of the file: valid, connected and positioned.
 */
import { type FlowChange, isLoop, type JsonMap, type NodeDoc, type NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import { branchOf, continueOnErrorChanges, failureBranch } from '../../stores/flow/branches.ts';
import { newEdge } from '../../stores/flow/new-edge.ts';
import { newNode } from '../../stores/flow/new-node.ts';
import { withPushed } from '../geometry/push-boxes.ts';
import type { CardRect } from '../geometry/rect.ts';
import { cardRect, containerPadding, emptyContainer, outerRect } from '../projection/frames.ts';
import { reachableFrom } from '../projection/neighbors.ts';
import {
  boxOf,
  type CanvasEditor,
  edgeOf,
  endBoxOf,
  isPlacedByHand,
  loopAround,
  nodeOf,
} from '../state/canvas-editor.ts';
import type { AddTo } from '../state/interaction.ts';
import { pinnedPlaces } from './move-change.ts';

type AddDesk = Pick<CanvasEditor, 'doc' | 'projection' | 'layout' | 'stores'>;

export interface NodeToAdd {
  readonly type: string;
  readonly to: AddTo;
  /** Center of its header in flow coordinates. Null to place it where there is room. */
  readonly at: NodePosition | null;
  /** Initial input that replaces the default of its type. */
  readonly input?: JsonMap;
}

export interface AddedNode {
  readonly node: NodeDoc;
  readonly changes: readonly FlowChange[];
  /** Label in the undo menu. */
  readonly label: string;
  /** Positions of the cards after the change, by ID. Empty for an automatic layout. */
  readonly places: ReadonlyMap<string, NodePosition>;
}

/** Height of a card without text. */
const usualHeight = 67;

/**
 * Prepares a new node. Returns null if its type or the element it is added to does not exist.
 * @param others new nodes that are added to the file before it in the same change
 */
export function addChange(editor: AddDesk, wanted: NodeToAdd, others: readonly AddedNode[] = []): AddedNode | null {
  const { type, to, input } = wanted;
  if (!isThere(editor, to)) return null;
  const sourceId = sourceOf(editor, to);
  const nodes = [...editor.doc.nodes, ...others.map(({ node }) => node)];
  const made = newNode({ ...editor.doc, nodes }, type, {
    before: sourceId === null ? undefined : nodeOf(editor, sourceId),
    hasFailed: leavesFailure(editor, to),
    loopId: loopFor(editor, to),
    models: editor.stores.models.getState().known,
  });
  if (made === null) return null;
  const { label } = made;
  const node = input === undefined ? made.node : { ...made.node, input };
  const { id } = node;
  const places = placesFor(editor, wanted, { id, others });
  const added = addition(editor, { node, to, places, sourceId });
  const changes: FlowChange[] = [
    ...continueOnErrorChanges(editor.doc, added.edges ?? []),
    added,
    ...(to.do === 'into' ? [{ do: 'splice', node: id, edge: to.edgeId } as const] : []),
  ];
  return { node, changes, label, places };
}

function isThere(editor: AddDesk, to: AddTo): boolean {
  if (to.do === 'nothing') return true;
  return to.do === 'into' ? edgeOf(editor, to.edgeId) !== undefined : nodeOf(editor, to.nodeId) !== undefined;
}

/** Returns the node that provides the input of the new one. */
function sourceOf(editor: AddDesk, to: AddTo): string | null {
  if (to.do === 'behind') return to.nodeId;
  return to.do === 'into' ? (edgeOf(editor, to.edgeId)?.from ?? null) : null;
}

/** Returns whether the node is added after the failure of another node. */
function leavesFailure(editor: AddDesk, to: AddTo): boolean {
  if (to.do === 'behind') return to.route === failureBranch;
  const edge = to.do === 'into' ? edgeOf(editor, to.edgeId) : undefined;
  return edge !== undefined && branchOf(edge.from, edge.when) === failureBranch;
}

/** Returns the loop that the new node joins. An edge that it is inserted into already determines the loop. */
function loopFor(editor: AddDesk, to: AddTo): string | null {
  if (to.do === 'inside') return to.nodeId;
  const beside = to.do === 'into' ? edgeOf(editor, to.edgeId)?.from : to.do === 'nothing' ? undefined : to.nodeId;
  return beside === undefined ? null : loopAround(editor, beside);
}

interface Addition {
  readonly node: NodeDoc;
  readonly to: AddTo;
  readonly sourceId: string | null;
  readonly places: ReadonlyMap<string, NodePosition>;
}

function addition(editor: AddDesk, { node, to, sourceId, places }: Addition): Extract<FlowChange, { do: 'add' }> {
  const edges =
    to.do === 'behind'
      ? [newEdge(editor.doc, { nodeId: to.nodeId, route: to.route ?? null }, node.id)]
      : to.do === 'before'
        ? [{ from: node.id, to: to.nodeId }]
        : [];
  const loopId = to.do === 'into' ? null : loopFor(editor, to);
  const pinned = places.size === 0 ? {} : pinnedPlaces(editor);
  return {
    do: 'add',
    nodes: [node],
    ...(edges.length === 0 ? {} : { edges }),
    ...(places.size === 0 ? {} : { positions: { ...pinned, ...Object.fromEntries(places) } }),
    ...(sourceId === null ? {} : { after: sourceId }),
    ...(loopId === null ? {} : { loopId }),
  };
}

/** Returns the position of the new card and of the cards that make room for it. */
function placesFor(
  editor: AddDesk,
  { type, to, at }: NodeToAdd,
  { id, others }: { readonly id: string; readonly others: readonly AddedNode[] },
): ReadonlyMap<string, NodePosition> {
  const isFree = to.do === 'nothing' && at !== null;
  if (!isFree && !isPlacedByHand(editor)) return new Map();
  const room: PlacementRoom = {
    boxes: [...obstaclesFor(editor, to), ...others.flatMap(boxesOfAdded)],
    direction: editor.projection.direction,
    ...(isLoop(type) ? emptyContainer : { width: cardMetrics.width, height: usualHeight }),
  };
  if (to.do === 'into') return placesInto(editor, { id, edgeId: to.edgeId, room });
  const wish = at === null ? wishFor(editor, to, room) : aroundPointer(at);
  return new Map([[id, freePlace(wish, room)]]);
}

/** Uses the maximum height of a card, with one more line of text. */
function boxesOfAdded({ places }: AddedNode): CardRect[] {
  const size = { width: cardMetrics.width, height: usualHeight + gapAside };
  return [...places].map(([id, place]) => ({ id, ...place, ...size }));
}

/** Returns the areas that a new card may not cover: cards, and whole containers except those around it. */
function obstaclesFor({ projection, layout }: AddDesk, to: AddTo): CardRect[] {
  const { nodes } = projection;
  const loopOf = new Map(nodes.map(({ id, loopId }) => [id, loopId]));
  const around = new Set<string>();
  const start = to.do === 'inside' ? to.nodeId : 'nodeId' in to ? (loopOf.get(to.nodeId) ?? null) : null;
  for (let id: string | null = start; id !== null; id = loopOf.get(id) ?? null) around.add(id);
  return nodes.map((node) => {
    const rect = around.has(node.id) || to.do === 'into' ? cardRect(node, layout) : outerRect(node, layout);
    return { id: node.id, ...rect };
  });
}

/** The pointer holds a new card by its header. */
function aroundPointer({ x, y }: NodePosition): NodePosition {
  return { x: Math.round(x - cardMetrics.width / 2), y: Math.round(y - cardMetrics.portY) };
}

function wishFor(editor: AddDesk, to: AddTo, room: PlacementRoom): NodePosition {
  const box = 'nodeId' in to ? endBoxOf(editor, to.nodeId, null) : undefined;
  if (box === undefined) return { x: 0, y: 0 };
  if (to.do === 'before') return placeBefore(box, room);
  if (to.do === 'inside')
    return { x: box.x + containerPadding, y: box.y + cardMetrics.headerHeight + containerPadding };
  return placeBehind(box, room);
}

/** Returns the position of a card between the ends of an edge, and new positions of the cards that make room for it. */
export function placesInto(
  editor: AddDesk,
  { id, edgeId, room }: { readonly id: string; readonly edgeId: string; readonly room: PlacementRoom },
): ReadonlyMap<string, NodePosition> {
  const edge = edgeOf(editor, edgeId);
  const [first, second] = [boxOf(editor, edge?.from ?? ''), boxOf(editor, edge?.to ?? '')];
  if (first === undefined || second === undefined) return new Map();
  const { projection, layout } = editor;
  const behind = reachableFrom({ positions: layout.positions, edges: projection.edges }, second.id, 'right');
  const { place, moved } = placeBetween(first, second, behind, room);
  return new Map([
    ...moved,
    [id, freePlace(place, { ...room, boxes: room.boxes.filter((box) => !moved.has(box.id)) })],
  ]);
}

interface PlacementRoom {
  readonly boxes: readonly CardRect[];
  readonly direction: FlowDirection;
  /** Width of the new card. */
  readonly width: number;
  readonly height: number;
}

/** Distance to the next card along the flow, and between cards beside each other. */
const gapAlong = 56;
const gapAside = 24;

/** Returns a free position after a card. */
export function placeBehind(box: Omit<CardRect, 'id'>, room: PlacementRoom): NodePosition {
  const wish =
    room.direction === 'right'
      ? { x: box.x + box.width + gapAlong, y: box.y }
      : { x: box.x, y: box.y + box.height + gapAlong };
  return freePlace(wish, room);
}

/** Returns a free position before a card. */
export function placeBefore(box: Omit<CardRect, 'id'>, room: PlacementRoom): NodePosition {
  const wish =
    room.direction === 'right'
      ? { x: box.x - room.width - gapAlong, y: box.y }
      : { x: box.x, y: box.y - room.height - gapAlong };
  return freePlace(wish, room);
}

/**
 * Returns the requested position, moved perpendicular to the flow until it covers no card. @param distance minimum
 * distance to any card
 */
export function freePlace(
  wish: NodePosition,
  { boxes, direction, width, height }: PlacementRoom,
  distance = gapAside,
): NodePosition {
  let { x, y } = wish;
  const hit = (): CardRect | undefined =>
    boxes.find(
      (box) =>
        x < box.x + box.width + distance &&
        box.x < x + width + distance &&
        y < box.y + box.height + distance &&
        box.y < y + height + distance,
    );
  for (let box = hit(); box !== undefined; box = hit()) {
    if (direction === 'right') y = box.y + box.height + gapAside;
    else x = box.x + box.width + gapAside;
  }
  return { x: Math.round(x), y: Math.round(y) };
}

interface NodeInsertion {
  readonly place: NodePosition;
  /** New positions of the cards that make room. */
  readonly moved: ReadonlyMap<string, NodePosition>;
}

/**
 * Returns a position between two cards. If there is not enough room, the second card and all cards after it are moved.
 * @param behind IDs of the second card and of all cards after it
 */
export function placeBetween(
  first: CardRect,
  second: CardRect,
  behind: ReadonlySet<string>,
  room: PlacementRoom,
): NodeInsertion {
  if (room.direction === 'right') return placeAcross(first, second, behind, room);
  const { place, moved } = placeAcross(turned(first), turned(second), behind, {
    ...room,
    boxes: room.boxes.map(turned),
    width: room.height,
    height: room.width,
  });
  return { place: exchanged(place), moved: new Map([...moved].map(([id, at]) => [id, exchanged(at)])) };
}

function placeAcross(
  first: CardRect,
  second: CardRect,
  behind: ReadonlySet<string>,
  { boxes, width }: PlacementRoom,
): NodeInsertion {
  const start = first.x + first.width;
  const needed = width + 2 * gapAlong;
  const there = second.x - start;
  const lacking = needed - there;
  const place = { x: Math.round(start + (Math.max(needed, there) - width) / 2), y: first.y };
  // A backward edge has no room to make, because its second card is before the first.
  if (lacking <= 0 || there < 0) return { place, moved: new Map() };
  const moving = withPushed(boxes, new Set(boxes.filter(({ id, x }) => behind.has(id) && x >= second.x)), lacking);
  return { place, moved: new Map(moving.map(({ id, x, y }) => [id, { x: x + lacking, y }])) };
}

function turned({ id, x, y, width, height }: CardRect): CardRect {
  return { id, x: y, y: x, width: height, height: width };
}

function exchanged({ x, y }: NodePosition): NodePosition {
  return { x: y, y: x };
}
