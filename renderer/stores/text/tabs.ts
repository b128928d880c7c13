/**
 * The row of tabs: what becomes of it when tabs are closed, moved or renamed.
 */
import { uncheckedText } from './check.ts';
import type { OpenFlow } from './file.ts';
import { kindOfPath } from './kind-of-path.ts';
import { isAtOrBelow, movedPath } from './paths.ts';

export interface OpenTabs {
  readonly flows: ReadonlyMap<string, OpenFlow>;
  readonly tabs: readonly string[];
  readonly activePath: string | null;
}

function neighbourOf(tabs: readonly string[], path: string): string | null {
  const index = tabs.indexOf(path);
  return tabs[index + 1] ?? tabs[index - 1] ?? null;
}

/** Without a tab; the one to its right, else to its left, comes to the front in its place. */
export function tabsWithout({ flows, tabs, activePath }: OpenTabs, path: string): OpenTabs {
  const left = new Map(flows);
  left.delete(path);
  return {
    flows: left,
    tabs: tabs.filter((tab) => tab !== path),
    activePath: activePath === path ? neighbourOf(tabs, path) : activePath,
  };
}

/** With an open tab at another place, counted from 0. */
export function tabsReordered({ tabs }: OpenTabs, path: string, index: number): Pick<OpenTabs, 'tabs'> {
  return { tabs: tabs.filter((tab) => tab !== path).toSpliced(index, 0, path) };
}

/** A file that is not where it was is not missing either; another ending may make it another kind of file. */
function renamedFile(file: OpenFlow, path: string): OpenFlow {
  if (path === file.path) return file;
  const kind = kindOfPath(path);
  const check = kind === file.kind ? {} : { ...uncheckedText, text: file.text };
  return { ...file, ...check, path, kind, isMissing: false, readError: null };
}

export interface RenamedTabs extends OpenTabs {
  /** By their new names. */
  readonly moved: readonly string[];
  /** Tabs of files that were called so before: there is no such file any more. */
  readonly replaced: readonly string[];
}

/** With the new names of a file, or of all below a folder. */
export function tabsRenamed(open: OpenTabs, from: string, to: string): RenamedTabs {
  const movable = open.tabs.filter((tab) => isAtOrBelow(tab, from));
  const moved = movable.map((tab) => movedPath(tab, from, to));
  const replaced = moved.filter((tab) => open.flows.has(tab) && !movable.includes(tab));
  const { flows, tabs, activePath } = replaced.reduce(tabsWithout, open);
  return {
    flows: new Map(
      [...flows.values()].map((file) => {
        const path = movedPath(file.path, from, to);
        return [path, renamedFile(file, path)];
      }),
    ),
    tabs: tabs.map((tab) => movedPath(tab, from, to)),
    activePath: activePath === null ? null : movedPath(activePath, from, to),
    moved,
    replaced,
  };
}
