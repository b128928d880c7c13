/**
 * Where the popup that adds nodes stands, and what it adds to.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { mayEdit, boxOf, type CanvasEditor } from '../state/canvas-editor.ts';

import type { AddTo } from '../state/interaction.ts';
import { addToSelection } from './node-edits.ts';

export interface QuickAddWish {
  readonly to: AddTo;
  /** Where the popup opens, in pixels of the page. */
  readonly pointer: NodePosition;
  /** Whether the node is to stand there, too. */
  readonly isPlace: boolean;
}

/** Opens the popup. */
export function openQuickAdd(desk: CanvasEditor, { to, pointer, isPlace }: QuickAddWish): void {
  if (!mayEdit(desk)) return;
  const { left = 0, top = 0 } = desk.frame?.getBoundingClientRect() ?? {};
  const popup = { x: pointer.x - left, y: pointer.y - top };
  desk.moment.setState({ quickAdd: { popup, at: isPlace ? desk.toFlow(pointer) : null, to } });
}

/** Opens it as the keyboard asks: behind what is selected, else where the pointer is, else in the middle. */
export function openQuickAddByKey(desk: CanvasEditor): void {
  const to = addToSelection(desk);
  const box = to.do === 'behind' ? boxOf(desk, to.nodeId) : undefined;
  const { left = 0, top = 0, width = 0, height = 0 } = desk.frame?.getBoundingClientRect() ?? {};
  const middle = { x: left + width / 2, y: top + height / 3 };
  if (to.do === 'nothing') {
    const isFirst = desk.doc.nodes.length === 0;
    openQuickAdd(desk, { to, pointer: desk.pointer ?? middle, isPlace: desk.pointer !== null && !isFirst });
    return;
  }
  const corner = desk.toFlow({ x: left, y: top });
  const zoom = desk.zoom();
  const beside = box && {
    x: left + (box.x + box.width + 24 - corner.x) * zoom,
    y: top + (box.y - corner.y) * zoom,
  };
  openQuickAdd(desk, { to, pointer: beside ?? desk.pointer ?? middle, isPlace: false });
}
