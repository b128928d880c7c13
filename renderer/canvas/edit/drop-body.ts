/**
 * The loop whose body dragged cards would join, or leave.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import type { BodyMove } from '../../stores/body-changes.ts';
import type { PlacedFlow } from '../canvas-elements.ts';
import { cardMetrics } from '../card-metrics.ts';
import type { ProjectedNode } from '../flow-projection.ts';
import { framePadding } from '../layout/nested-layout.ts';
import { type LoopFrame, loopFrames } from '../loop-frames.ts';

type Places = ReadonlyMap<string, NodePosition>;

/**
 * Null while cards stay on their side. They join a body when their middles lie in its frame, and leave one only when none
 * of them touches it any more: a frame grows with cards that are moved a little.
 */
export function findBodyDrop({ projection, layout }: PlacedFlow, dragged: Places): BodyMove | null {
  const { nodes } = projection;
  if (nodes.every(({ loopId }) => loopId === null)) return null;
  const roots = nodes.filter(({ id, loopId }) => dragged.has(id) && (loopId === null || !dragged.has(loopId)));
  const from = roots[0]?.loopId ?? null;
  if (roots.length === 0 || roots.some(({ loopId }) => loopId !== from)) return null;
  const resting = nodes.filter(({ id }) => !dragged.has(id));
  const frames = loopFrames(resting, layout.positions);
  const boxes = roots.map((node) => boxAt(node, dragged));
  // Those around others come first.
  const to = frames.findLast((frame) => boxes.every((box) => holdsMiddle(frame, box)))?.loopId ?? null;
  if (to === from) return null;
  if (from !== null && !standsIn(nodes, to, from)) {
    const loop = resting.find(({ id }) => id === from);
    const own = loop === undefined ? undefined : widened(boxAt(loop, layout.positions));
    const frame = frames.find(({ loopId }) => loopId === from) ?? own;
    if (frame !== undefined && boxes.some((box) => touches(frame, box))) return null;
  }
  return { ids: new Set(roots.map(({ id }) => id)), from, to };
}

type Edges = Omit<LoopFrame, 'loopId'>;

function boxAt({ id, height }: ProjectedNode, places: Places): Edges {
  const { x: left, y: top } = places.get(id) ?? { x: 0, y: 0 };
  return { left, top, right: left + cardMetrics.width, bottom: top + height };
}

function widened({ left, top, right, bottom }: Edges): Edges {
  return {
    left: left - framePadding,
    top: top - framePadding,
    right: right + framePadding,
    bottom: bottom + framePadding,
  };
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
