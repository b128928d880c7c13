/**
 * Keeps the focus on a canvas when the focused element disappears: a deleted card, a popup, the field of a note.
 * Otherwise Tab and screen readers would start again at the top of the window.
 */
import { type RefObject, useEffect } from 'react';

/** Moves the focus from an element on a canvas to the canvas itself. */
export function focusCanvas(from: Element | null): void {
  const canvas = from?.closest('.flow-canvas')?.querySelector<HTMLElement>(':scope > .react-flow');
  canvas?.focus({ preventScroll: true });
}

/** @param frame element that contains the canvas and everything on it */
export function useKeepFocus(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const canvas = frame.current;
    if (canvas === null) return;
    let last: Node | null = null;
    const onFocusIn = ({ target }: FocusEvent): void => {
      last = target instanceof Node ? target : null;
    };
    const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget instanceof Node && !canvas.contains(relatedTarget)) last = null;
    };
    const observer = new MutationObserver(() => {
      if (last === null || last.isConnected || document.activeElement !== document.body) return;
      last = null;
      focusCanvas(canvas);
    });
    observer.observe(canvas, { childList: true, subtree: true });
    canvas.addEventListener('focusin', onFocusIn);
    canvas.addEventListener('focusout', onFocusOut);
    return () => {
      observer.disconnect();
      canvas.removeEventListener('focusin', onFocusIn);
      canvas.removeEventListener('focusout', onFocusOut);
    };
  }, [frame]);
}
