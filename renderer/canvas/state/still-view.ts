/**
 * Keeps the canvas still: moves the view as little as possible to show something, and keeps cards in place on the
 * screen while bars appear and disappear above the canvas.
 */
import { useReactFlow, type Viewport } from '@xyflow/react';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { Rect } from '../geometry/rect.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

interface ViewShift {
  readonly x: number;
  readonly y: number;
}

/** Pixels between a card that was brought into view and the border. */
const margin = 24;
/** Pixels that the tools beside a card take, such as the + of a branch, with some space. */
export const toolRoom = 40;

function onScreen({ x, y, width, height }: Rect, { x: left, y: top, zoom }: Viewport): Rect {
  return { x: x * zoom + left, y: y * zoom + top, width: width * zoom, height: height * zoom };
}

/** Returns the largest overhang of a rectangle beyond the canvas, in pixels. 0 if all of it is in view. */
export function overhangOf(rect: Rect, viewport: Viewport, size: Size): number {
  const { x, y, width, height } = onScreen(rect, viewport);
  return Math.max(0, -x, -y, x + width - size.width, y + height - size.height);
}

/** Returns whether a clearly visible part of the rectangle is within the canvas. */
export function isInView(rect: Rect, viewport: Viewport, size: Size): boolean {
  const { x, y, width, height } = onScreen(rect, viewport);
  return shownLength(x, width, size.width) >= margin && shownLength(y, height, size.height) >= margin;
}

/**
 * Returns how far a span must move to be within the available room. 0 if it is within the room, or covers all of it.
 */
function shiftInto(from: number, length: number, room: number, after = margin): number {
  const [least, most] = [margin, room - after - length];
  if (least > most) return from > margin ? margin - from : Math.max(0, most - from);
  return from < least ? least - from : Math.min(0, most - from);
}

/** Returns the length of a span's part within the available room. */
function shownLength(from: number, length: number, room: number): number {
  return Math.max(0, Math.min(from + length, room) - Math.max(from, 0));
}

/**
 * Returns how far the view must move to show a card. Null if enough of it is in view.
 * @param enough fraction of its width and height that must be visible; 1 for all of it
 * @param after pixels at its right that must be visible too, if all of it must be
 */
export function shiftToShow(
  card: Rect,
  viewport: Viewport,
  { size, enough, after = margin }: { size: Size; enough: number; after?: number | undefined },
): ViewShift | null {
  const { x, y, width, height } = onScreen(card, viewport);
  // If all of a card must be visible, so must the tools beside it.
  const beside = enough < 1 ? 0 : margin;
  const isShown = (from: number, length: number, room: number): boolean =>
    shownLength(from - beside, length + 2 * beside, room) >= enough * Math.min(length + 2 * beside, room) - 0.5;
  if (isShown(x, width + (enough < 1 ? 0 : after - margin), size.width) && isShown(y, height, size.height)) return null;
  return { x: shiftInto(x, width, size.width, after), y: shiftInto(y, height, size.height) };
}

/**
 * Maximum height in pixels that is compensated. This is more than the bars above a canvas take; a panel of that height
 * moves the cards down.
 */
const mostKept = 120;

/** Keeps cards in place on the screen when the top of the canvas moves, such as when a run starts or ends. */
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
    // An element that appears above the canvas reduces its height. The observer is called before the next paint, so
    // nothing flickers.
    const observer = new ResizeObserver(() => keep());
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
}
