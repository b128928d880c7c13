/**
 * A popup beside the card of the only selected node. Its text size does not depend on the zoom, and it is on the side
 * where it covers the least.
 */
import { NodeToolbar, Position, type ReactFlowState, useStore } from '@xyflow/react';
import type { ReactNode } from 'react';
import type { CanvasSelection } from '../state/canvas-selection.ts';
import { useInteraction } from '../state/interaction.ts';

/** Pixels between card and popup. */
const gap = 8;
/** Typical maximum size of a popup, in window pixels. */
const size = { width: 300, height: 180 } as const;
/** Cutting off the popup is much worse than covering a card: it can be closed, but not read. */
const clippingCost = 20;
/** Maximum number of cards to consider. With more cards the popup is placed below. */
const mostCards = 500;

interface PopupAnchorRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Whether the popup is above or below its card. */
function isLevel(side: Position): boolean {
  return side === Position.Top || side === Position.Bottom;
}

function sharedArea(a: PopupAnchorRect, b: PopupAnchorRect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Returns the possible positions of a popup beside a card, in order of preference. */
function placesBeside({ x, y, width, height }: PopupAnchorRect): readonly (readonly [Position, PopupAnchorRect])[] {
  const [left, top] = [x + (width - size.width) / 2, y + (height - size.height) / 2];
  return [
    [Position.Bottom, { ...size, x: left, y: y + height + gap }],
    [Position.Top, { ...size, x: left, y: y - size.height - gap }],
    [Position.Right, { ...size, x: x + width + gap, y: top }],
    [Position.Left, { ...size, x: x - size.width - gap, y: top }],
  ];
}

/** Returns the side of a box on which a popup covers the least of other cards and is cut off the least. */
export function sideWithRoom(
  card: PopupAnchorRect,
  others: readonly PopupAnchorRect[],
  view: Pick<PopupAnchorRect, 'width' | 'height'>,
): Position {
  const seen = { x: 0, y: 0, ...view };
  const hidden = (place: PopupAnchorRect): number =>
    clippingCost * (size.width * size.height - sharedArea(place, seen)) +
    others.reduce((sum, other) => sum + sharedArea(place, other), 0);
  const [first, ...rest] = placesBeside(card).map(([side, place]) => {
    const shift = shiftIntoView(card, side, view);
    const shown = isLevel(side) ? { ...place, x: place.x + shift } : { ...place, y: place.y + shift };
    return { side, cost: hidden(shown) };
  });
  return (
    rest.reduce((best, one) => (one.cost < (best?.cost ?? Number.POSITIVE_INFINITY) ? one : best), first)?.side ??
    Position.Bottom
  );
}

type ViewState = Pick<ReactFlowState, 'nodeLookup' | 'transform' | 'width' | 'height'>;

/** Returns the box of a card in view pixels. */
function boxIn({ nodeLookup, transform: [dx, dy, zoom] }: ViewState, nodeId: string): PopupAnchorRect | undefined {
  const node = nodeLookup.get(nodeId);
  if (node === undefined) return undefined;
  const { x, y } = node.internals.positionAbsolute;
  const [width, height] = [(node.measured.width ?? 0) * zoom, (node.measured.height ?? 0) * zoom];
  return { x: x * zoom + dx, y: y * zoom + dy, width, height };
}

/** In view pixels. Considers the cards of a body, but not the container around them. */
function sideOf(state: ViewState, nodeId: string): Position {
  const { nodeLookup, width, height } = state;
  const boxes = new Map<string, PopupAnchorRect>();
  if (nodeLookup.size > mostCards) return Position.Bottom;
  for (const id of nodeLookup.keys()) {
    const box = boxIn(state, id);
    if (box !== undefined) boxes.set(id, box);
  }
  const card = boxes.get(nodeId);
  if (card === undefined) return Position.Bottom;
  boxes.delete(nodeId);
  return sideWithRoom(card, [...boxes.values()], { width, height });
}

/** Minimum distance in pixels between a popup and the border of the canvas. */
const edge = 8;

/** Returns how far a popup that is centered at a card must move to be entirely visible, in view pixels. */
export function shiftIntoView(
  card: PopupAnchorRect,
  side: Position,
  view: Pick<PopupAnchorRect, 'width' | 'height'>,
): number {
  const [from, length, room] = isLevel(side)
    ? [card.x + (card.width - size.width) / 2, size.width, view.width]
    : [card.y + (card.height - size.height) / 2, size.height, view.height];
  return Math.round(Math.max(edge - from, Math.min(0, room - edge - length - from)));
}

interface CardPopupProps {
  readonly selection: CanvasSelection;
  readonly explain: (nodeId: string) => ReactNode;
}

export function CardPopup({ selection, explain }: CardPopupProps) {
  const isAtRest = useInteraction(({ dragged, wire }) => dragged === null && wire === null);
  const [nodeId] = selection.ids;
  const { edges, notes, groups } = selection.chosen;
  const isAlone = selection.ids.size === 1 && edges.size + notes.size + groups.size === 0;
  if (nodeId === undefined || !isAlone || !isAtRest) return null;
  return <PlacedPopup nodeId={nodeId}>{explain(nodeId)}</PlacedPopup>;
}

function PlacedPopup({ nodeId, children }: { nodeId: string; children: ReactNode }) {
  const side = useStore((state) => sideOf(state, nodeId));
  const shift = useStore((state) => {
    const card = boxIn(state, nodeId);
    return card === undefined ? 0 : shiftIntoView(card, side, state);
  });
  return (
    <NodeToolbar
      nodeId={nodeId}
      isVisible
      position={side}
      offset={gap}
      className="nopan nowheel"
      style={isLevel(side) ? { marginLeft: shift } : { marginTop: shift }}
    >
      {children}
    </NodeToolbar>
  );
}
