/**
 * What an overlay has changed, by path. Everything it does not mention is as on the disk.
 */
import { basename, dirname, join, parse, sep } from 'node:path';

/** A file of the overlay. */
export interface OverlayFile {
  readonly kind: 'file';
  /** Where its bytes are. */
  readonly path: string;
  /** The bytes belong to the overlay; else they are in a file of the disk that was moved, and must not be changed. */
  readonly isOwn: boolean;
}

/** A folder in which something has changed, or that was made or moved. */
export interface OverlayFolderEntry {
  readonly kind: 'folder';
  /** The folder of the disk that shows through; undefined = none, it was made. */
  readonly lower: string | undefined;
  readonly children: Map<string, OverlayChild>;
}

export type OverlayEntry = OverlayFile | OverlayFolderEntry | { readonly kind: 'gone' };

interface OverlayChild {
  readonly name: string;
  readonly entry: OverlayEntry;
}

/** What is at a path: `lower` is unchanged, and lies at `path` of the disk, if there is anything. */
export type OverlayFound = OverlayEntry | { readonly kind: 'lower'; readonly path: string };

/** A file that was written, a folder that was made, or something that is gone. */
export interface OverlayChange {
  readonly change: 'write' | 'make' | 'delete';
  /** Absolute. */
  readonly path: string;
}

const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

function keyOf(name: string): string {
  return ignoresCase ? name.toLowerCase() : name;
}

/** An entry for a folder; `lower` shows through. */
export function folderEntry(lower: string | undefined): OverlayFolderEntry {
  return { kind: 'folder', lower, children: new Map() };
}

/** Paths are absolute and collapsed, with the system's separators. */
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

  /** What has changed in a folder: its entries by name. */
  children(path: string): readonly OverlayChild[] {
    const found = this.find(path);
    return found.kind === 'folder' ? [...found.children.values()] : [];
  }

  /** Puts an entry in its place. The folder of the path exists. */
  set(path: string, entry: OverlayEntry): void {
    const name = basename(path);
    this.#folder(dirname(path)).children.set(keyOf(name), { name, entry });
  }

  /** Takes away what the overlay has at a path, so that the disk shows through again. */
  forget(path: string): void {
    const folder = this.find(dirname(path));
    if (folder.kind === 'folder') folder.children.delete(keyOf(basename(path)));
  }

  /** All changes, folders before what they hold. */
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

/** @param usual the folder of the disk that shows through where nothing was made or moved */
function* changesIn(path: string, { lower, children }: OverlayFolderEntry, usual: string): Generator<OverlayChange> {
  if (lower !== usual) yield { change: 'make', path };
  for (const { name, entry } of children.values()) {
    const place = join(path, name);
    if (entry.kind === 'gone') yield { change: 'delete', path: place };
    else if (entry.kind === 'file') yield { change: 'write', path: place };
    else yield* changesIn(place, entry, join(usual, name));
  }
}
