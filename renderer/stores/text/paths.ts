/**
 * Path helpers: the folder, the kind of file, the display name, and the path after a folder was renamed.
 */

import { isCataloguePath, isProductFlowPath } from '../../../engine/isomorphic.ts';
import type { DocumentKind } from './check.ts';
import type { OpenFile } from './file.ts';

/** Returns whether a path is equal to a file or folder, or below it. */
export function isAtOrBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/**
 * Returns the path of a file after `from`, which is the file or a folder around it, was renamed to `to`. Other paths
 * are returned unchanged.
 */
export function movedPath(path: string, from: string, to: string): string {
  return isAtOrBelow(path, from) ? `${to}${path.slice(from.length)}` : path;
}

/** Returns a map with its paths renamed. */
export function movedKeys<Value>(map: ReadonlyMap<string, Value>, from: string, to: string): Map<string, Value> {
  return new Map([...map].map(([path, value]) => [movedPath(path, from, to), value]));
}

/** Returns the folder of a file. `''` is the workspace. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Returns the path of a name in a folder. `''` is the workspace. */
export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Returns the kind of a file in the workspace, by its name. */
export function kindOfPath(path: string): DocumentKind {
  if (isCataloguePath(path)) return 'dialogue';
  if (/\.flow\.ya?ml$/.test(path) || isProductFlowPath(path)) return 'flow';
  return path.endsWith('.aip') ? 'agent' : 'file';
}

/**
 * Returns whether an open file is in the workspace. Agents of packs outside it have a reference or an absolute path.
 */
export function isWorkspaceFile({ path, kind }: Pick<OpenFile, 'path' | 'kind'>): boolean {
  return !/^[\\/]|^[a-z]:/i.test(path) && !(kind === 'agent' && path.includes('@'));
}

/** Returns the length of a file name without its extension, which is the part usually edited in a rename. */
export function stemLength(name: string): number {
  const dot = name.search(/\.flow\.ya?ml$|\.dialogue\.yaml$|\.[^.]+$/);
  return dot < 1 ? name.length : dot;
}

const ending = /\.flow\.ya?ml$|\.dialogue\.yaml$|\.aip$/;
const packRef = /^[\w-]+@[\w-][^\\]*$/;

/** Returns a file name without folders and extension, or the reference of an agent in a pack. */
export function flowNameOf(path: string): string {
  if (packRef.test(path) && !ending.test(path)) return path;
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.replace(isProductFlowPath(path) ? /(?:\.flow)?\.(?:ya?ml|json)$/ : ending, '');
}
