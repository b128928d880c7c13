/**
 * Lists of any length that draw only the rows in view. All rows of a list have one height, so what is in view is a
 * division.
 */
import { type RefCallback, useCallback, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

/** Rows drawn beyond the visible ones, so that scrolling does not show gaps. */
const overscan = 8;
/** Pixels that a list scrolled to its end may be short of it: positions are rounded. */
const endTolerance = 2;

export interface RowWindowOptions {
  readonly count: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** A row that is drawn wherever it is. */
  readonly keptRow?: number;
  /** As many rows are all drawn, in view or not. */
  readonly maxDrawnAtOnce?: number;
  /** Rows are added at the end: keeps the end in view for as long as the person has not scrolled away from it. */
  readonly followsEnd?: boolean;
}

interface RowWindow {
  /** The ref of the element that scrolls. */
  readonly scroller: RefCallback<HTMLElement>;
  /** Which rows to draw, in their order. */
  readonly drawn: readonly number[];
  /** The first row that is whole in view. */
  readonly firstVisible: number;
  /** Scrolls as little as shows a row. */
  readonly show: (index: number) => void;
}

/** Which of many rows are drawn, as the element around them scrolls and changes its size. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new count is what makes the element grow
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

/** Pixels of a row by its token; follows the density. */
export function useRowHeight(token: keyof typeof usualRowHeight): number {
  return useSyncExternalStore(followDensity, () => {
    const written = getComputedStyle(document.documentElement).getPropertyValue(token);
    return Number.parseFloat(written) || usualRowHeight[token];
  });
}
