/**
 * A drag of cards and notes: their positions while the pointer moves, and what happens when they are dropped.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { type BodyMove, bodyChanges, bodyRefusal } from '../../stores/flow/loop-bodies.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import type { Chosen } from '../../stores/window/selection.ts';
import { duplicate } from '../edit/clipboard.ts';
import { draggedFrames, findBodyDrop, findDropEdge } from '../edit/drop-target.ts';
import { moveChange, movingKeys } from '../edit/move-change.ts';
import { moveTo } from '../edit/node-edits.ts';
import { partsText } from '../edit/parts-text.ts';
import { spliceCard } from '../edit/splice-card.ts';
import { boundsOf, type CardRect, gridStep, type Rect } from '../geometry/rect.ts';
import { snapRect } from '../geometry/snap.ts';
import { boxesOf, type CanvasEditor } from '../state/canvas-editor.ts';
import { noteKey, partOf } from '../state/canvas-elements.ts';
import { text } from '../text.ts';
import { continueLaneDrag, endLaneDrag, type LaneDrag } from './lane-drag.ts';

export interface DragSession extends LaneDrag {
  /** Groups that move as a whole. */
  readonly groups: ReadonlySet<string>;
  /** Rectangles that do not move. */
  readonly others: readonly Rect[];
}

/** Distance in screen pixels at which guides attract. */
const guideReach = 6;
/** Maximum number of nearby cards considered for guides. In a large flow, the rest is far outside the view. */
const mostOthers = 300;

/** Starts dragging the selection if `key` is part of it, or else `key` alone. */
export function beginDrag(editor: CanvasEditor, key: string): DragSession | null {
  const grabbed = partOf(key);
  const { chosen } = editor.selection;
  const wanted = chosen[grabbed.part].has(grabbed.id)
    ? chosen
    : {
        nodes: new Set<string>(),
        notes: new Set<string>(),
        groups: new Set<string>(),
        [grabbed.part]: new Set([grabbed.id]),
      };
  const keys = movingKeys(editor, wanted);
  const all = [...boxesOf(editor), ...noteBoxes(editor)];
  const moving = all.filter(({ id }) => keys.has(id));
  const bounds = boundsOf(moving);
  if (bounds === null) return null;
  const others = all.filter(({ id }) => !keys.has(id));
  return {
    starts: new Map(moving.map(({ id, x, y }) => [id, { x, y }])),
    groups: wanted.groups,
    bounds,
    others: others.length > mostOthers ? nearest(others, bounds) : others,
  };
}

function noteBoxes({ doc }: CanvasEditor): CardRect[] {
  return Object.entries(doc.layout?.notes ?? {}).map(([id, { x, y, width, height }]) => ({
    id: noteKey(id),
    x,
    y,
    width,
    height,
  }));
}

function nearest(boxes: readonly CardRect[], { x, y }: Rect): CardRect[] {
  return boxes
    .toSorted((a, b) => Math.abs(a.x - x) + Math.abs(a.y - y) - Math.abs(b.x - x) - Math.abs(b.y - y))
    .slice(0, mostOthers);
}

const letGo = { dragged: null, frames: null, guides: [], dropEdge: null, dropBody: null, laneSlot: null } as const;

interface DragMove {
  /** Distance the pointer has moved, in logical pixels. */
  readonly by: NodePosition;
  /** Whether grid and guides are off. */
  readonly isFree: boolean;
}

/** Updates the positions during the drag. They show on the canvas at once and are written to the file at the end. */
export function continueDrag(editor: CanvasEditor, session: DragSession, { by, isFree }: DragMove): void {
  if (isStepFlow(editor.doc)) {
    continueLaneDrag(editor, session, by);
    return;
  }
  const { snap, guides } = editor.stores.editorSettings.getState();
  const { bounds, others, starts } = session;
  const rect = { ...bounds, x: bounds.x + by.x, y: bounds.y + by.y };
  const snapped = snapRect(rect, others, {
    grid: snap && !isFree ? gridStep : null,
    reach: guides && !isFree ? guideReach / editor.zoom() : 0,
  });
  const shift = { x: snapped.x - bounds.x, y: snapped.y - bounds.y };
  const dragged = new Map([...starts].map(([key, { x, y }]) => [key, { x: x + shift.x, y: y + shift.y }]));
  const dropEdge = findDropEdge(editor, dragged);
  const dropBody = dropEdge === null ? findBodyDrop(editor, dragged) : null;
  const frames = draggedFrames(editor, dragged, dropBody);
  editor.interaction.setState({ dragged, frames, guides: dropEdge === null ? snapped.guides : [], dropEdge, dropBody });
}

/**
 * Ends the drag: moves the elements or inserts a card into an edge. With `isCopy`, leaves the originals in place and
 * adds copies.
 */
export async function endDrag(editor: CanvasEditor, session: DragSession, isCopy: boolean): Promise<void> {
  const { dragged, dropEdge, dropBody, laneSlot } = editor.interaction.getState();
  editor.interaction.setState(letGo);
  if (dragged === null || !hasMoved(session, dragged)) {
    editor.restore();
    return;
  }
  if (isStepFlow(editor.doc)) {
    await endLaneDrag(editor, session, { slot: laneSlot, isCopy });
    return;
  }
  const [only] = dragged.keys();
  if (isCopy) {
    editor.restore();
    await duplicate(
      editor,
      { ...partsOf(dragged.keys()), groups: session.groups, triggers: new Set() },
      { by: shiftOf(session, dragged), isPlace: true },
    );
  } else if (dropEdge !== null && only !== undefined) {
    await spliceCard(editor, { node: only, edge: dropEdge, places: dragged });
  } else if (dropBody !== null) {
    await moveAcross(editor, dropBody, dragged);
  } else {
    await moveTo(editor, dragged);
  }
}

/**
 * Moves cards into or out of a loop's body. Returns them to their previous position if edges would cross its border.
 */
async function moveAcross(
  editor: CanvasEditor,
  drop: BodyMove,
  dragged: ReadonlyMap<string, NodePosition>,
): Promise<boolean> {
  const changes = bodyChanges(editor.doc, drop);
  if (changes === null) return moveTo(editor, dragged);
  const refusal = bodyRefusal(editor.doc, changes, drop);
  const names = partsText({ nodes: [...drop.ids] });
  const isOut = drop.to === null;
  const moved = { names, loop: drop.to ?? drop.from ?? '' };
  if (refusal !== null) {
    editor.restore();
    const title = isOut ? text.notices.moveOutFailed(moved) : text.notices.moveIntoFailed(moved);
    editor.stores.notices.getState().add({ tone: 'info', title, detail: refusal });
    return false;
  }
  const label = isOut ? text.undo.moveOut(moved) : text.undo.moveInto(moved);
  return editor.change({ do: 'all', changes: [...changes, moveChange(editor, dragged)], label }, { places: dragged });
}

/** Restores all positions. */
export function cancelDrag({ interaction, restore }: Pick<CanvasEditor, 'interaction' | 'restore'>): void {
  interaction.setState(letGo);
  restore();
}

function hasMoved({ starts }: DragSession, dragged: ReadonlyMap<string, NodePosition>): boolean {
  return [...dragged].some(([key, { x, y }]) => {
    const start = starts.get(key);
    return start !== undefined && (Math.round(x) !== Math.round(start.x) || Math.round(y) !== Math.round(start.y));
  });
}

function shiftOf({ starts }: DragSession, dragged: ReadonlyMap<string, NodePosition>): NodePosition {
  const [[key, to] = ['', { x: 0, y: 0 }]] = dragged;
  const from = starts.get(key) ?? to;
  return { x: to.x - from.x, y: to.y - from.y };
}

function partsOf(keys: Iterable<string>): Pick<Chosen, 'nodes' | 'notes'> {
  const parts = [...keys].map(partOf);
  const idsOf = (wanted: keyof Chosen): Set<string> =>
    new Set(parts.flatMap(({ part, id }) => (part === wanted ? [id] : [])));
  return { nodes: idsOf('nodes'), notes: idsOf('notes') };
}
