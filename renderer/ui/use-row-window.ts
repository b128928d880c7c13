import { useCallback, useRef } from 'react';
import { useViewport } from './use-viewport.ts';

/** As many are drawn all at once. */
const fewRows = 100;
/** Rows drawn beyond the visible ones, so that scrolling does not show gaps. */
const overscan = 10;

export interface RowWindow {
  /** The ref of the element that scrolls. */
  readonly follow: (element: HTMLElement | null) => (() => void) | undefined;
  /** Which rows to draw; `kept` is always one of them. */
  readonly visible: readonly number[];
  /** Scrolls as little as shows a row. */
  readonly show: (index: number) => void;
}

/** Follows which of many rows of one height are in view. */
export function useRowWindow(count: number, rowHeight: number, kept: number): RowWindow {
  const scroller = useRef<HTMLElement | null>(null);
  const [{ top, height }, followViewport] = useViewport();
  const follow = useCallback(
    (element: HTMLElement | null) => {
      scroller.current = element;
      return followViewport(element);
    },
    [followViewport],
  );
  const show = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (element === null) return;
      const [start, end] = [index * rowHeight, (index + 1) * rowHeight];
      if (start < element.scrollTop) element.scrollTop = start;
      else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
    },
    [rowHeight],
  );
  const isFew = count <= fewRows;
  const first = isFew ? 0 : Math.max(0, Math.floor(top / rowHeight) - overscan);
  const last = isFew ? count : Math.min(count, Math.ceil((top + height) / rowHeight) + overscan);
  const visible = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
  if (kept < first && kept >= 0) visible.unshift(kept);
  else if (kept >= last && kept < count) visible.push(kept);
  return { follow, visible, show };
}
