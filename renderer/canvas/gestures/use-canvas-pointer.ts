/**
 * The pointer over the canvas: its position, double clicks, and the target of a context menu.
 */
import { type MouseEvent, type PointerEvent, type RefObject, useMemo, useRef } from 'react';
import { callType, type NodePosition } from '../../../engine/isomorphic.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import type { MenuSubject } from '../../stores/window/canvases.ts';
import { type Chosen, initialFlowView } from '../../stores/window/selection.ts';
import { loopAt } from '../edit/drop-target.ts';
import { openQuickAdd } from '../edit/open-quick-add.ts';
import type { CanvasEditor } from '../state/canvas-editor.ts';
import type { AddTo } from '../state/interaction.ts';
import { laneEndAt } from './lane-drag.ts';

interface CanvasPointer {
  readonly menuSubject: () => MenuSubject;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onDoubleClick: (event: MouseEvent) => void;
    readonly onContextMenu: (event: MouseEvent) => void;
  };
}

interface CanvasPointerOptions {
  /** Position in pixels of the page. Null if the pointer is elsewhere. */
  readonly at: RefObject<NodePosition | null>;
  readonly inspect: () => void;
}

export function useCanvasPointer(
  editor: RefObject<CanvasEditor>,
  { at, inspect }: CanvasPointerOptions,
): CanvasPointer {
  /**
   * Whether a menu is open. The pointer moves into the menu, but its commands apply to the position where it was
   * opened.
   */
  const isHeld = useRef(false);
  return useMemo(
    () => ({
      menuSubject: () => subjectOf(chosenOn(editor.current)),
      handlers: {
        onPointerDown: (event) => awaitLongPress(editor, event),
        onPointerMove({ clientX, clientY }) {
          isHeld.current = false;
          at.current = { x: clientX, y: clientY };
        },
        onPointerLeave() {
          if (!isHeld.current) at.current = null;
        },
        onDoubleClick({ target, clientX, clientY }) {
          if (!(target instanceof Element)) return;
          if (target.closest('.react-flow__handle,button:not([data-trigger])') === null)
            openCard(editor.current, target, inspect);
          if (!target.classList.contains('react-flow__pane')) return;
          const pointer = { x: clientX, y: clientY };
          if (isStepFlow(editor.current.doc)) {
            const { x } = editor.current.toFlow(pointer);
            openQuickAdd(editor.current, { to: laneEndAt(editor.current, x), pointer, isPlace: false });
            return;
          }
          const loopId = loopAt(editor.current, editor.current.toFlow(pointer));
          const to: AddTo = loopId === null ? { do: 'nothing' } : { do: 'inside', nodeId: loopId };
          openQuickAdd(editor.current, { to, pointer, isPlace: true });
        },
        onContextMenu({ target, clientX, clientY }) {
          isHeld.current = true;
          at.current = { x: clientX, y: clientY };
          if (target instanceof Element) choosePressed(editor.current, target);
        },
      },
    }),
    [editor, at, inspect],
  );
}

/** Opens the flow that a card calls, or else the inspector. */
function openCard({ doc, path, stores }: CanvasEditor, target: Element, inspect: () => void): void {
  const id = target.closest<HTMLElement>('[data-card]')?.dataset['card'];
  if (target.closest('[data-trigger]') !== null) inspect();
  if (id === undefined) return;
  if (doc.nodes.some((node) => node.id === id && node.type === callType)) void stores.runs.openCall(path, id);
  else inspect();
}

/** Slightly shorter than the delay of a long-press menu. */
const longPressMs = 500;
/** Pixels of movement beyond which it is a drag. */
const mostMove = 8;

/** Detects a long press, which opens a context menu without a corresponding event. */
function awaitLongPress(
  editor: RefObject<CanvasEditor>,
  { pointerType, target, clientX, clientY }: PointerEvent,
): void {
  if (pointerType === 'mouse' || !(target instanceof Element)) return;
  const timer = setTimeout(() => choosePressed(editor.current, target), longPressMs);
  const stop = (): void => {
    clearTimeout(timer);
    removeEventListener('pointermove', onMove, { capture: true });
    for (const end of ['pointerup', 'pointercancel']) removeEventListener(end, stop, { capture: true });
  };
  const onMove = (event: globalThis.PointerEvent): void => {
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > mostMove) stop();
  };
  addEventListener('pointermove', onMove, { capture: true });
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, stop, { capture: true });
}

function chosenOn({ stores, path }: CanvasEditor): Chosen {
  return (stores.selection.getState().views.get(path) ?? initialFlowView).chosen;
}

/** Selects the target of a menu: the element under the pointer, or the whole selection if that contains the element. */
function choosePressed(editor: CanvasEditor, target: Element): void {
  const { selection } = editor.stores;
  const found = pressedPart(target);
  // Edges of a lane represent the order of its cards and have no commands.
  const pressed = found?.[0] === 'edges' && isStepFlow(editor.doc) ? null : found;
  const chosen = chosenOn(editor);
  // A menu opened by keyboard applies to the selection.
  if (pressed === null) {
    if (target.classList.contains('react-flow__pane')) selection.getState().choose(editor.path, {}, null);
    return;
  }
  const [part, id] = pressed;
  if (!chosen[part].has(id)) selection.getState().choose(editor.path, { [part]: [id] });
  else if (part === 'nodes') selection.getState().choose(editor.path, chosen, id);
}

function pressedPart(target: Element): readonly [keyof Chosen, string] | null {
  const card = target.closest<HTMLElement>('[data-card]')?.dataset['card'];
  if (card !== undefined) return ['nodes', card];
  const note = target.closest<HTMLElement>('[data-note]')?.dataset['note'];
  if (note !== undefined) return ['notes', note];
  const group = target.closest<HTMLElement>('[data-node-group]')?.dataset['nodeGroup'];
  if (group !== undefined) return ['groups', group];
  const trigger = target.closest<HTMLElement>('[data-trigger]')?.dataset['trigger'];
  if (trigger !== undefined) return ['triggers', trigger];
  const edge = target.closest<HTMLElement>('.react-flow__edge')?.dataset['id'];
  return edge === undefined ? null : ['edges', edge];
}

function subjectOf({ nodes, edges, notes, groups, triggers }: Chosen): MenuSubject {
  if (nodes.size > 1) return 'nodes';
  if (nodes.size === 1) return 'node';
  if (edges.size > 0) return 'edge';
  if (notes.size > 0) return 'note';
  if (triggers.size > 0) return 'trigger';
  return groups.size > 0 ? 'group' : 'empty';
}
