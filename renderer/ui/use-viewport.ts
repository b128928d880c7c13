import { useCallback, useState } from 'react';

/** Pixels. */
export interface Viewport {
  readonly top: number;
  readonly height: number;
}

/** What of an element that scrolls is in view, for as long as it is there; and the ref of that element. */
export function useViewport(): [Viewport, (element: HTMLElement | null) => (() => void) | undefined] {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, height: 0 });
  const follow = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const read = (): void => setViewport({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);
  return [viewport, follow];
}
