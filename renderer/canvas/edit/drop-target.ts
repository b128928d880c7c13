/**
 * Where dragged cards would be dropped: the loop whose body they would join or leave, and the edge into which one would be put.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import type { BodyMove } from '../../stores/flow/loop-bodies.ts';
import { edgeCorners } from '../geometry/edge-path.ts';
import type { Point } from '../geometry/rect.ts';
import type { ProjectedNode } from '../projection/flow-projection.ts';
import type { PlacedFlow } from '../projection/frames.ts';
import { type LoopFrame, loopFrames, outerRect } from '../projection/frames.ts';
import { type CanvasEditor, loopAround } from '../state/canvas-editor.ts';

type Places = ReadonlyMap<string, NodePosition>;

/**
 * Null while cards stay on their side. They join a body when their middles lie in its container, and leave one only when
 * none of them touches it as it was: a container grows with cards that are moved a little.
 */
export function findBodyDrop({ projection, layout }: PlacedFlow, dragged: Places): BodyMove | null {
  const { nodes } = projection;
  if (layout.frames.size === 0) return null;
  const roots = nodes.filter(({ id, loopId }) => dragged.has(id) && (loopId === null || !dragged.has(loopId)));
  const from = roots[0]?.loopId ?? null;
  if (roots.length === 0 || roots.some(({ loopId }) => loopId !== from)) return null;
  const resting = nodes.filter(({ id }) => !dragged.has(id));
  const frames = loopFrames(resting, layout.positions);
  const boxes = roots.map((node) => boxAt(node, layout, dragged));
  // Those around others come first.
  const to = frames.findLast((frame) => boxes.every((box) => holdsMiddle(frame, box)))?.loopId ?? null;
  if (to === from) return null;
  if (from !== null && !standsIn(nodes, to, from)) {
    const frame = layout.frames.get(from);
    if (frame !== undefined && boxes.some((box) => touches(frame, box))) return null;
  }
  return { ids: new Set(roots.map(({ id }) => id)), from, to };
}

/** The innermost loop in whose container a place of the flow lies; null = in none. */
export function loopAt({ layout }: PlacedFlow, { x, y }: NodePosition): string | null {
  const holds = ({ left, top, right, bottom }: LoopFrame): boolean => x > left && x < right && y > top && y < bottom;
  return [...layout.frames.values()].findLast(holds)?.loopId ?? null;
}

/** The containers while cards are dragged, with those that would change sides there already; null where there are none. */
export function draggedFrames(
  { projection, layout }: PlacedFlow,
  dragged: Places,
  drop: BodyMove | null,
): readonly LoopFrame[] | null {
  if (layout.frames.size === 0) return null;
  const { nodes } = projection;
  const moving =
    drop === null ? nodes : nodes.map((node) => (drop.ids.has(node.id) ? { ...node, loopId: drop.to } : node));
  // A container may become smaller again, up to the place that the file gives its loop.
  const loops = nodes.flatMap(({ id, position }): [string, NodePosition][] =>
    position !== null && layout.frames.has(id) ? [[id, position]] : [],
  );
  return loopFrames(moving, new Map([...layout.positions, ...loops, ...dragged]));
}

type Edges = Omit<LoopFrame, 'loopId'>;

/** Where a dragged card is, of a loop its whole container. */
function boxAt(node: ProjectedNode, layout: PlacedFlow['layout'], dragged: Places): Edges {
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

/** Whether a loop stands in the body of another, at any depth. */
function standsIn(nodes: readonly ProjectedNode[], inner: string | null, outer: string): boolean {
  const loopOf = new Map(nodes.map(({ id, loopId }) => [id, loopId]));
  for (let id = inner; id !== null; id = loopOf.get(id) ?? null) if (id === outer) return true;
  return false;
}

/** A card's middle part counts, so that one that only grazes an edge is just moved. */
const grazing = 12;

/** Null unless one card alone is dragged that has no edges yet, and lies on an edge of its level. */
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

/** The edge that runs through the middle of a card of this place and height. */
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

/** Edges run across or down only. */
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
