import { useSyncExternalStore } from 'react';

/** Whether a CSS media query holds, as it changes. */
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

/** Where the side panel folds into the rail. The same width stands in the style sheets. */
export const narrowWindow = '(max-width: 1100px)';

/** In windows this low, the bar of a canvas lies over it instead of below. The style sheets use the same height. */
export const shortWindow = '(max-height: 760px)';
