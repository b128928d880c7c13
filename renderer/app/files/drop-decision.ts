/**
 * What becomes of files and folders that are dropped on the window.
 */

/** Something that lies on the disk. */
export interface DroppedItem {
  /** Absolute. */
  readonly path: string;
  readonly isFolder: boolean;
}

export interface DropDecision {
  /** A pack whose installation is asked about. */
  readonly pack: string | null;
  /** A folder that is offered as the workspace. */
  readonly folder: string | null;
  /** Files to open, relative to the workspace. */
  readonly open: readonly string[];
  /** Files that lie elsewhere. */
  readonly outside: readonly string[];
}

/** Decides for everything that was dropped at once. `workspace` is the open folder, absolute; null = none is. */
export function decideDrop(items: readonly DroppedItem[], workspace: string | null): DropDecision {
  const files = items.filter(({ isFolder }) => !isFolder).map(({ path }) => path);
  const packs = workspace === null ? [] : files.filter(isPack);
  const others = files.filter((path) => !packs.includes(path));
  const folder = items.find(({ path, isFolder }) => isFolder && pathIn(workspace, path) !== '');
  const inside = others.map((path) => [path, pathIn(workspace, path)] as const);
  return {
    pack: packs[0] ?? null,
    folder: folder?.path ?? null,
    open: inside.flatMap(([, path]) => path ?? []),
    outside: inside.flatMap(([path, place]) => (place === null ? [path] : [])),
  };
}

function isPack(path: string): boolean {
  return path.toLowerCase().endsWith('.aipack');
}

/** The path relative to the workspace, with `/`; `''` = it is the workspace, null = it lies elsewhere. */
function pathIn(workspace: string | null, path: string): string | null {
  if (workspace === null) return null;
  const [base, whole] = [workspace, path].map((one) => one.replaceAll('\\', '/').replace(/\/+$/, '')) as [
    string,
    string,
  ];
  // A letter of a drive is the sign of a system that does not care about capitals.
  const fold = (text: string): string => (/^[a-z]:/i.test(base) ? text.toLowerCase() : text);
  if (fold(whole) === fold(base)) return '';
  return fold(whole).startsWith(`${fold(base)}/`) ? whole.slice(base.length + 1) : null;
}
