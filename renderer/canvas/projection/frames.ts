/**
 * Computes the frames around cards: the container of each loop, with the loop's card as its header, and the frames of
 * groups.
 */

import type { GroupDoc, NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import { nameOfEdge } from '../../stores/review/reviewed-flow.ts';
import type { Bend } from '../geometry/edge-path.ts';
import { boundsOf, type Rect } from '../geometry/rect.ts';
import type { FlowProjection, ProjectedNode } from './flow-projection.ts';
import { groupBy } from './plain-data.ts';

export interface LoopFrame {
  readonly loopId: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Padding around the body, wide enough for an edge to pass. */
export const containerPadding = 24;
/** Room below a card for it to grow. */
const growthPadding = 8;
/** The area where the first node of a body can be dropped. */
const emptyBody = { width: cardMetrics.width, height: 56 } as const;
/** Size of a loop without a body, which is the minimum size of a container. */
export const emptyContainer = {
  width: emptyBody.width + 2 * containerPadding,
  height: cardMetrics.headerHeight + emptyBody.height + 2 * containerPadding,
} as const;

export interface FlowLayout {
  /** Top left corner of each card, by node ID. */
  readonly positions: ReadonlyMap<string, NodePosition>;
  /** The bends of each edge, by edge ID. An edge without an entry (it closes a cycle) gets a default route. */
  readonly routes: ReadonlyMap<string, readonly Bend[]>;
}

/** A flow with all positions, including those of containers. */
export interface CanvasLayout extends FlowLayout {
  /** Frames by loop, outer ones first, which is the drawing order. */
  readonly frames: ReadonlyMap<string, LoopFrame>;
}

/** A flow and the positions of its cards. */
export interface FlowWithLayout {
  readonly projection: FlowProjection;
  readonly layout: CanvasLayout;
}

type FramedNode = Pick<ProjectedNode, 'id' | 'loopId' | 'height' | 'room'> & {
  readonly content: Pick<ProjectedNode['content'], 'bodySize'>;
};

/** Returns whether a card is a container's header. */
export function isContainer({ content }: Pick<FramedNode, 'content'>): boolean {
  return content.bodySize !== null;
}

interface Extent extends Omit<LoopFrame, 'loopId'> {
  /** Height, including the room that it may need during a run. */
  readonly reach: number;
}

/**
 * Returns the containers of a flow, outer ones first. A container includes the position of its loop and its whole body.
 */
export function loopFrames(
  nodes: readonly FramedNode[],
  positions: ReadonlyMap<string, NodePosition>,
): readonly LoopFrame[] {
  const bodies = groupBy(nodes, ({ loopId }) => loopId);
  const frames: LoopFrame[] = [];
  const extentOf = (node: FramedNode): Extent => {
    const { x: left, y: top } = positions.get(node.id) ?? { x: 0, y: 0 };
    if (!isContainer(node)) {
      return { left, top, right: left + cardMetrics.width, bottom: top + node.height, reach: top + node.room };
    }
    const frame = frameAround({ x: left, y: top }, (bodies.get(node.id) ?? []).map(extentOf));
    frames.push({ loopId: node.id, ...frame });
    return { ...frame, reach: frame.bottom };
  };
  for (const node of bodies.get(null) ?? []) extentOf(node);
  return frames.toReversed();
}

function frameAround({ x, y }: NodePosition, body: readonly Extent[]): Omit<LoopFrame, 'loopId'> {
  if (body.length === 0) return { left: x, top: y, right: x + emptyContainer.width, bottom: y + emptyContainer.height };
  const { headerHeight } = cardMetrics;
  const left = Math.min(x, ...body.map((part) => part.left - containerPadding));
  const top = Math.min(y, ...body.map((part) => part.top - containerPadding - headerHeight));
  return {
    left,
    top,
    right: Math.max(left + emptyContainer.width, ...body.map((part) => part.right + containerPadding)),
    bottom: Math.max(...body.map(({ bottom, reach }) => Math.max(bottom + containerPadding, reach + growthPadding))),
  };
}

/** Adds containers to a layout. Each loop moves to the top left corner of its container. */
export function withFrames(nodes: readonly FramedNode[], layout: FlowLayout): CanvasLayout {
  if (!nodes.some(isContainer)) return { ...layout, frames: noFrames };
  const frames = new Map(loopFrames(nodes, layout.positions).map((frame) => [frame.loopId, frame]));
  const corners = [...frames].map(([id, { left, top }]): [string, NodePosition] => [id, { x: left, y: top }]);
  return { ...layout, positions: new Map([...layout.positions, ...corners]), frames };
}

const noFrames: ReadonlyMap<string, LoopFrame> = new Map();

/** Returns the position and size of a card, or of the header for a container. */
export function cardRect(
  { id, height }: Pick<ProjectedNode, 'id' | 'height'>,
  { positions, frames }: Pick<CanvasLayout, 'positions' | 'frames'>,
): Rect {
  const frame = frames.get(id);
  const width = frame === undefined ? cardMetrics.width : frame.right - frame.left;
  return { ...(positions.get(id) ?? { x: 0, y: 0 }), width, height };
}

/** Returns the position and size of a card, or of the whole container. */
export function outerRect(
  node: Pick<ProjectedNode, 'id' | 'height'>,
  layout: Pick<CanvasLayout, 'positions' | 'frames'>,
): Rect {
  const frame = layout.frames.get(node.id);
  const rect = cardRect(node, layout);
  return frame === undefined ? rect : { ...rect, height: frame.bottom - frame.top };
}

/** Padding around the cards of a group. The title needs more above them. */
export const groupPadding = { side: 20, top: 40, bottom: 20 } as const;
/** Size of a folded group: that of a card's header. */
export const foldedSize = { width: cardMetrics.width, height: cardMetrics.headerHeight } as const;

/**
 * Returns the frame around the cards of a group at their current or dragged positions. Null if the group has no cards.
 */
export function groupFrame(
  { projection, layout }: FlowWithLayout,
  { nodes }: Pick<GroupDoc, 'nodes'>,
  dragged: ReadonlyMap<string, NodePosition> | null,
): Rect | null {
  const members = withBodies(projection.nodes, nodes);
  const boxes = projection.nodes
    .filter(({ id }) => members.has(id))
    .map((node) => ({ ...outerRect(node, layout), ...dragged?.get(node.id) }));
  const bounds = boundsOf(boxes);
  if (bounds === null) return null;
  return {
    x: bounds.x - groupPadding.side,
    y: bounds.y - groupPadding.top,
    width: bounds.width + 2 * groupPadding.side,
    height: bounds.height + groupPadding.top + groupPadding.bottom,
  };
}

/** Returns nodes together with everything in loop bodies among them. */
export function withBodies(nodes: readonly Pick<ProjectedNode, 'id' | 'loopId'>[], ids: Iterable<string>): Set<string> {
  const all = new Set(ids);
  // Repeats, because a loop may come after its body in the file, and bodies can contain loops.
  let before: number;
  do {
    before = all.size;
    for (const { id, loopId } of nodes) if (loopId !== null && all.has(loopId)) all.add(id);
  } while (all.size > before);
  return all;
}

/** Returns the flow without what a review only draws: what gestures and commands work with. */
export function withoutGhosts(placed: FlowWithLayout, ghosts: ReadonlySet<string>): FlowWithLayout {
  const { projection, layout } = placed;
  const isOwn = ({ id }: { readonly id: string }): boolean => !ghosts.has(id) && nameOfEdge(id) === id;
  const edges = projection.edges.filter(isOwn);
  if (ghosts.size === 0 && edges.length === projection.edges.length) return placed;
  const own: FlowProjection = { ...projection, nodes: projection.nodes.filter(isOwn), edges };
  const positions = new Map([...layout.positions].filter(([id]) => !ghosts.has(id)));
  return { projection: own, layout: { ...layout, positions } };
}
