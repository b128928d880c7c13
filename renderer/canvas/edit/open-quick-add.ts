/**
 * Determines where the popup that adds nodes opens and what it adds to.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { boxOf, type CanvasEditor, mayEdit } from '../state/canvas-editor.ts';

import type { AddTo } from '../state/interaction.ts';
import { addToSelection } from './node-edits.ts';

interface QuickAddWish {
  readonly to: AddTo;
  /** Position of the popup, in pixels of the page. */
  readonly pointer: NodePosition;
  /** Whether the node is also placed there. */
  readonly isPlace: boolean;
  readonly isByKey?: boolean;
}

/** Opens the popup. */
export function openQuickAdd(editor: CanvasEditor, { to, pointer, isPlace, isByKey = false }: QuickAddWish): void {
  if (!mayEdit(editor)) return;
  const { left = 0, top = 0 } = editor.frame?.getBoundingClientRect() ?? {};
  const popup = { x: pointer.x - left, y: pointer.y - top };
  const at = isPlace ? editor.toFlow(pointer) : null;
  editor.interaction.setState({ quickAdd: { popup, at, to, isByPointer: !isByKey } });
}

/**
 * Opens the popup by keyboard: after the selection, or else at the pointer or in the center.
 * @param route the branch of the selected node after which the new node is added
 */
export function openQuickAddByKey(editor: CanvasEditor, route?: string): void {
  const { primary } = editor.selection;
  const to: AddTo =
    route === undefined || primary === null ? addToSelection(editor) : { do: 'behind', nodeId: primary, route };
  const box = to.do === 'behind' || to.do === 'inside' ? boxOf(editor, to.nodeId) : undefined;
  const { left = 0, top = 0, width = 0, height = 0 } = editor.frame?.getBoundingClientRect() ?? {};
  const middle = { x: left + width / 2, y: top + height / 3 };
  if (to.do === 'nothing') {
    const isFirst = editor.doc.nodes.length === 0;
    const isPlace = editor.pointer !== null && !isFirst;
    openQuickAdd(editor, { to, pointer: editor.pointer ?? middle, isPlace, isByKey: true });
    return;
  }
  const corner = editor.toFlow({ x: left, y: top });
  const zoom = editor.zoom();
  const beside = box && {
    x: left + (box.x + box.width + 24 - corner.x) * zoom,
    y: top + (box.y - corner.y) * zoom,
  };
  openQuickAdd(editor, { to, pointer: beside ?? editor.pointer ?? middle, isPlace: false, isByKey: true });
}
