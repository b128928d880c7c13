/**
 * Marks the canvas while it moves, so that its styles can do without what only a canvas at rest needs.
 */
import type { Viewport } from '@xyflow/react';
import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** A movement counts as over after so many milliseconds without a step. */
export const motionPause = 160;

/**
 * What to call with each step of a movement: `frame` has `data-moving`, `pan` or `zoom`, until a moment after the last one.
 */
export function useMotion(frame: RefObject<HTMLElement | null>): (viewport: Viewport) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const lastZoom = useRef<number | null>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    ({ zoom }) => {
      const element = frame.current;
      if (element === null) return;
      const isZoom = element.dataset['moving'] === 'zoom' || (lastZoom.current ?? zoom) !== zoom;
      lastZoom.current = zoom;
      const kind = isZoom ? 'zoom' : 'pan';
      if (element.dataset['moving'] !== kind) element.dataset['moving'] = kind;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        delete element.dataset['moving'];
      }, motionPause);
    },
    [frame],
  );
}
