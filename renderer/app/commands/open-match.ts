/**
 * Opens a file at what was found in it.
 */

import type { Stores } from '../../stores/stores.ts';
import type { OpenFile } from '../../stores/text/files.ts';
import type { SearchMatch } from '../../stores/workspace/text-search.ts';
import { openPath } from './open-file.ts';

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
