/**
 * Determines where dragged cards would be dropped: the loop they would join or leave, or the edge into which a card
 * would be inserted.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import type { BodyMove } from '../../stores/flow/loop-bodies.ts';
import { edgeCorners } from '../geometry/edge-path.ts';
import type { Point } from '../geometry/rect.ts';
import type { ProjectedNode } from '../projection/flow-projection.ts';
import type { FlowWithLayout } from '../projection/frames.ts';
import { type LoopFrame, loopFrames, outerRect } from '../projection/frames.ts';
import { type CanvasEditor, loopAround } from '../state/canvas-editor.ts';

type DropTargetPositions = ReadonlyMap<string, NodePosition>;

/**
 * Returns null while cards stay inside or outside. They join a body if their centers are in its container, and leave it
 * only if none of them touches the original container, because a container grows with cards that are moved a little.
 */
export function findBodyDrop({ projection, layout }: FlowWithLayout, dragged: DropTargetPositions): BodyMove | null {
  const { nodes } = projection;
  if (layout.frames.size === 0) return null;
  const roots = nodes.filter(({ id, loopId }) => dragged.has(id) && (loopId === null || !dragged.has(loopId)));
  const from = roots[0]?.loopId ?? null;
  if (roots.length === 0 || roots.some(({ loopId }) => loopId !== from)) return null;
  const resting = nodes.filter(({ id }) => !dragged.has(id));
  const frames = loopFrames(resting, layout.positions);
  const boxes = roots.map((node) => boxAt(node, layout, dragged));
  // Outer containers come before those inside them.
  const to = frames.findLast((frame) => boxes.every((box) => holdsMiddle(frame, box)))?.loopId ?? null;
  if (to === from) return null;
  if (from !== null && !standsIn(nodes, to, from)) {
    const frame = layout.frames.get(from);
    if (frame !== undefined && boxes.some((box) => touches(frame, box))) return null;
  }
  return { ids: new Set(roots.map(({ id }) => id)), from, to };
}

/** Returns the loop with the innermost container around a position, or null. */
export function loopAt({ layout }: FlowWithLayout, { x, y }: NodePosition): string | null {
  const holds = ({ left, top, right, bottom }: LoopFrame): boolean => x > left && x < right && y > top && y < bottom;
  return [...layout.frames.values()].findLast(holds)?.loopId ?? null;
}

/** Returns the containers while cards are dragged, as they would be after the drop. Null if there are none. */
export function draggedFrames(
  { projection, layout }: FlowWithLayout,
  dragged: DropTargetPositions,
  drop: BodyMove | null,
): readonly LoopFrame[] | null {
  if (layout.frames.size === 0) return null;
  const { nodes } = projection;
  const moving =
    drop === null ? nodes : nodes.map((node) => (drop.ids.has(node.id) ? { ...node, loopId: drop.to } : node));
  // A container may shrink again, but not beyond the position that the file specifies for its loop.
  const loops = nodes.flatMap(({ id, position }): [string, NodePosition][] =>
    position !== null && layout.frames.has(id) ? [[id, position]] : [],
  );
  return loopFrames(moving, new Map([...layout.positions, ...loops, ...dragged]));
}

type Edges = Omit<LoopFrame, 'loopId'>;

/** Returns the box of a dragged card, or the whole container for a loop. */
function boxAt(node: ProjectedNode, layout: FlowWithLayout['layout'], dragged: DropTargetPositions): Edges {
  const { x: left, y: top } = dragged.get(node.id) ?? { x: 0, y: 0 };
  const { width, height } = outerRect(node, layout);
  return { left, top, right: left + width, bottom: top + height };
}

function holdsMiddle(frame: Edges, box: Edges): boolean {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
}

function touches(frame: Edges, box: Edges): boolean {
  return box.left < frame.right && box.right > frame.left && box.top < frame.bottom && box.bottom > frame.top;
}

/** Returns whether a loop is in the body of another, at any depth. */
function standsIn(nodes: readonly ProjectedNode[], inner: string | null, outer: string): boolean {
  const loopOf = new Map(nodes.map(({ id, loopId }) => [id, loopId]));
  for (let id = inner; id !== null; id = loopOf.get(id) ?? null) if (id === outer) return true;
  return false;
}

/** Margin in pixels. Only the inner part of a card counts, so a card that only grazes an edge is moved normally. */
const grazing = 12;

/** Returns null unless a single card without edges is dragged and is on an edge of its level. */
export function findDropEdge(
  editor: Pick<CanvasEditor, 'projection' | 'layout' | 'edges'>,
  dragged: ReadonlyMap<string, NodePosition>,
): string | null {
  const [only] = dragged;
  if (only === undefined || dragged.size > 1) return null;
  const [id, place] = only;
  const card = editor.projection.nodes.find((node) => node.id === id);
  const isConnected = editor.edges.some(({ source, target }) => source === id || target === id);
  if (card === undefined || isConnected) return null;
  return edgeUnder(editor, { ...place, height: card.height }, (source) => loopAround(editor, source) === card.loopId);
}

/** Returns the edge that runs through the middle of a card with this position and height. */
export function edgeUnder(
  { edges, projection }: Pick<CanvasEditor, 'projection' | 'edges'>,
  { x, y, height }: NodePosition & { readonly height: number },
  mayHold: (source: string) => boolean,
): string | null {
  const box = {
    left: x + grazing,
    right: x + cardMetrics.width - grazing,
    top: y + grazing,
    bottom: y + height - grazing,
  };
  const under = edges.find(({ source, data }) => {
    if (data === undefined || !mayHold(source)) return false;
    const corners = edgeCorners({ ends: data.routedEnds, route: data.route, direction: projection.direction });
    return corners.some((corner, index) => {
      const next = corners[index + 1];
      return next !== undefined && crosses(box, corner, next);
    });
  });
  return under?.id ?? null;
}

/** Edge segments are always horizontal or vertical. */
function crosses(
  box: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number },
  from: Point,
  to: Point,
): boolean {
  return (
    Math.max(from.x, to.x) >= box.left &&
    Math.min(from.x, to.x) <= box.right &&
    Math.max(from.y, to.y) >= box.top &&
    Math.min(from.y, to.y) <= box.bottom
  );
}
