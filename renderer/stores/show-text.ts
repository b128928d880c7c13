/**
 * Opens a file at a position in its text.
 */
import { EngineError } from '../../engine/isomorphic.ts';
import type { Stores } from './stores.ts';
import type { OpenFile } from './text/file.ts';
import { kindOfPath } from './text/paths.ts';
import { text as words } from './text.ts';

/** Position from 1. `length` characters are selected, or none if it is undefined. */
interface TextSelectionTarget {
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/** Returns the node that contains a line. */
function nodeAt({ kind, nodeRanges, isCheckStale }: OpenFile, line: number): string | undefined {
  if (kind !== 'flow' || isCheckStale) return undefined;
  return [...nodeRanges].find(([, range]) => range.line <= line && line <= range.endLine)?.[0];
}

/**
 * Opens the file in a tab, or switches to its tab, and shows the position. In a flow, also selects the node at the
 * position.
 */
export async function showText(
  stores: Pick<Stores, 'openFiles' | 'selection'>,
  path: string,
  place: TextSelectionTarget,
): Promise<void> {
  const { open, checked } = stores.openFiles.getState();
  await open(path, kindOfPath(path));
  const file = await checked(path);
  if (file?.status !== 'ready') return;
  const { selectNode, revealText } = stores.selection.getState();
  const node = nodeAt(file, place.line);
  if (node !== undefined) selectNode(path, node);
  revealText(path, place);
}

/**
 * Parses `<file>:<line>`, as used by problems and decisions.
 * @returns null for a position that is not in a workspace file, because no tab can show it
 */
export function workspacePlace(place: string): { readonly path: string; readonly line: number } | null {
  const [, path, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(place) ?? [];
  if (path === undefined || line === undefined) return null;
  const isElsewhere = /^[\\/~]|^[a-z]:/i.test(path) || path.split(/[\\/]/).includes('..');
  return isElsewhere ? null : { path, line: Math.max(1, Number(line)) };
}

/** Opens a workspace file in a tab. Creates it with an initial text if it does not exist. */
export async function showOrMake(
  { engine, notices, openFiles }: Pick<Stores, 'engine' | 'notices' | 'openFiles'>,
  path: string,
  text: string,
): Promise<void> {
  try {
    await engine.call('createFile', { path, kind: 'file', text });
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'files.exists') {
      notices.getState().addError(words.createFailed({ path }), error);
      return;
    }
  }
  await openFiles.getState().open(path, kindOfPath(path));
}
