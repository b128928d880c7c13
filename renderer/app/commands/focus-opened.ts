/**
 * The keyboard follows a file that was opened from a list of files.
 */
import { nextFrame } from '../../ui/next-frame.ts';

/** The canvas, else the text: whichever the file in front is shown as. */
const places = ['.flow-canvas > .react-flow', '.text-view .monaco-editor textarea'] as const;
/** After so many milliseconds a file that is still not drawn gets no focus any more. */
const longestWaitMs = 3000;

/**
 * Puts the focus into the view of the file in front once it is drawn, unless the person goes elsewhere before that.
 * @param from what had the focus when the file was asked for
 */
export function focusOpened(from: Element | null): void {
  const end = performance.now() + longestWaitMs;
  const look = (): void => {
    const { activeElement } = document;
    if (activeElement !== from && activeElement !== document.body) return;
    const place = places.flatMap((selector) => document.querySelector<HTMLElement>(selector) ?? []).at(0);
    if (place !== undefined) place.focus({ preventScroll: true });
    else if (performance.now() < end) nextFrame(look);
  };
  // What was in front before is still drawn now.
  nextFrame(look);
}
