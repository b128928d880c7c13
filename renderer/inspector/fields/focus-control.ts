/**
 * Moves the focus into a part of a form, so that the page does not receive it when a control appears or disappears.
 */
import { type RefObject, useLayoutEffect, useRef } from 'react';

const controls = ':is(input,textarea,button,[contenteditable="true"]):not(:disabled)';

/** Focuses the first control of a field. The buttons beside its label come last. */
export function focusControl(part: HTMLElement | null): void {
  const all = [...(part?.querySelectorAll<HTMLElement>(controls) ?? [])];
  (all.find((control) => control.closest('.form-head') === null) ?? all[0])?.focus();
}

/** Returns a ref for a field that receives the focus when it appears, for any kind of control. */
export function useFirstFocus<Part extends HTMLElement>(isWanted: boolean): RefObject<Part | null> {
  const part = useRef<Part>(null);
  const isWantedAtFirst = useRef(isWanted);
  useLayoutEffect(() => {
    const { current } = part;
    if (isWantedAtFirst.current && current?.contains(document.activeElement) === false) focusControl(current);
  }, []);
  return part;
}
