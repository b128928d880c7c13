/**
 * Renders only the visible rows of lists of any length. All rows of a list have the same height, so the visible range
 * is a division.
 */
import { type RefCallback, useCallback, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

/** Rows rendered beyond the visible ones, so that scrolling does not show gaps. */
const overscan = 8;
/** Tolerance in pixels for a list scrolled to its end, because positions are rounded. */
const endTolerance = 2;

export interface RowWindowOptions {
  readonly count: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** A row that is always rendered. */
  readonly keptRow?: number;
  /** Lists up to this length are rendered completely. */
  readonly maxDrawnAtOnce?: number;
  /** For lists that grow at the end: keeps the end in view unless the user has scrolled away from it. */
  readonly followsEnd?: boolean;
}

interface RowWindow {
  /** The ref of the scrolling element. */
  readonly scroller: RefCallback<HTMLElement>;
  /** The rows to render, in order. */
  readonly drawn: readonly number[];
  /** The first row that is entirely visible. */
  readonly firstVisible: number;
  /** Scrolls as little as possible to show a row. */
  readonly show: (index: number) => void;
}

/** Returns which rows to render, as the surrounding element scrolls and changes its size. */
export function useRowWindow(options: RowWindowOptions): RowWindow {
  const { count, rowHeight, followsEnd = false } = options;
  const element = useRef<HTMLElement | null>(null);
  const isAtEnd = useRef(true);
  const [{ top, height }, setViewport] = useState({ top: 0, height: 0 });
  const scroller = useCallback((mounted: HTMLElement | null) => {
    element.current = mounted;
    if (mounted === null) return undefined;
    const read = (): void => setViewport({ top: mounted.scrollTop, height: mounted.clientHeight });
    const onScroll = (): void => {
      isAtEnd.current = mounted.scrollTop + mounted.clientHeight >= mounted.scrollHeight - endTolerance;
      read();
    };
    const observer = new ResizeObserver(read);
    observer.observe(mounted);
    mounted.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      mounted.removeEventListener('scroll', onScroll);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new count makes the element grow
  useLayoutEffect(() => {
    const mounted = element.current;
    if (followsEnd && isAtEnd.current && mounted !== null) mounted.scrollTop = mounted.scrollHeight;
  }, [followsEnd, count]);
  const show = useCallback(
    (index: number) => {
      const mounted = element.current;
      if (mounted === null) return;
      const start = index * rowHeight;
      const end = start + rowHeight;
      if (start < mounted.scrollTop) mounted.scrollTop = start;
      else if (end > mounted.scrollTop + mounted.clientHeight) mounted.scrollTop = end - mounted.clientHeight;
    },
    [rowHeight],
  );
  const firstVisible = Math.min(count - 1, Math.ceil(top / rowHeight));
  return { scroller, drawn: drawnRows(options, top, height), firstVisible, show };
}

function drawnRows(options: RowWindowOptions, top: number, height: number): number[] {
  const { count, rowHeight, keptRow = -1, maxDrawnAtOnce = 0 } = options;
  const drawsAll = count <= maxDrawnAtOnce;
  const first = drawsAll ? 0 : Math.max(0, Math.floor(top / rowHeight) - overscan);
  const last = drawsAll ? count : Math.min(count, Math.ceil((top + height) / rowHeight) + overscan);
  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
  if (keptRow >= 0 && keptRow < first) drawn.unshift(keptRow);
  else if (keptRow >= last && keptRow < count) drawn.push(keptRow);
  return drawn;
}

const usualRowHeight = { '--row': 28, '--tree-row': 26 } as const;

function followDensity(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-density'] });
  return () => observer.disconnect();
}

/** Returns the row height in pixels from its token, which depends on the density. */
export function useRowHeight(token: keyof typeof usualRowHeight): number {
  return useSyncExternalStore(followDensity, () => {
    const written = getComputedStyle(document.documentElement).getPropertyValue(token);
    return Number.parseFloat(written) || usualRowHeight[token];
  });
}
