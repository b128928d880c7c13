/**
 * Paths of files in folders that are renamed, changed or thrown away as a whole.
 */

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
