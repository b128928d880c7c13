/**
 * Renders only the visible rows of lists of any length. All rows of a list have the same height.
 */
import { defaultRangeExtractor, observeElementRect, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefCallback, useCallback, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

/** Rows rendered beyond the visible ones, so that scrolling does not show gaps. */
const overscan = 8;

export interface VirtualListOptions {
  readonly count: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** A row that is always rendered. */
  readonly keptRow?: number;
  /** Lists up to this length are rendered completely. */
  readonly maxDrawnAtOnce?: number;
  /** For lists that grow at the end: keeps the end in view unless the user has scrolled away from it. */
  readonly followsEnd?: boolean;
  /** Pixels of a header that stays at the top of the scrolling element. */
  readonly headerHeight?: number;
}

interface VirtualList {
  /** The ref of the scrolling element. */
  readonly scroller: RefCallback<HTMLElement>;
  /** The rows to render, in order. */
  readonly drawn: readonly number[];
  /** The first row that is entirely visible. */
  readonly firstVisible: number;
  /** Scrolls as little as possible to show a row. */
  readonly show: (index: number) => void;
}

/** The size before the list is laid out, so that its first rows exist when effects look for them. */
const initialRect = { width: 0, height: 1 };

/** Reports the height without a horizontal scrollbar. A list in a hidden tab has no height but renders its first rows. */
const observeHeight: typeof observeElementRect<HTMLElement> = (list, report) =>
  observeElementRect(list, ({ width }) =>
    report({ width, height: Math.max(1, list.scrollElement?.clientHeight ?? 0) }),
  );

/** A position beyond the end is that of the last row. Positions are rounded, so the end is within two pixels. */
const fromTheEnd = {
  anchorTo: 'end',
  followOnAppend: true,
  scrollEndThreshold: 2,
  initialOffset: Number.MAX_SAFE_INTEGER,
} as const;

/** Returns which rows to render, as the surrounding element scrolls and changes its size. */
export function useVirtualList(options: VirtualListOptions): VirtualList {
  const { count, rowHeight, keptRow = -1, maxDrawnAtOnce = 0, followsEnd = false, headerHeight = 0 } = options;
  const element = useRef<HTMLElement | null>(null);
  const scroller = useCallback((mounted: HTMLElement | null) => {
    element.current = mounted;
  }, []);
  const rowsOf = useCallback(
    (range: Range) => {
      if (range.count <= maxDrawnAtOnce) return Array.from({ length: range.count }, (_, index) => index);
      const rows = defaultRangeExtractor(range);
      if (keptRow < 0 || keptRow >= range.count || rows.includes(keptRow)) return rows;
      return keptRow < (rows[0] ?? 0) ? [keptRow, ...rows] : [...rows, keptRow];
    },
    [keptRow, maxDrawnAtOnce],
  );
  const list = useVirtualizer<HTMLElement, HTMLElement>({
    count,
    overscan,
    estimateSize: () => rowHeight,
    getScrollElement: () => element.current,
    initialRect,
    observeElementRect: observeHeight,
    rangeExtractor: rowsOf,
    scrollPaddingEnd: headerHeight,
    ...(followsEnd ? fromTheEnd : {}),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another density changes the height of all rows
  useLayoutEffect(() => list.measure(), [list, rowHeight]);
  const show = useCallback((index: number) => list.scrollToIndex(index, { align: 'auto' }), [list]);
  const firstVisible = Math.min(count - 1, Math.ceil((list.scrollOffset ?? 0) / rowHeight));
  return { scroller, drawn: list.getVirtualIndexes(), firstVisible, show };
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
