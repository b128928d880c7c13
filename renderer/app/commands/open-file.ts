/**
 * Opens files of the workspace in tabs, and puts the keyboard there.
 */

import type { Stores } from '../../stores/stores.ts';
import { kindOfPath } from '../../stores/text/paths.ts';
import { nextFrame } from '../../ui/next-frame.ts';

/** Opens a file in a tab, or comes back to it. */
export async function openPath({ openFiles }: Pick<Stores, 'openFiles'>, path: string): Promise<void> {
  await openFiles.getState().open(path, kindOfPath(path));
}

/** The canvas of a flow or a catalogue, else the text: whichever the active file is shown as. */
const places = [
  '.flow-canvas > .react-flow',
  '.catalogue-lanes [data-flow][tabindex="0"]',
  '.text-view .monaco-editor textarea',
] as const;
/** After so many milliseconds a file that is still not drawn gets no focus any more. */
const longestWaitMs = 3000;

/**
 * Puts the focus into the view of the active file once it is drawn, unless the person goes elsewhere before that.
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
  // What was active before is still drawn now.
  nextFrame(look);
}
