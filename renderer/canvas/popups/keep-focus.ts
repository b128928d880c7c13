/**
 * The keyboard stays on a canvas when what had it there goes: a deleted card, a popup, the field of a note. Otherwise
 * Tab and screen readers would begin again at the top of the window.
 */
import { type RefObject, useEffect } from 'react';

/** Puts the focus from something on a canvas onto the canvas itself. */
export function focusCanvas(from: Element | null): void {
  const canvas = from?.closest('.flow-canvas')?.querySelector<HTMLElement>(':scope > .react-flow');
  canvas?.focus({ preventScroll: true });
}

/** @param frame what holds the canvas and all that lies on it */
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
