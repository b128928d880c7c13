/**
 * The popup that adds a node at a position, after a card or into an edge.
 */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { failureBranch } from '../../stores/flow/branches.ts';
import type { TypeNeighbour } from '../../stores/flow/node-types.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { takeCommand } from '../edit/clipboard.ts';
import { addNode } from '../edit/node-edits.ts';
import { type CanvasEditor, edgeOf, nodeOf, useEditor } from '../state/canvas-editor.ts';
import { type AddTo, type QuickAdd, useInteraction, useInteractionStore } from '../state/interaction.ts';
import { text } from '../text.ts';
import { focusCanvas } from './keep-focus.ts';
import { NodePalette } from './node-palette.tsx';
import '../../ui/popup-list.css';
import './quick-add-popup.css';

const margin = 8;

export function QuickAddPopup() {
  const quickAdd = useInteraction((interaction) => interaction.quickAdd);
  return quickAdd === null ? null : <OpenPopup quickAdd={quickAdd} />;
}

function OpenPopup({ quickAdd }: { readonly quickAdd: QuickAdd }) {
  const editor = useEditor();
  const interaction = useInteractionStore();
  const isLane = isStepFlow(editor.current.doc);
  const popup = useRef<HTMLDivElement>(null);
  const close = (): void => interaction.setState({ quickAdd: null });
  const leave = (): void => {
    close();
    // Returns the focus to the canvas.
    focusCanvas(document.activeElement);
  };
  useLayoutEffect(() => {
    if (popup.current !== null) keepInside(popup.current, quickAdd.popup);
  }, [quickAdd]);
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (target instanceof Node && popup.current?.contains(target) !== true) interaction.setState({ quickAdd: null });
    };
    addEventListener('pointerdown', onPointerDown, { capture: true });
    return () => removeEventListener('pointerdown', onPointerDown, { capture: true });
  }, [interaction]);
  return (
    // The popup handles its own keys.
    <div
      className="popup-box quick-add nopan nodrag nowheel"
      ref={popup}
      role="dialog"
      aria-label={isLane ? text.add.step : titleOf(quickAdd.to)}
    >
      <NodePalette
        isForSteps={isLane}
        path={editor.current.path}
        neighbour={neighbourOf(editor.current, quickAdd.to)}
        onChoose={(type) => {
          leave();
          void addNode(editor.current, { type, to: quickAdd.to, at: quickAdd.at }, quickAdd.isByPointer);
        }}
        onClose={leave}
        onCommand={(pasted) => {
          const isTaken = takeCommand(editor.current, pasted, { to: quickAdd.to, at: quickAdd.at });
          if (isTaken) leave();
          return isTaken;
        }}
      />
    </div>
  );
}

/** Returns the node that will provide the new node's input or use its output. */
function neighbourOf(editor: CanvasEditor, to: AddTo): TypeNeighbour | null {
  if (to.do === 'nothing' || to.do === 'inside') return null;
  // A failed node has no output.
  if (to.do === 'behind' && to.route === failureBranch) return null;
  const id = to.do === 'into' ? edgeOf(editor, to.edgeId)?.from : to.nodeId;
  const node = nodeOf(editor, id ?? '');
  return node === undefined ? null : { side: to.do === 'before' ? 'behind' : 'before', node };
}

function titleOf(to: AddTo): string {
  switch (to.do) {
    case 'nothing':
      return text.add.node;
    case 'behind':
      return to.route === failureBranch ? text.add.onFailure({ node: to.nodeId }) : text.add.after({ node: to.nodeId });
    case 'before':
      return text.add.before({ node: to.nodeId });
    case 'inside':
      return text.add.inside({ node: to.nodeId });
    default:
      return text.edges.insert;
  }
}

/** Positions a popup as near to a point of its canvas as space allows. */
function keepInside(popup: HTMLElement, { x, y }: { readonly x: number; readonly y: number }): void {
  const { clientWidth = 0, clientHeight = 0 } = popup.offsetParent ?? {};
  const left = Math.max(margin, Math.min(x, clientWidth - popup.offsetWidth - margin));
  const top = Math.max(margin, Math.min(y, clientHeight - popup.offsetHeight - margin));
  popup.style.left = `${left}px`;
  popup.style.top = `${top}px`;
}
