/**
 * Opens workspace files in tabs and moves the keyboard focus into them.
 */

import type { Stores } from '../../stores/stores.ts';
import { kindOfPath } from '../../stores/text/paths.ts';
import { nextFrame } from '../../ui/next-frame.ts';

/** Opens a file in a tab, or switches to its tab if it is open already. */
export async function openPath({ openFiles }: Pick<Stores, 'openFiles'>, path: string): Promise<void> {
  await openFiles.getState().open(path, kindOfPath(path));
}

/** The elements that can receive the focus: the canvas of a flow or a catalog, or the text editor. */
const places = [
  '.flow-canvas > .react-flow',
  '.catalogue-lanes [data-flow][tabindex="0"]',
  '.text-view .monaco-editor textarea',
] as const;
/** Milliseconds to wait for an element to be drawn before giving up on focusing it. */
const longestWaitMs = 20_000;

/**
 * Focuses the view of the active file once it is drawn, unless the user moves the focus elsewhere first.
 * @param from element that had the focus when the file was requested
 */
export function focusOpened(from: Element | null): void {
  focusWhenDrawn(places, from);
}

/** Focuses the first of these elements once it is drawn, unless the user moves the focus elsewhere first. */
export function focusWhenDrawn(selectors: readonly string[], from: Element | null): void {
  const end = performance.now() + longestWaitMs;
  const look = (): void => {
    const { activeElement } = document;
    if (activeElement !== from && activeElement !== document.body) return;
    const place = selectors.flatMap((selector) => document.querySelector<HTMLElement>(selector) ?? []).at(0);
    if (place !== undefined) place.focus({ preventScroll: true });
    else if (performance.now() < end) nextFrame(look);
  };
  // What was drawn before is still there at this point.
  nextFrame(look);
}
