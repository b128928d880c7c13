/**
 * An overlay's changes, by path. Everything else is as on disk.
 */
import { basename, dirname, join, parse, sep } from 'node:path';

/** A file in the overlay. */
export interface OverlayFile {
  readonly kind: 'file';
  /** Path of the file with its content. */
  readonly path: string;
  /**
   * Whether the content belongs to the overlay. Otherwise it is a file on disk that was moved, which must not be
   * changed.
   */
  readonly isOwn: boolean;
}

/** A folder that contains changes, or that was created or moved. */
export interface OverlayFolderEntry {
  readonly kind: 'folder';
  /** The underlying folder on disk; undefined if the folder was created in the overlay. */
  readonly lower: string | undefined;
  readonly children: Map<string, OverlayChild>;
}

export type OverlayEntry = OverlayFile | OverlayFolderEntry | { readonly kind: 'gone' };

interface OverlayChild {
  readonly name: string;
  readonly entry: OverlayEntry;
}

/** An overlay's entry at a path. `lower` means unchanged: `path` is the path on disk, where nothing may exist. */
export type OverlayFound = OverlayEntry | { readonly kind: 'lower'; readonly path: string };

/** A written file, a created folder, or a deleted entry. */
export interface OverlayChange {
  readonly change: 'write' | 'make' | 'delete';
  /** Absolute path. */
  readonly path: string;
}

const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

function keyOf(name: string): string {
  return ignoresCase ? name.toLowerCase() : name;
}

/** Creates an entry for a folder on top of the underlying folder `lower`. */
export function folderEntry(lower: string | undefined): OverlayFolderEntry {
  return { kind: 'folder', lower, children: new Map() };
}

/** A tree of changes. Paths are absolute and normalized, with the system's separators. */
export class OverlayTree {
  readonly #roots = new Map<string, OverlayFolderEntry>();

  get isEmpty(): boolean {
    return this.#roots.size === 0;
  }

  find(path: string): OverlayFound {
    const { root } = parse(path);
    const top = this.#roots.get(keyOf(root));
    if (top === undefined) return { kind: 'lower', path };
    let at = top;
    const parts = partsOf(path, root);
    for (const [index, part] of parts.entries()) {
      const child = at.children.get(keyOf(part))?.entry;
      if (child === undefined) {
        return at.lower === undefined
          ? { kind: 'gone' }
          : { kind: 'lower', path: join(at.lower, ...parts.slice(index)) };
      }
      if (child.kind !== 'folder') return index === parts.length - 1 ? child : { kind: 'gone' };
      at = child;
    }
    return at;
  }

  /** Returns a folder's changed entries, by name. */
  children(path: string): readonly OverlayChild[] {
    const found = this.find(path);
    return found.kind === 'folder' ? [...found.children.values()] : [];
  }

  /** Stores an entry at a path. The parent folder must exist. */
  set(path: string, entry: OverlayEntry): void {
    const name = basename(path);
    this.#folder(dirname(path)).children.set(keyOf(name), { name, entry });
  }

  /** Removes the overlay's entry at a path, so that the disk is visible again. */
  forget(path: string): void {
    const folder = this.find(dirname(path));
    if (folder.kind === 'folder') folder.children.delete(keyOf(basename(path)));
  }

  /** Yields all changes, folders before their content. */
  *changes(): Generator<OverlayChange> {
    for (const [root, entry] of this.#roots) yield* changesIn(root, entry, root);
  }

  #folder(path: string): OverlayFolderEntry {
    const { root } = parse(path);
    let at = this.#roots.get(keyOf(root)) ?? folderEntry(root);
    this.#roots.set(keyOf(root), at);
    for (const part of partsOf(path, root)) {
      const child = at.children.get(keyOf(part))?.entry;
      if (child?.kind === 'folder') {
        at = child;
        continue;
      }
      const next = folderEntry(at.lower === undefined || child !== undefined ? undefined : join(at.lower, part));
      at.children.set(keyOf(part), { name: part, entry: next });
      at = next;
    }
    return at;
  }
}

function partsOf(path: string, root: string): readonly string[] {
  return path
    .slice(root.length)
    .split(sep)
    .filter((part) => part !== '');
}

/** @param usual the underlying folder on disk, unless the folder was created or moved */
function* changesIn(path: string, { lower, children }: OverlayFolderEntry, usual: string): Generator<OverlayChange> {
  if (lower !== usual) yield { change: 'make', path };
  for (const { name, entry } of children.values()) {
    const place = join(path, name);
    if (entry.kind === 'gone') yield { change: 'delete', path: place };
    else if (entry.kind === 'file') yield { change: 'write', path: place };
    else yield* changesIn(place, entry, join(usual, name));
  }
}
