/**
 * The zoom of a catalog's canvas, by the commands of every canvas and by Ctrl and the mouse wheel.
 */
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStores } from '../stores/stores-context.tsx';
import type { CanvasCommand } from '../stores/window/canvases.ts';

const leastZoom = 0.25;
const mostZoom = 2;
/** Zoom factor of each step by key, button or wheel. */
const step = 1.2;

function within(zoom: number): number {
  return Math.min(mostZoom, Math.max(leastZoom, zoom));
}

/**
 * Returns the next zoom. Undefined for a command that a catalog does not support. @param fitting zoom that shows
 * everything, at most 1
 */
export function zoomAfter(command: CanvasCommand['do'], zoom: number, fitting: number): number | undefined {
  if (command === 'zoom-in') return within(zoom * step);
  if (command === 'zoom-out') return within(zoom / step);
  if (command === 'zoom-100') return 1;
  return command === 'fit' ? within(Math.min(1, fitting)) : undefined;
}

interface Zoom {
  readonly zoom: number;
  /** The scrolling element. */
  readonly frame: RefObject<HTMLDivElement | null>;
  /** The scaled element inside it. */
  readonly sheet: RefObject<HTMLDivElement | null>;
}

export function useZoom(path: string): Zoom {
  const { canvases } = useStores();
  const [zoom, setZoom] = useState(1);
  const frame = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const run = useEffectEvent((command: CanvasCommand['do']): void => {
    const drawn = sheet.current?.getBoundingClientRect().height ?? 0;
    const fitting = drawn === 0 ? 1 : ((frame.current?.clientHeight ?? 0) / drawn) * zoom;
    setZoom(zoomAfter(command, zoom, fitting) ?? zoom);
  });
  useEffect(
    () =>
      canvases.getState().offer(path, {
        run: (command) => run(command.do),
        can: (command) => zoomAfter(command.do, 1, 1) !== undefined,
        menuSubject: () => 'empty',
      }),
    [canvases, path],
  );
  useEffect(() => {
    const scroller = frame.current;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      // Otherwise the whole page would be zoomed.
      event.preventDefault();
      if (event.deltaY !== 0) run(event.deltaY < 0 ? 'zoom-in' : 'zoom-out');
    };
    scroller?.addEventListener('wheel', onWheel, { passive: false });
    return () => scroller?.removeEventListener('wheel', onWheel);
  });
  return { zoom, frame, sheet };
}
