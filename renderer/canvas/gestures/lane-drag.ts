/**
 * Drags cards along their lane and finds the gap between the other cards where they would be dropped.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import { moveToSlot } from '../../stores/flow/step-lane.ts';
import { duplicateChosen } from '../edit/clipboard.ts';
import type { CardRect, Rect } from '../geometry/rect.ts';
import { boxesOf, type CanvasEditor } from '../state/canvas-editor.ts';
import type { AddTo, LaneSlot } from '../state/interaction.ts';

/** A drag along a lane. */
export interface LaneDrag {
  /** Positions at the start, by IDs on the canvas. */
  readonly starts: ReadonlyMap<string, NodePosition>;
  readonly bounds: Rect;
}

/** Distance from the card at an end of the lane. */
const endGap = 28;
const overhang = 30;

/** Updates the positions of the cards and the gap where they would be dropped. They keep the height of the lane. */
export function continueLaneDrag(editor: CanvasEditor, { starts, bounds }: LaneDrag, by: NodePosition): void {
  const dragged = new Map([...starts].map(([key, { x, y }]) => [key, { x: x + by.x, y }]));
  const rest = boxesOf(editor).filter(({ id }) => !starts.has(id));
  const laneSlot = slotAt(rest, bounds.x + by.x + bounds.width / 2);
  editor.interaction.setState({ dragged, laneSlot });
}

/** Returns the nearest gap of a lane. @param middle center of the dragged cards, from left to right in the flow */
export function slotAt(rest: readonly CardRect[], middle: number): LaneSlot | null {
  const index = rest.filter(({ x, width }) => x + width / 2 < middle).length;
  const [before, behind] = [rest[index - 1], rest[index]];
  const beside = before ?? behind;
  if (beside === undefined) return null;
  const end = before === undefined ? undefined : before.x + before.width;
  const x = end === undefined ? (behind?.x ?? 0) - endGap : behind === undefined ? end + endGap : (end + behind.x) / 2;
  const bottom = beside.y + Math.max(beside.height, cardMetrics.headerHeight);
  return { index, x, top: beside.y - overhang, bottom: bottom + overhang };
}

/** Returns the step after or before which a step would be inserted. */
export function laneEndAt(editor: CanvasEditor, x: number): AddTo {
  const boxes = boxesOf(editor);
  const index = slotAt(boxes, x)?.index ?? 0;
  const [before, behind] = [boxes[index - 1], boxes[index]];
  if (before !== undefined) return { do: 'behind', nodeId: before.id };
  return behind === undefined ? { do: 'nothing' } : { do: 'before', nodeId: behind.id };
}

/**
 * Ends the drag: moves the steps to the marked gap, or leaves them. @param isCopy whether to insert copies after the
 * last step and leave the originals
 */
export async function endLaneDrag(
  editor: CanvasEditor,
  { starts }: LaneDrag,
  { slot, isCopy }: { readonly slot: LaneSlot | null; readonly isCopy: boolean },
): Promise<void> {
  const change = slot === null || isCopy ? null : moveToSlot(editor.doc, new Set(starts.keys()), slot.index);
  if (change === null) editor.restore();
  if (isCopy) await duplicateChosen(editor);
  else if (change !== null && !(await editor.change(change))) editor.restore();
}
