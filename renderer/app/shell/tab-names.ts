/**
 * What the tabs are called.
 */
import { flowNameOf, folderOf } from '../../stores/text/paths.ts';

import { fileNameOf } from '../../stores/workspace/workspace.ts';

export interface TabName {
  readonly path: string;
  /** As short as tells it from the others: without its ending, else as in the tree of files, else with its folder. */
  readonly name: string;
}

function withFolder(path: string): string {
  const folder = folderOf(path);
  return folder === '' ? fileNameOf(path) : `${folder}/${flowNameOf(path)}`;
}

/** Gives each path the first of its names that no other path has in `names`. */
function tellApart(paths: readonly string[], names: readonly string[], longer: (path: string) => string): string[] {
  const count = new Map<string, number>();
  for (const name of names) count.set(name, (count.get(name) ?? 0) + 1);
  return paths.map((path, index) => {
    const name = names[index] ?? path;
    return count.get(name) === 1 ? name : longer(path);
  });
}

/** Names open files by their paths, in the same order. */
export function tabNames(paths: readonly string[]): readonly TabName[] {
  const short = paths.map(flowNameOf);
  const full = tellApart(paths, short, fileNameOf);
  const names = tellApart(paths, full, withFolder);
  return paths.map((path, index) => ({ path, name: names[index] ?? path }));
}
