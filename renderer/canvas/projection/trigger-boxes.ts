/**
 * Positions of the cards of triggers: a column to the left of everything else. They are not in the file, so that adding
 * a trigger moves nothing.
 */
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import type { Direction } from '../../stores/window/canvases.ts';
import { boundsOf, type Rect } from '../geometry/rect.ts';
import { type FlowWithLayout, groupFrame, outerRect } from './frames.ts';

/** The parts of a flow that have positions. */
export type TriggeredDoc = Pick<FlowDoc, 'layout' | 'flow'>;

export const triggerCard = { width: 208, height: 112, gap: 28, distance: 72 } as const;

const noBoxes: ReadonlyMap<string, Rect> = new Map();

/** Returns the boxes of cards, containers, notes and groups. */
export function contentBoxes(
  { projection, layout }: FlowWithLayout,
  { layout: stored }: TriggeredDoc,
): readonly Rect[] {
  const { notes = {}, groups = {} } = stored ?? {};
  const frames = Object.values(groups).flatMap((group) => groupFrame({ projection, layout }, group, null) ?? []);
  return [...projection.nodes.map((node) => outerRect(node, layout)), ...Object.values(notes), ...frames];
}

/** Returns the box of each trigger's card, by ID, in the order of the file. */
export function triggerBoxes(placed: FlowWithLayout, doc: TriggeredDoc): ReadonlyMap<string, Rect> {
  const { triggers = [] } = doc.flow;
  if (triggers.length === 0) return noBoxes;
  const { width, height, gap, distance } = triggerCard;
  const content = boundsOf(contentBoxes(placed, doc)) ?? { x: 0, y: 0 };
  const starts = startBoxes(placed).map(({ y }) => y);
  const top = starts.length === 0 ? content.y : Math.min(...starts);
  const ids = [...new Set(triggers.map(({ id }) => id))];
  const boxAt = (index: number): Rect => {
    return { x: content.x - distance - width, y: top + index * (height + gap), width, height };
  };
  return new Map(ids.map((id, index) => [id, boxAt(index)]));
}

/** Returns the boxes of the nodes that every run starts with. */
export function startBoxes({ projection, layout }: FlowWithLayout): readonly Rect[] {
  return projection.nodes.filter(({ content }) => content.isStart).map((node) => outerRect(node, layout));
}

/** What an arrow key leads to from a trigger or to one. */
type TriggerNeighbour = { readonly part: 'triggers' | 'nodes'; readonly id: string } | undefined;

/** Returns what an arrow key leads to from a trigger: another one, or a start node. */
export function neighbourOfTrigger(
  placed: FlowWithLayout,
  doc: TriggeredDoc,
  { id, direction }: { readonly id: string; readonly direction: Direction },
): TriggerNeighbour {
  const boxes = triggerBoxes(placed, doc);
  const from = boxes.get(id);
  if (from === undefined || direction === 'left') return undefined;
  if (direction === 'right') {
    const starts = placed.projection.nodes.filter(({ content }) => content.isStart);
    return nearest(from, 'nodes', new Map(starts.map((node) => [node.id, outerRect(node, placed.layout)])));
  }
  const ids = [...boxes.keys()];
  const next = ids[ids.indexOf(id) + (direction === 'down' ? 1 : -1)];
  return next === undefined ? undefined : { part: 'triggers', id: next };
}

/** Returns the trigger to the left of a start node. */
export function triggerBefore(placed: FlowWithLayout, doc: TriggeredDoc, nodeId: string): TriggerNeighbour {
  const node = placed.projection.nodes.find(({ id }) => id === nodeId);
  if (node?.content.isStart !== true) return undefined;
  return nearest(outerRect(node, placed.layout), 'triggers', triggerBoxes(placed, doc));
}

function nearest(from: Rect, part: 'triggers' | 'nodes', boxes: ReadonlyMap<string, Rect>): TriggerNeighbour {
  const [first] = [...boxes].sort(([, a], [, b]) => Math.abs(a.y - from.y) - Math.abs(b.y - from.y));
  return first === undefined ? undefined : { part, id: first[0] };
}
