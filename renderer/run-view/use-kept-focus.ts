import { type RefObject, useLayoutEffect, useRef } from 'react';

interface KeptFocus {
  readonly element: RefObject<HTMLDivElement | null>;
  /** Focuses a rendered row. */
  readonly focus: (key: string) => void;
}

/**
 * Keeps the focus on a row of a list (`data-key`) while others are added and removed around it. If the focused row is
 * removed, the row that takes its place gets the focus.
 * @param keys keys of all rows in order
 */
export function useRestoredFocus(keys: readonly string[]): KeptFocus {
  const element = useRef<HTMLDivElement>(null);
  /** The row that had the focus at the last render. */
  const former = useRef<{ readonly key: string; readonly index: number } | null>(null);

  const focus = (key: string): void => {
    element.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  };

  useLayoutEffect(() => {
    const list = element.current;
    if (list === null) return undefined;
    const note = ({ target }: FocusEvent): void => {
      const key = target instanceof HTMLElement ? target.dataset['key'] : undefined;
      former.current = key === undefined ? null : { key, index: keys.indexOf(key) };
    };
    const forget = ({ relatedTarget }: FocusEvent): void => {
      // If the focused row is removed, no other element receives the focus.
      if (relatedTarget !== null) former.current = null;
    };
    list.addEventListener('focusin', note);
    list.addEventListener('focusout', forget);
    return () => {
      list.removeEventListener('focusin', note);
      list.removeEventListener('focusout', forget);
    };
  }, [keys]);

  useLayoutEffect(() => {
    const last = former.current;
    if (last === null) return;
    const active = document.activeElement;
    if (active instanceof HTMLElement && active.dataset['key'] === last.key) return;
    // Another element has the focus.
    if (active !== null && active !== document.body) return;
    const key = keys.includes(last.key) ? last.key : keys[Math.min(last.index, keys.length - 1)];
    if (key !== undefined) focus(key);
  });
  return { element, focus };
}
