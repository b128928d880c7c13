/**
 * The palette as a panel that stays open, to drag nodes from.
 */
import { X } from 'lucide-react';
import { type PointerEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { isJsonList, type NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import type { OfferedType } from '../../stores/flow/offered-type.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { toolOfKey } from '../../stores/flow/tool-offers.ts';
import { IconButton } from '../../ui/button.tsx';
import { NodeTile } from '../../ui/node-tile.tsx';
import { takeCommand } from '../edit/clipboard.ts';
import { edgeUnder, loopAt } from '../edit/drop-target.ts';

import { addNode } from '../edit/node-edits.ts';
import { followPointer } from '../gestures/follow-pointer.ts';
import { laneEndAt, slotAt } from '../gestures/lane-drag.ts';
import { boxesOf, type CanvasEditor, centreOf, mayEdit, nodeOf, useEditor } from '../state/canvas-editor.ts';

import { type AddTo, useInteraction, useInteractionStore } from '../state/interaction.ts';
import { text } from '../text.ts';
import { NodePalette } from './node-palette.tsx';
import '../../ui/popup-list.css';
import './palette-panel.css';

interface Ghost {
  readonly spec: OfferedType;
  readonly at: NodePosition;
  /** The node with a model that receives the tool when it is dropped there. Null if there is none. */
  readonly given: string | null;
}

/** Pixels of movement below which it is a click. */
const leastMove = 4;

export function PalettePanel() {
  const isOpen = useInteraction(({ hasPalette }) => hasPalette);
  return isOpen ? <OpenPanel /> : null;
}

function OpenPanel() {
  const editor = useEditor();
  const interaction = useInteractionStore();
  const isLane = isStepFlow(editor.current.doc);
  const [ghost, setGhost] = useState<Ghost | null>(null);
  const close = (): void => interaction.setState({ hasPalette: false });
  const add = (type: string): void => {
    if (!mayEdit(editor.current)) return;
    const to = { do: 'nothing' } as const;
    void addNode(editor.current, { type, to, at: centreOf(editor.current) });
  };
  const take = (pasted: string): boolean =>
    mayEdit(editor.current) &&
    takeCommand(editor.current, pasted, { to: { do: 'nothing' }, at: centreOf(editor.current) });
  const grab = (spec: OfferedType, event: PointerEvent): void => {
    if (mayEdit(editor.current)) followGhost(editor.current, event, { spec, show: setGhost });
  };
  return (
    <section className="popup-box palette-panel nopan nodrag nowheel" aria-label={text.palette.label}>
      <header className="palette-panel-header">
        <h2>{isLane ? text.palette.steps : text.palette.nodes}</h2>
        <IconButton label={text.palette.close} onClick={close}>
          <X aria-hidden size={14} />
        </IconButton>
      </header>
      <NodePalette
        isForSteps={isLane}
        path={editor.current.path}
        neighbour={null}
        onChoose={add}
        onClose={close}
        onCommand={take}
        onGrab={grab}
      />
      <p className="palette-panel-hint">{isLane ? text.palette.stepsHint : text.palette.nodesHint}</p>
      {ghost === null ? null : createPortal(<GhostCard ghost={ghost} zoom={editor.current.zoom()} />, document.body)}
    </section>
  );
}

function GhostCard({ ghost: { spec, at, given }, zoom }: { readonly ghost: Ghost; readonly zoom: number }) {
  const x = at.x - (cardMetrics.width / 2) * zoom;
  const y = at.y - cardMetrics.portY * zoom;
  return (
    <div className="palette-ghost" style={{ transform: `translate(${x}px, ${y}px) scale(${zoom})` }}>
      <NodeTile category={spec.category} icon={spec.icon} />
      {given === null ? spec.title : text.undo.giveTool({ tool: spec.title, node: given })}
    </div>
  );
}

interface GhostDrag {
  readonly spec: OfferedType;
  readonly show: (ghost: Ghost | null) => void;
}

/**
 * Follows a drag from the row to the canvas. Dropped on an edge, the node is inserted into it; in a container, it joins
 * the body. Nothing happens outside the canvas.
 */
function followGhost(editor: CanvasEditor, event: PointerEvent, { spec, show }: GhostDrag): void {
  let isDrag = false;
  followPointer(event, {
    move(by, { clientX: x, clientY: y }) {
      isDrag ||= Math.hypot(by.x, by.y) >= leastMove;
      if (!isDrag) return;
      if (isStepFlow(editor.doc)) {
        show({ spec, at: { x, y }, given: null });
        editor.interaction.setState({
          laneSlot: isOnCanvas(editor, { x, y }) ? slotAt(boxesOf(editor), editor.toFlow({ x, y }).x) : null,
        });
        return;
      }
      const given = takerAt(editor, spec, { x, y });
      show({ spec, at: { x, y }, given });
      const dropEdge = given === null ? edgeAt(editor, { x, y }) : null;
      const to = dropEdge === null && given === null ? loopAt(editor, editor.toFlow({ x, y })) : null;
      editor.interaction.setState({ dropEdge, dropBody: to === null ? null : { ids: new Set(), from: null, to } });
    },
    end(_, isDone, up) {
      const { dropEdge } = editor.interaction.getState();
      show(null);
      editor.interaction.setState({ dropEdge: null, dropBody: null, laneSlot: null });
      if (!isDone || !isDrag || up === undefined) return;
      const at = { x: up.clientX, y: up.clientY };
      if (!isOnCanvas(editor, at)) return;
      swallowClick();
      const given = takerAt(editor, spec, at);
      if (given !== null) {
        void giveTool(editor, given, spec);
        return;
      }
      const place = editor.toFlow(at);
      if (isStepFlow(editor.doc)) {
        void addNode(editor, { type: spec.key, to: laneEndAt(editor, place.x), at: null });
        return;
      }
      const loopId = loopAt(editor, place);
      const around: AddTo = loopId === null ? { do: 'nothing' } : { do: 'inside', nodeId: loopId };
      const to: AddTo = dropEdge === null ? around : { do: 'into', edgeId: dropEdge };
      void addNode(editor, { type: spec.key, to, at: place });
    },
  });
}

/** Returns the prompt node under the pointer, if the dragged item is a tool. */
function takerAt(editor: CanvasEditor, { key }: OfferedType, point: NodePosition): string | null {
  if (toolOfKey(key) === undefined) return null;
  const { x, y } = editor.toFlow(point);
  const box = boxesOf(editor).find(
    (one) => x >= one.x && x <= one.x + one.width && y >= one.y && y <= one.y + one.height,
  );
  return box !== undefined && nodeOf(editor, box.id)?.type === 'prompt' ? box.id : null;
}

/** Adds the tool to those that a prompt's model may call, as a single undo step. */
async function giveTool(editor: CanvasEditor, nodeId: string, { key, title }: OfferedType): Promise<void> {
  const tool = toolOfKey(key) ?? '';
  const given = nodeOf(editor, nodeId)?.config?.['tools'];
  const tools = given !== undefined && isJsonList(given) ? given : [];
  if (!tools.includes(tool)) {
    const change = { do: 'set-node', id: nodeId, path: ['config', 'tools'], value: [...tools, tool] } as const;
    await editor.change({ do: 'all', changes: [change], label: text.undo.giveTool({ tool: title, node: nodeId }) });
  }
  editor.selection.select([nodeId], nodeId);
  editor.stores.panes.getState().showForm();
}

/** A drag that ends over its own row would count as a click on it. */
function swallowClick(): void {
  const stop = (event: Event): void => event.stopPropagation();
  addEventListener('click', stop, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', stop, { capture: true }), 0);
}

function isOnCanvas({ frame }: CanvasEditor, { x, y }: NodePosition): boolean {
  const under = document.elementFromPoint(x, y);
  return under !== null && frame?.contains(under) === true && under.closest('.palette-panel') === null;
}

function edgeAt(editor: CanvasEditor, point: NodePosition): string | null {
  const { x, y } = editor.toFlow(point);
  const card = { x: x - cardMetrics.width / 2, y: y - cardMetrics.portY, height: 2 * cardMetrics.portY };
  return edgeUnder(editor, card, () => true);
}
