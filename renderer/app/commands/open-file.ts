/**
 * Opens files of the workspace in tabs, and puts the keyboard there.
 */

import type { Stores } from '../../stores/stores.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import { kindOfPath } from '../../stores/text/paths.ts';
import type { SearchMatch } from '../../stores/workspace/text-search.ts';
import { nextFrame } from '../../ui/next-frame.ts';

/** Opens a file in a tab, or comes back to it. */
export async function openPath({ openFiles }: Pick<Stores, 'openFiles'>, path: string): Promise<void> {
  await openFiles.getState().open(path, kindOfPath(path));
}

/** The node in whose lines a line lies. */
function nodeAt({ kind, nodeRanges, isCheckStale }: OpenFile, line: number): string | undefined {
  if (kind !== 'flow' || isCheckStale) return undefined;
  return [...nodeRanges].find(([, range]) => range.line <= line && line <= range.endLine)?.[0];
}

/** Shows the text at a match, in a flow with its node selected. */
export async function openMatch(
  stores: Pick<Stores, 'openFiles' | 'selection'>,
  path: string,
  { line, column, length }: SearchMatch,
): Promise<void> {
  await openPath(stores, path);
  const file = await stores.openFiles.getState().checked(path);
  if (file?.status !== 'ready') return;
  const { selectNode, revealText } = stores.selection.getState();
  const node = nodeAt(file, line);
  if (node !== undefined) selectNode(path, node);
  revealText(path, { line, column, length });
}

/** The canvas, else the text: whichever the active file is shown as. */
const places = ['.flow-canvas > .react-flow', '.text-view .monaco-editor textarea'] as const;
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
