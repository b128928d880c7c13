/**
 * How a flow is first seen: all of it, or, when its cards would then be too small to read, its start.
 */
import type { Viewport } from '@xyflow/react';
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import type { Rect } from '../geometry/rect.ts';
import { boundsOf } from '../geometry/rect.ts';
import { groupFrame } from '../projection/group-frame.ts';
import type { PlacedFlow } from '../projection/loop-frames.ts';
import { cardRect, outerRect } from '../projection/loop-frames.ts';

/** What a view must know to show all that lies on a canvas. */
export type FlowSheet = PlacedFlow & { readonly doc: Pick<FlowDoc, 'layout'> };

/** The rectangle around cards, containers, notes and groups, or around the cards given. Null around nothing. */
export function flowBounds({ projection, layout, doc }: FlowSheet, ids?: ReadonlySet<string>): Rect | null {
  const some = projection.nodes.filter(({ id }) => ids?.has(id) ?? true);
  const cards = (some.length === 0 ? projection.nodes : some).map((node) => outerRect(node, layout));
  if (ids !== undefined && some.length > 0) return boundsOf(cards);
  const { notes = {}, groups = {} } = doc.layout ?? {};
  const frames = Object.values(groups).flatMap((group) => groupFrame({ projection, layout }, group, null) ?? []);
  return boundsOf([...cards, ...Object.values(notes), ...frames]);
}

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

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The viewport in which a flow opens on a canvas of this size, in pixels. */
export function openingViewport(sheet: FlowSheet, { width, height }: CanvasSize): Viewport {
  const { projection, layout } = sheet;
  const bounds = flowBounds(sheet);
  if (bounds === null || width === 0 || height === 0) return { x: 0, y: 0, zoom: mostOpeningZoom };
  const first = projection.nodes.find(({ content }) => content.isStart) ?? projection.nodes[0];
  const start = first === undefined ? bounds : cardRect(first, layout);
  const across = { from: bounds.x, to: bounds.x + bounds.width };
  const down = { from: bounds.y, to: bounds.y + bounds.height };
  const roomAcross = { from: canvasPadding.left, to: width - canvasPadding.right };
  const roomDown = { from: canvasPadding.top, to: height - canvasPadding.bottom };
  const fitting = Math.min(lengthOf(roomAcross) / lengthOf(across), lengthOf(roomDown) / lengthOf(down));
  const zoom = Math.min(mostOpeningZoom, Math.max(leastOpeningZoom, fitting));
  return {
    x: shiftInto(roomAcross, { ...across, focus: start.x + start.width / 2 }, zoom),
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

function lengthOf({ from, to }: Span): number {
  return to - from;
}
