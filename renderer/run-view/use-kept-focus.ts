import { type RefObject, useLayoutEffect, useRef } from 'react';

interface KeptFocus {
  readonly element: RefObject<HTMLDivElement | null>;
  /** Focuses a row that is drawn. */
  readonly focus: (key: string) => void;
}

/**
 * Keeps the focus on a row of a list (`data-key`) while others come and go around it. When it goes itself, the row that has come to
 * its place gets the focus.
 * @param keys of all rows, in their order
 */
export function useKeptFocus(keys: readonly string[]): KeptFocus {
  const element = useRef<HTMLDivElement>(null);
  /** The row that had the focus when the list was drawn last. */
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
      // A row that is taken away with the focus on it gives it to nobody.
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
    // Somebody else has it by now.
    if (active !== null && active !== document.body) return;
    const key = keys.includes(last.key) ? last.key : keys[Math.min(last.index, keys.length - 1)];
    if (key !== undefined) focus(key);
  });
  return { element, focus };
}
