/**
 * How a flow is first seen: all of it, or, when its cards would then be too small to read, its start.
 */
import type { Viewport } from '@xyflow/react';
import type { NodePosition } from '../../engine/isomorphic.ts';
import { cardMetrics } from './card-metrics.ts';
import type { ProjectedNode } from './flow-projection.ts';

/** Pixels around the cards, at the foot also for the bar there. */
export const canvasPadding = { top: 32, right: 32, bottom: 72, left: 32 } as const;

/** From here on cards show all they have to say. */
const leastOpeningZoom = 0.72;
/** A small flow is not blown up. */
const mostOpeningZoom = 1;

export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/** The rectangle around these cards. */
export function cardsBounds(
  nodes: readonly ProjectedNode[],
  positions: ReadonlyMap<string, NodePosition>,
): { x: number; y: number; width: number; height: number } {
  const boxes = nodes.map(({ id, height }) => ({ ...(positions.get(id) ?? { x: 0, y: 0 }), height }));
  const across = spanOf(boxes.map(({ x }) => ({ from: x, to: x + cardMetrics.width })));
  const down = spanOf(boxes.map(({ y, height }) => ({ from: y, to: y + height })));
  return { x: across.from, y: down.from, width: lengthOf(across), height: lengthOf(down) };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The viewport in which a flow opens on a canvas of this size, in pixels. */
export function openingViewport(
  nodes: readonly ProjectedNode[],
  positions: ReadonlyMap<string, NodePosition>,
  { width, height }: CanvasSize,
): Viewport {
  const cards = nodes.flatMap((node) => {
    const place = positions.get(node.id);
    return place === undefined ? [] : [{ ...place, height: node.height, isStart: node.content.isStart }];
  });
  const start = cards.find(({ isStart }) => isStart) ?? cards[0];
  if (start === undefined || width === 0 || height === 0) return { x: 0, y: 0, zoom: mostOpeningZoom };
  const across = spanOf(cards.map(({ x }) => ({ from: x, to: x + cardMetrics.width })));
  const down = spanOf(cards.map(({ y, height: cardHeight }) => ({ from: y, to: y + cardHeight })));
  const roomAcross = { from: canvasPadding.left, to: width - canvasPadding.right };
  const roomDown = { from: canvasPadding.top, to: height - canvasPadding.bottom };
  const fitting = Math.min(lengthOf(roomAcross) / lengthOf(across), lengthOf(roomDown) / lengthOf(down));
  const zoom = Math.min(mostOpeningZoom, Math.max(leastOpeningZoom, fitting));
  return {
    x: shiftInto(roomAcross, { ...across, focus: across.from }, zoom),
    y: shiftInto(roomDown, { ...down, focus: start.y + start.height / 2 }, zoom),
    zoom,
  };
}

/** Where the content must begin: in the middle of the room, or, when it is larger, with its focus there and no gap. */
function shiftInto(room: Span, content: Span & { readonly focus: number }, zoom: number): number {
  const first = room.from - content.from * zoom;
  const last = room.to - content.to * zoom;
  if (first <= last) return (first + last) / 2;
  const centred = (room.from + room.to) / 2 - content.focus * zoom;
  return Math.min(first, Math.max(last, centred));
}

function spanOf(spans: readonly Span[]): Span {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    from = Math.min(from, span.from);
    to = Math.max(to, span.to);
  }
  return { from, to };
}

function lengthOf({ from, to }: Span): number {
  return to - from;
}
