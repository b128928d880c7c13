/**
 * Keeps the canvas still: how little of a view must move to show something, and cards that stay where they are on the screen
 * while lines come and go above the canvas.
 */
import { useReactFlow, type Viewport } from '@xyflow/react';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { Rect } from '../geometry/rect.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Shift {
  readonly x: number;
  readonly y: number;
}

/** Pixels between a card that was brought into view and the border. */
const margin = 24;

function onScreen({ x, y, width, height }: Rect, { x: left, y: top, zoom }: Viewport): Rect {
  return { x: x * zoom + left, y: y * zoom + top, width: width * zoom, height: height * zoom };
}

/** By how many pixels something reaches out of the canvas, at the side where it does most; 0 = all of it is in view. */
export function overhangOf(rect: Rect, viewport: Viewport, size: Size): number {
  const { x, y, width, height } = onScreen(rect, viewport);
  return Math.max(0, -x, -y, x + width - size.width, y + height - size.height);
}

/** Whether a part of something that can be seen at a glance lies in the canvas. */
export function isInView(rect: Rect, viewport: Viewport, size: Size): boolean {
  const { x, y, width, height } = onScreen(rect, viewport);
  return shownLength(x, width, size.width) >= margin && shownLength(y, height, size.height) >= margin;
}

/** How far a span must move to lie inside of the room; 0 = it does, or covers it. */
function shiftInto(from: number, length: number, room: number): number {
  const [least, most] = [margin, room - margin - length];
  if (least > most) return from > margin ? margin - from : Math.max(0, most - from);
  return from < least ? least - from : Math.min(0, most - from);
}

/** The length of the part of a span that lies inside of the room. */
function shownLength(from: number, length: number, room: number): number {
  return Math.max(0, Math.min(from + length, room) - Math.max(from, 0));
}

/**
 * How far the view must move to show a card; null = it need not, as enough of it is in view.
 * @param enough the part of its width and height that must be seen; 1 = all of it
 */
export function shiftToShow(
  card: Rect,
  viewport: Viewport,
  { size, enough }: { size: Size; enough: number },
): Shift | null {
  const { x, y, width, height } = onScreen(card, viewport);
  // With all of a card, what can be done beside it must be seen, too.
  const beside = enough < 1 ? 0 : margin;
  const isShown = (from: number, length: number, room: number): boolean =>
    shownLength(from - beside, length + 2 * beside, room) >= enough * Math.min(length + 2 * beside, room) - 0.5;
  if (isShown(x, width, size.width) && isShown(y, height, size.height)) return null;
  return { x: shiftInto(x, width, size.width), y: shiftInto(y, height, size.height) };
}

/** Pixels: more than lines above a canvas take; a panel that is as high as that pushes the cards down. */
const mostKept = 120;

/** Keeps cards where they are on the screen when the canvas begins further down or up, as when a run begins or ends. */
export function useStillPlace(frame: RefObject<HTMLElement | null>): void {
  const flow = useReactFlow();
  const lastTop = useRef<number | null>(null);
  const keep = useEffectEvent(() => {
    const top = frame.current?.getBoundingClientRect().top ?? null;
    const moved = top === null || lastTop.current === null ? 0 : top - lastTop.current;
    lastTop.current = top;
    if (moved === 0 || Math.abs(moved) > mostKept) return;
    const { x, y, zoom } = flow.getViewport();
    void flow.setViewport({ x, y: y - moved, zoom });
  });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    // What comes above it leaves it less height. The observer is called before the next painting, so nothing flickers.
    const observer = new ResizeObserver(() => keep());
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
}
