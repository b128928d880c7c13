/**
 * Cards that are dragged along their lane: between which of the others they would come to stand.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import { moveToSlot } from '../../stores/flow/step-lane.ts';
import { duplicateChosen } from '../edit/clipboard.ts';
import type { Box, Rect } from '../geometry/rect.ts';
import { boxesOf, type CanvasEditor } from '../state/canvas-editor.ts';
import type { AddTo, LaneSlot } from '../state/interaction.ts';

/** What moves along a lane. */
export interface LaneDrag {
  /** Places at the start, by ids on the canvas. */
  readonly starts: ReadonlyMap<string, NodePosition>;
  readonly bounds: Rect;
}

/** From the card at an end of the lane. */
const endGap = 28;
const overhang = 30;

/** Tells where the cards are now, and where they would be let go; they stay at the height of the lane. */
export function continueLaneDrag(editor: CanvasEditor, { starts, bounds }: LaneDrag, by: NodePosition): void {
  const dragged = new Map([...starts].map(([key, { x, y }]) => [key, { x: x + by.x, y }]));
  const rest = boxesOf(editor).filter(({ id }) => !starts.has(id));
  const laneSlot = slotAt(rest, bounds.x + by.x + bounds.width / 2);
  editor.interaction.setState({ dragged, laneSlot });
}

/** The place of a lane that is nearest to something. @param middle of it, from left to right in the flow */
export function slotAt(rest: readonly Box[], middle: number): LaneSlot | null {
  const index = rest.filter(({ x, width }) => x + width / 2 < middle).length;
  const [before, behind] = [rest[index - 1], rest[index]];
  const beside = before ?? behind;
  if (beside === undefined) return null;
  const end = before === undefined ? undefined : before.x + before.width;
  const x = end === undefined ? (behind?.x ?? 0) - endGap : behind === undefined ? end + endGap : (end + behind.x) / 2;
  const bottom = beside.y + Math.max(beside.height, cardMetrics.headerHeight);
  return { index, x, top: beside.y - overhang, bottom: bottom + overhang };
}

/** What a step that is put there comes behind, or before. */
export function laneEndAt(editor: CanvasEditor, x: number): AddTo {
  const boxes = boxesOf(editor);
  const index = slotAt(boxes, x)?.index ?? 0;
  const [before, behind] = [boxes[index - 1], boxes[index]];
  if (before !== undefined) return { do: 'behind', nodeId: before.id };
  return behind === undefined ? { do: 'nothing' } : { do: 'before', nodeId: behind.id };
}

/** Lets go: the steps stand where the mark was, or stay. @param isCopy copies come behind the last step, and the originals stay */
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
