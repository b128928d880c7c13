import { useSyncExternalStore } from 'react';

/** Returns whether a CSS media query matches, and updates when that changes. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => matchMedia(query).matches,
  );
}

/** Width at which the side panel collapses into the rail. The style sheets use the same width. */
export const narrowWindow = '(max-width: 1100px)';

/**
 * In windows this low, the bar of a canvas is placed over it instead of below. The style sheets use the same height.
 */
export const shortWindow = '(max-height: 760px)';
