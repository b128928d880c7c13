/**
 * The loop whose body dragged cards would join, or leave.
 */
import {
  edgeRefusal,
  type FlowChange,
  type FlowDoc,
  type NodePosition,
  nameEdges,
} from '../../../engine/isomorphic.ts';
import { type CanvasDesk, nodeOf } from '../canvas-desk.ts';
import type { PlacedFlow } from '../canvas-elements.ts';
import { cardMetrics } from '../card-metrics.ts';
import type { ProjectedNode } from '../flow-projection.ts';
import { framePadding } from '../layout/nested-layout.ts';
import { type LoopFrame, loopFrames } from '../loop-frames.ts';

export interface BodyDrop {
  /** Cards that change sides; what stands in the bodies of loops among them stays there. */
  readonly ids: ReadonlySet<string>;
  /** The loop that loses them; null = they stood in none. */
  readonly from: string | null;
  /** The loop that gets them; null = none does. */
  readonly to: string | null;
}

type Places = ReadonlyMap<string, NodePosition>;

/**
 * Null while cards stay on their side. They join a body when their middles lie in its frame, and leave one only when none
 * of them touches it any more: a frame grows with cards that are moved a little.
 */
export function findBodyDrop({ projection, layout }: PlacedFlow, dragged: Places): BodyDrop | null {
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

/** The change of the loops' bodies; null when a body is no list that could be changed. */
export function bodyChanges(desk: Pick<CanvasDesk, 'doc'>, { ids, from, to }: BodyDrop): readonly FlowChange[] | null {
  const left = from === null ? [] : bodyOf(desk, from);
  const joined = to === null ? [] : bodyOf(desk, to);
  if (left === null || joined === null) return null;
  const path = ['input', 'body'];
  return [
    ...(from === null ? [] : [{ do: 'set-node', id: from, path, value: left.filter((id) => !ids.has(id)) } as const]),
    ...(to === null ? [] : [{ do: 'set-node', id: to, path, value: [...joined, ...ids] } as const]),
  ];
}

/** Why the cards may not change sides, as a sentence for people; null when they may. */
export function bodyRefusal({ doc }: Pick<CanvasDesk, 'doc'>, changes: readonly FlowChange[], drop: BodyDrop) {
  const bodies = new Map(changes.flatMap((change) => (change.do === 'set-node' ? [[change.id, change.value]] : [])));
  const nodes = doc.nodes.map((node) => {
    const body = bodies.get(node.id);
    return body === undefined ? node : { ...node, input: { ...node.input, body } };
  });
  const next: FlowDoc = { ...doc, nodes };
  const names = nameEdges(doc.edges);
  for (const [index, edge] of doc.edges.entries()) {
    if (!drop.ids.has(edge.from) && !drop.ids.has(edge.to)) continue;
    const refusal = edgeRefusal(next, edge, names[index]?.id);
    if (refusal !== null) return refusal;
  }
  return null;
}

function bodyOf(desk: Pick<CanvasDesk, 'doc'>, loopId: string): readonly string[] | null {
  const body = nodeOf(desk, loopId)?.input['body'] ?? [];
  return Array.isArray(body) && body.every((id) => typeof id === 'string') ? body : null;
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
