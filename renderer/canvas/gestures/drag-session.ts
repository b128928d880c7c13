/**
 * A drag of cards and notes: where they are while the pointer moves, and what happens where they are let go.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { boxesOf, type CanvasDesk } from '../canvas-desk.ts';
import { noteKey, partOf } from '../canvas-ids.ts';
import { type Box, boundsOf } from '../edit/arrange.ts';
import { duplicateNodes } from '../edit/clipboard.ts';
import { findDropEdge } from '../edit/drop-edge.ts';
import { movingKeys } from '../edit/moving-keys.ts';
import { moveTo, spliceCard } from '../edit/node-edits.ts';
import { gridStep, type Rect, snapRect } from '../edit/snap.ts';

export interface DragSession {
  /** Places at the start, by ids on the canvas. */
  readonly starts: ReadonlyMap<string, NodePosition>;
  readonly bounds: Rect;
  /** What does not move. */
  readonly others: readonly Rect[];
}

/** Guides pull from so many pixels of the screen. */
const guideReach = 6;
/** Guides look at so many cards near by; in a large flow the rest is far outside of the view. */
const mostOthers = 300;

/** Begins a drag of what is chosen, when `key` is part of it, else of `key` alone. */
export function beginDrag(desk: CanvasDesk, key: string): DragSession | null {
  const grabbed = partOf(key);
  const { chosen } = desk.selection;
  const wanted = chosen[grabbed.part].has(grabbed.id)
    ? chosen
    : {
        nodes: new Set<string>(),
        notes: new Set<string>(),
        groups: new Set<string>(),
        [grabbed.part]: new Set([grabbed.id]),
      };
  const keys = movingKeys(desk, wanted);
  const all = [...boxesOf(desk), ...noteBoxes(desk)];
  const moving = all.filter(({ id }) => keys.has(id));
  const bounds = boundsOf(moving);
  if (bounds === null) return null;
  const others = all.filter(({ id }) => !keys.has(id));
  return {
    starts: new Map(moving.map(({ id, x, y }) => [id, { x, y }])),
    bounds,
    others: others.length > mostOthers ? nearest(others, bounds) : others,
  };
}

function noteBoxes({ doc }: CanvasDesk): Box[] {
  return Object.entries(doc.layout?.notes ?? {}).map(([id, { x, y, width, height }]) => ({
    id: noteKey(id),
    x,
    y,
    width,
    height,
  }));
}

function nearest(boxes: readonly Box[], { x, y }: Rect): Box[] {
  return boxes
    .toSorted((a, b) => Math.abs(a.x - x) + Math.abs(a.y - y) - Math.abs(b.x - x) - Math.abs(b.y - y))
    .slice(0, mostOthers);
}

export interface DragMove {
  /** How far the pointer has come, in logical pixels. */
  readonly by: NodePosition;
  /** Neither grid nor guides. */
  readonly isFree: boolean;
}

/** Tells where everything is now: on the canvas this shows at once, in the file not before the end. */
export function continueDrag(desk: CanvasDesk, session: DragSession, { by, isFree }: DragMove): void {
  const { snap, guides } = desk.stores.editorSettings.getState();
  const { bounds, others, starts } = session;
  const rect = { ...bounds, x: bounds.x + by.x, y: bounds.y + by.y };
  const snapped = snapRect(rect, others, {
    grid: snap && !isFree ? gridStep : null,
    reach: guides && !isFree ? guideReach / desk.zoom() : 0,
  });
  const shift = { x: snapped.x - bounds.x, y: snapped.y - bounds.y };
  const dragged = new Map([...starts].map(([key, { x, y }]) => [key, { x: x + shift.x, y: y + shift.y }]));
  const dropEdge = findDropEdge(desk, dragged);
  desk.moment.setState({ dragged, guides: dropEdge === null ? snapped.guides : [], dropEdge });
}

/** Lets go: moves, puts a card into an edge, or with `isCopy` leaves everything and puts copies there. */
export async function endDrag(desk: CanvasDesk, session: DragSession, isCopy: boolean): Promise<void> {
  const { dragged, dropEdge } = desk.moment.getState();
  desk.moment.setState({ dragged: null, guides: [], dropEdge: null });
  if (dragged === null || !hasMoved(session, dragged)) {
    desk.restore();
    return;
  }
  const [only] = dragged.keys();
  if (isCopy) {
    desk.restore();
    const nodes = [...dragged.keys()].filter((key) => partOf(key).part === 'nodes');
    await duplicateNodes(desk, new Set(nodes), () => cornerOf(nodes.flatMap((key) => dragged.get(key) ?? [])));
  } else if (dropEdge !== null && only !== undefined) {
    await spliceCard(desk, { node: only, edge: dropEdge, places: dragged });
  } else {
    await moveTo(desk, dragged);
  }
}

/** Leaves everything where it was. */
export function cancelDrag({ moment, restore }: Pick<CanvasDesk, 'moment' | 'restore'>): void {
  moment.setState({ dragged: null, guides: [], dropEdge: null });
  restore();
}

function hasMoved({ starts }: DragSession, dragged: ReadonlyMap<string, NodePosition>): boolean {
  return [...dragged].some(([key, { x, y }]) => {
    const start = starts.get(key);
    return start !== undefined && (Math.round(x) !== Math.round(start.x) || Math.round(y) !== Math.round(start.y));
  });
}

function cornerOf(places: readonly NodePosition[]): NodePosition {
  return { x: Math.min(...places.map(({ x }) => x)), y: Math.min(...places.map(({ y }) => y)) };
}
