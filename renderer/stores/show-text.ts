/**
 * Leads to a place in the text of a file.
 */
import { EngineError } from '../../engine/isomorphic.ts';
import type { Stores } from './stores.ts';
import type { OpenFile } from './text/file.ts';
import { kindOfPath } from './text/paths.ts';

/** From 1; so many characters from there are selected, none when absent. */
interface TextPlace {
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/** The node in whose lines a line lies. */
function nodeAt({ kind, nodeRanges, isCheckStale }: OpenFile, line: number): string | undefined {
  if (kind !== 'flow' || isCheckStale) return undefined;
  return [...nodeRanges].find(([, range]) => range.line <= line && line <= range.endLine)?.[0];
}

/** Opens the file in a tab, or comes back to it, and shows the place; in a flow with its node selected. */
export async function showText(
  stores: Pick<Stores, 'openFiles' | 'selection'>,
  path: string,
  place: TextPlace,
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
 * Reads `<file>:<line>`, as problems and decisions name places.
 * @returns null for a place in no file of the workspace, which no tab can show
 */
export function workspacePlace(place: string): { readonly path: string; readonly line: number } | null {
  const [, path, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(place) ?? [];
  if (path === undefined || line === undefined) return null;
  const isElsewhere = /^[\\/~]|^[a-z]:/i.test(path) || path.split(/[\\/]/).includes('..');
  return isElsewhere ? null : { path, line: Math.max(1, Number(line)) };
}

/** Opens a file of the workspace in a tab; where there is none, makes it with a text to begin with. */
export async function showOrMake(
  { engine, notices, openFiles }: Pick<Stores, 'engine' | 'notices' | 'openFiles'>,
  path: string,
  text: string,
): Promise<void> {
  try {
    await engine.call('createFile', { path, kind: 'file', text });
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'files.exists') {
      notices.getState().addError(`${path} was not made`, error);
      return;
    }
  }
  await openFiles.getState().open(path, kindOfPath(path));
}
