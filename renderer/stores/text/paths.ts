/**
 * What paths of files say: the folder, the kind of file, the name in lists, and the path after a folder was renamed.
 */

import { isCataloguePath, isProductFlowPath } from '../../../engine/isomorphic.ts';
import type { DocumentKind } from './check.ts';
import type { OpenFile } from './file.ts';

/** Whether a path is that of a file or folder itself, or leads into it. */
export function isAtOrBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** Where a file is once `from`, it or a folder around it, is called `to`; the path itself when it lies elsewhere. */
export function movedPath(path: string, from: string, to: string): string {
  return isAtOrBelow(path, from) ? `${to}${path.slice(from.length)}` : path;
}

/** A map by paths, for the time after that. */
export function movedKeys<Value>(map: ReadonlyMap<string, Value>, from: string, to: string): Map<string, Value> {
  return new Map([...map].map(([path, value]) => [movedPath(path, from, to), value]));
}

/** The folder around a file; `''` = the workspace. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A name in a folder, `''` = the workspace. */
export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** What a file of the workspace is, by its name. */
export function kindOfPath(path: string): DocumentKind {
  if (isCataloguePath(path)) return 'dialogue';
  if (/\.flow\.ya?ml$/.test(path) || isProductFlowPath(path)) return 'flow';
  return path.endsWith('.aip') ? 'agent' : 'file';
}

/** Whether an open file lies in the workspace; agents of packs that lie elsewhere have a name or an absolute path. */
export function isWorkspaceFile({ path, kind }: Pick<OpenFile, 'path' | 'kind'>): boolean {
  return !/^[\\/]|^[a-z]:/i.test(path) && !(kind === 'agent' && path.includes('@'));
}

/** Up to the ending of a file's name: what is usually meant by a new name. */
export function stemLength(name: string): number {
  const dot = name.search(/\.flow\.ya?ml$|\.dialogue\.yaml$|\.[^.]+$/);
  return dot < 1 ? name.length : dot;
}

const ending = /\.flow\.ya?ml$|\.dialogue\.yaml$|\.aip$/;
const packRef = /^[\w-]+@[\w-][^\\]*$/;

/** A file's name without folders and ending; of an agent in a pack its reference. */
export function flowNameOf(path: string): string {
  if (packRef.test(path) && !ending.test(path)) return path;
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.replace(isProductFlowPath(path) ? /(?:\.flow)?\.(?:ya?ml|json)$/ : ending, '');
}
