/**
 * What stands around cards: the container of each loop, with the loop's card as its header, and the frames of groups.
 */

import type { GroupDoc, NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
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

/** Around the body, so that edges have a lane. */
export const containerPadding = 24;
/** Room below a card that it may grow into. */
const growthPadding = 8;
/** Where the first node of a body can be dropped. */
const emptyBody = { width: cardMetrics.width, height: 56 } as const;
/** Of a loop without a body; no other is smaller. */
export const emptyContainer = {
  width: emptyBody.width + 2 * containerPadding,
  height: cardMetrics.headerHeight + emptyBody.height + 2 * containerPadding,
} as const;

export interface FlowLayout {
  /** Top left corner of each card, by node id. */
  readonly positions: ReadonlyMap<string, NodePosition>;
  /** Where each edge turns, by edge id. An edge without an entry (it closes a circle) finds its own way. */
  readonly routes: ReadonlyMap<string, readonly Bend[]>;
}

/** A flow with all its places, those of containers included. */
export interface CanvasLayout extends FlowLayout {
  /** By loop; those around others first, as they are drawn. */
  readonly frames: ReadonlyMap<string, LoopFrame>;
}

/** A flow and where its cards stand. */
export interface PlacedFlow {
  readonly projection: FlowProjection;
  readonly layout: CanvasLayout;
}

type FramedNode = Pick<ProjectedNode, 'id' | 'loopId' | 'height' | 'room'> & {
  readonly content: Pick<ProjectedNode['content'], 'bodySize'>;
};

/** Whether a card is the header of a container. */
export function isContainer({ content }: Pick<FramedNode, 'content'>): boolean {
  return content.bodySize !== null;
}

interface Extent extends Omit<LoopFrame, 'loopId'> {
  /** With the room that it may need while it runs. */
  readonly reach: number;
}

/** The containers of a flow, those around others first. They hold the place of their loop, and all of its body. */
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

/** A layout with its containers; their loops stand at the top left corner of them. */
export function withFrames(nodes: readonly FramedNode[], layout: FlowLayout): CanvasLayout {
  if (!nodes.some(isContainer)) return { ...layout, frames: noFrames };
  const frames = new Map(loopFrames(nodes, layout.positions).map((frame) => [frame.loopId, frame]));
  const corners = [...frames].map(([id, { left, top }]): [string, NodePosition] => [id, { x: left, y: top }]);
  return { ...layout, positions: new Map([...layout.positions, ...corners]), frames };
}

const noFrames: ReadonlyMap<string, LoopFrame> = new Map();

/** A card by its place and size; of a container its header. */
export function cardRect(
  { id, height }: Pick<ProjectedNode, 'id' | 'height'>,
  { positions, frames }: Pick<CanvasLayout, 'positions' | 'frames'>,
): Rect {
  const frame = frames.get(id);
  const width = frame === undefined ? cardMetrics.width : frame.right - frame.left;
  return { ...(positions.get(id) ?? { x: 0, y: 0 }), width, height };
}

/** A card by its place and size; of a container all of it. */
export function outerRect(
  node: Pick<ProjectedNode, 'id' | 'height'>,
  layout: Pick<CanvasLayout, 'positions' | 'frames'>,
): Rect {
  const frame = layout.frames.get(node.id);
  const rect = cardRect(node, layout);
  return frame === undefined ? rect : { ...rect, height: frame.bottom - frame.top };
}

/** Around the cards; the title needs more above them. */
export const groupPadding = { side: 20, top: 40, bottom: 20 } as const;
/** A folded group is as large as a card's header. */
export const foldedSize = { width: cardMetrics.width, height: cardMetrics.headerHeight } as const;

/** The frame around the cards of a group, where they are dragged to. Null when it has none. */
export function groupFrame(
  { projection, layout }: PlacedFlow,
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

/** Nodes with all that stands in the bodies of loops among them. */
export function withBodies(nodes: readonly Pick<ProjectedNode, 'id' | 'loopId'>[], ids: Iterable<string>): Set<string> {
  const all = new Set(ids);
  // A loop may stand behind its body in the file, and bodies hold loops.
  let before: number;
  do {
    before = all.size;
    for (const { id, loopId } of nodes) if (loopId !== null && all.has(loopId)) all.add(id);
  } while (all.size > before);
  return all;
}
