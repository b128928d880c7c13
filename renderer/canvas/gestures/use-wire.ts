/**
 * Draws wires by pointer: from a port to a card, or from an end of an edge to another card. A click on a port, and a
 * wire released over an empty area, offer to add a node.
 */
import { useStoreApi } from '@xyflow/react';
import { type PointerEvent, type RefObject, useMemo } from 'react';
import { type EdgeDoc, edgeRefusal, type NodePosition } from '../../../engine/isomorphic.ts';
import { branchPorts } from '../../card/card-ports.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { connectWire, edgeOfWire } from '../edit/node-edits.ts';
import { openQuickAdd } from '../edit/open-quick-add.ts';
import { createBorderPan } from '../geometry/border-pan.ts';
import { edgeEnds } from '../geometry/edge-path.ts';
import { findWireTarget, type WireCard, type WireEnd, type WireTarget } from '../geometry/wire-target.ts';
import { cardRect, outerRect } from '../projection/frames.ts';
import { type CanvasEditor, mayEdit } from '../state/canvas-editor.ts';
import type { AddTo, WireStart } from '../state/interaction.ts';

/** Screen pixels of movement below which it is a click. */
const leastMove = 4;
/** Distance at which a wire snaps to a port, in screen pixels. */
const reach = { wished: 40, least: 24, most: 60 } as const;

/** Returns the wire that starts at an element of the page. */
function wireStartAt(target: Element): WireStart | null {
  const end = target.closest<HTMLElement>('[data-wire-end]');
  if (end !== null) {
    const { wireEnd, edge = '', node = '' } = end.dataset;
    // The other end of the edge is kept.
    return { nodeId: node, port: wireEnd === 'target' ? 'source' : 'target', route: null, edgeId: edge };
  }
  const offered = target.closest<HTMLElement>('[data-wire-way]');
  if (offered !== null) {
    const { wireWay = null, node = '' } = offered.dataset;
    return { nodeId: node, port: 'source', route: wireWay, edgeId: null };
  }
  const handle = target.closest<HTMLElement>('.node-card > .react-flow__handle');
  const nodeId = handle?.dataset['nodeid'];
  if (handle === null || nodeId === undefined) return null;
  const route = handle.dataset['handleid'] ?? null;
  return { nodeId, port: handle.classList.contains('source') ? 'source' : 'target', route, edgeId: null };
}

/** Handles wires that start on the canvas. */
export function useWire(editor: RefObject<CanvasEditor>): (event: PointerEvent) => void {
  const store = useStoreApi();
  return useMemo(
    () => (event) => {
      if (event.button !== 0 || !(event.target instanceof Element)) return;
      const start = wireStartAt(event.target);
      if (start === null || isStepFlow(editor.current.doc)) return;
      event.preventDefault();
      event.stopPropagation();
      if (mayEdit(editor.current))
        followWire({ editor, start, from: event.nativeEvent, panBy: store.getState().panBy });
    },
    [editor, store],
  );
}

interface WireGesture {
  readonly editor: RefObject<CanvasEditor>;
  readonly start: WireStart;
  readonly from: globalThis.PointerEvent;
  readonly panBy: (by: NodePosition) => unknown;
}

function followWire({ editor, start, from, panBy }: WireGesture): void {
  const aim = aimOf(editor.current, start);
  let last: NodePosition = { x: from.clientX, y: from.clientY };
  let isWire = false;
  let frame = 0;
  const panAt = createBorderPan(editor.current.frame, last, leastMove);
  const show = (): void => {
    const at = editor.current.toFlow(last);
    editor.current.interaction.setState({ wire: { ...start, at, target: aim.at(at) } });
  };
  const pan = (): void => {
    const by = panAt(last);
    if (by !== null) {
      panBy(by);
      show();
    }
    frame = requestAnimationFrame(pan);
  };
  const onMove = ({ clientX, clientY }: globalThis.PointerEvent): void => {
    last = { x: clientX, y: clientY };
    if (!isWire && Math.hypot(clientX - from.clientX, clientY - from.clientY) < leastMove) return;
    if (!isWire) {
      isWire = true;
      aim.markRefused();
      editor.current.frame?.setAttribute('data-wired', 'true');
      frame = requestAnimationFrame(pan);
    }
    show();
  };
  const stop = (): void => {
    cancelAnimationFrame(frame);
    aim.unmark();
    editor.current.frame?.removeAttribute('data-wired');
    editor.current.interaction.setState({ wire: null });
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', onUp);
    removeEventListener('pointercancel', stop);
    removeEventListener('keydown', onKeyDown, { capture: true });
  };
  const onUp = (): void => {
    const { wire } = editor.current.interaction.getState();
    stop();
    finishWire(editor.current, aim, { start, target: wire?.target ?? null, isWire, at: last });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    stop();
  };
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', onUp);
  addEventListener('pointercancel', stop);
  addEventListener('keydown', onKeyDown, { capture: true });
}

interface LetGo {
  readonly start: WireStart;
  readonly target: WireTarget | null;
  readonly isWire: boolean;
  /** Position in pixels of the page. */
  readonly at: NodePosition;
}

function finishWire(editor: CanvasEditor, aim: Aim, { start, target, isWire, at }: LetGo): void {
  if (target !== null) {
    if (target.refusal === null) void connectWire(editor, start, aim.edgeTo(target));
    return;
  }
  // An edge end that is released over empty space returns to its place.
  if (start.edgeId !== null) return;
  const { nodeId, route } = start;
  const to: AddTo = start.port === 'source' ? { do: 'behind', nodeId, route } : { do: 'before', nodeId };
  openQuickAdd(editor, { to, pointer: at, isPlace: isWire });
}

interface Aim {
  at(point: NodePosition): WireTarget | null;
  /** Returns the edge that the wire would create, as validated. */
  edgeTo(end: WireEnd): EdgeDoc;
  /** Dims cards that the wire cannot be connected to, a few per frame. */
  markRefused(): void;
  unmark(): void;
}

function aimOf(editor: CanvasEditor, start: WireStart): Aim {
  const cards = wireCards(editor, start);
  const known = new Map<string, { readonly edge: EdgeDoc; readonly refusal: string | null }>();
  const checkedEdge = (end: WireEnd): { readonly edge: EdgeDoc; readonly refusal: string | null } => {
    const key = JSON.stringify([end.id, end.route]);
    const before = known.get(key);
    if (before !== undefined) return before;
    const edge = edgeOfWire(editor, start, end);
    const checked = { edge, refusal: edgeRefusal(editor.doc, edge, start.edgeId ?? undefined) };
    known.set(key, checked);
    return checked;
  };
  const refusalOf = (end: WireEnd): string | null => checkedEdge(end).refusal;
  const isRefused = ({ id, ports }: WireCard): boolean => ports.every(({ route }) => refusalOf({ id, route }) !== null);
  const marking = markCards(editor.frame, cards, isRefused);
  return {
    at(point) {
      const zoom = editor.zoom();
      const screenReach = Math.min(reach.most, Math.max(reach.least, reach.wished * Math.sqrt(zoom)));
      return findWireTarget(cards, { at: point, reach: screenReach / zoom }, refusalOf);
    },
    edgeTo: (end) => checkedEdge(end).edge,
    markRefused: marking.begin,
    unmark: marking.end,
  };
}

/** Milliseconds per frame that may be spent on checks. */
const checkTime = 6;

function markCards(
  frame: HTMLElement | null,
  cards: readonly WireCard[],
  isRefused: (card: WireCard) => boolean,
): { begin(): void; end(): void } {
  let request = 0;
  let next = 0;
  const work = (): void => {
    const end = performance.now() + checkTime;
    while (next < cards.length && performance.now() < end) {
      const card = cards[next++];
      if (card === undefined) continue;
      const drawn = frame?.querySelector<HTMLElement>(`[data-card="${CSS.escape(card.id)}"]`);
      if (drawn != null && isRefused(card)) drawn.dataset['refused'] = '';
    }
    if (next < cards.length) request = requestAnimationFrame(work);
  };
  return {
    begin: work,
    end() {
      cancelAnimationFrame(request);
      for (const card of frame?.querySelectorAll<HTMLElement>('[data-refused]') ?? []) delete card.dataset['refused'];
    },
  };
}

/**
 * Returns cards with the ports where the wire could end. The wire's own card is included only if a connection to it is
 * rejected with a reason.
 */
function wireCards(editor: CanvasEditor, { port }: WireStart): WireCard[] {
  const { projection, layout } = editor;
  const { direction, nodes } = projection;
  return nodes.map((node) => {
    const outer = outerRect(node, layout);
    const portAt = (out?: number): NodePosition => {
      const { sourceX, sourceY, targetX, targetY } = edgeEnds({ ...outer, out }, outer, direction);
      return port === 'source' ? { x: targetX, y: targetY } : { x: sourceX, y: sourceY };
    };
    const rows = port === 'source' ? [] : branchPorts(node.content, direction);
    return {
      id: node.id,
      ...cardRect(node, layout),
      ports: [{ route: null, ...portAt() }, ...rows.map(({ route, out }) => ({ route, ...portAt(out) }))],
    };
  });
}
