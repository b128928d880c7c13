/**
 * Drags of cards and notes as reported by React Flow. It detects what is dragged and pans at the border; this module
 * computes the positions.
 */
import { type NodeChange, type OnNodeDrag, useStoreApi } from '@xyflow/react';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { FlowDirection } from '../../card/card-ports.ts';
import type { CardNode } from '../../card/node-card.tsx';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import type { LoopFrame } from '../projection/frames.ts';
import { type CanvasEditor, mayEdit } from '../state/canvas-editor.ts';
import { type CanvasNode, nodePlace } from '../state/canvas-elements.ts';

import { selectChangesOf, takeSelectChanges } from '../state/canvas-selection.ts';
import { beginDrag, cancelDrag, continueDrag, type DragSession, endDrag } from './drag-session.ts';

interface UnderWay {
  readonly session: DragSession;
  /** ID of the element that React Flow reports positions of. */
  readonly key: string;
  isFree: boolean;
}

interface DragHandlers {
  readonly onNodesChange: (changes: NodeChange<CanvasNode>[]) => void;
  readonly onNodeDragStart: OnNodeDrag<CanvasNode>;
  readonly onNodeDrag: OnNodeDrag<CanvasNode>;
  readonly onNodeDragStop: OnNodeDrag<CanvasNode>;
}

export function useDrag(editor: RefObject<CanvasEditor>): DragHandlers {
  const underWay = useRef<UnderWay | null>(null);
  useShowDragged(editor);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || underWay.current === null) return;
      underWay.current = null;
      editor.current.stores.canvases.setState({ isDragging: false });
      cancelDrag(editor.current);
      event.stopPropagation();
    };
    const { canvases } = editor.current.stores;
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      removeEventListener('keydown', onKeyDown, { capture: true });
      if (underWay.current !== null) canvases.setState({ isDragging: false });
    };
  }, [editor]);

  return useMemo(
    () => ({
      onNodesChange(changes) {
        takeSelectChanges(editor.current.stores, editor.current.path, selectChangesOf(changes));
        if (underWay.current !== null) follow(editor.current, underWay.current, changes);
      },
      onNodeDragStart(event, { id }) {
        if (!mayEdit(editor.current)) return;
        const session = beginDrag(editor.current, id);
        if (session === null) return;
        underWay.current = { session, key: id, isFree: event.ctrlKey || event.metaKey };
        editor.current.stores.canvases.setState({ isDragging: true });
      },
      onNodeDrag(event) {
        if (underWay.current !== null) underWay.current.isFree = event.ctrlKey || event.metaKey;
      },
      onNodeDragStop(event) {
        const drag = underWay.current;
        underWay.current = null;
        if (drag === null) return;
        editor.current.stores.canvases.setState({ isDragging: false });
        void endDrag(editor.current, drag.session, event.altKey);
      },
    }),
    [editor],
  );
}

function follow(editor: CanvasEditor, { session, key, isFree }: UnderWay, changes: NodeChange<CanvasNode>[]): void {
  const start = session.starts.get(key);
  for (const change of changes) {
    if (change.type !== 'position' || change.id !== key || change.dragging !== true) continue;
    const { position } = change;
    if (start === undefined || position === undefined) continue;
    continueDrag(editor, session, { by: { x: position.x - start.x, y: position.y - start.y }, isFree });
  }
}

/** Shows dragged elements at their positions without React, so that a moving card is not rendered again. */
function useShowDragged(editor: RefObject<CanvasEditor>): void {
  const store = useStoreApi<CanvasNode>();
  useEffect(
    () =>
      editor.current.interaction.subscribe(({ dragged, frames }, before) => {
        if (dragged === null || dragged === before.dragged) return;
        const { nodes, setNodes } = store.getState();
        const { direction } = editor.current.projection;
        const isLane = isStepFlow(editor.current.doc);
        const containers = new Map(frames?.map((frame) => [frame.loopId, frame]));
        setNodes(
          nodes.map((node) => {
            const frame = containers.get(node.id);
            if (frame !== undefined && node.type === 'card') return inFrame(node, frame, direction);
            const position = dragged.get(node.id);
            // In a lane, the dragged card is drawn above the others.
            return position === undefined ? node : { ...node, position, ...(isLane ? { zIndex: 10 } : {}) };
          }),
        );
      }),
    [editor, store],
  );
}

/** Returns a loop's header with the position and width of its container. Returns the same node if nothing changes. */
function inFrame(node: CardNode, frame: LoopFrame, direction: FlowDirection): CardNode {
  const { left: x, top: y, right, bottom } = frame;
  const [width, height] = [right - x, bottom - y];
  const { position, data } = node;
  const isSame = position.x === x && position.y === y && node.width === width && data.outerHeight === height;
  if (isSame) return node;
  const parts = nodePlace(data.content, { x, y, width, height }, direction);
  return { ...node, ...parts, data: { ...data, outerHeight: height } };
}
