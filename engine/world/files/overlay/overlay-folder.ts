/**
 * A folder in an overlay: the folder on disk, combined with the changes in the overlay.
 */
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, open } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { refuseSpecial, systemError } from '../file-error.ts';
import { readPieces } from '../file-pieces.ts';
import { inFolderOf, systemHolder } from '../folders/folder-holder.ts';
import type { FolderEntry, HeldFolder } from '../folders/held-folder.ts';
import { folderEntry, type OverlayEntry, type OverlayTree } from './overlay-tree.ts';

/** Where an overlay stores its changes. */
interface OverlayStore {
  readonly tree: OverlayTree;
  hold(real: string): Promise<HeldFolder>;
  countEntry(): void;
  newFile(): Promise<{ readonly path: string; readonly handle: FileHandle }>;
  openOwn(path: string): Promise<FileHandle>;
  drop(path: string): Promise<void>;
  temporaryFolder(): Promise<string>;
}

/** A held folder in an overlay; see `HeldFolder` for the methods. */
export class OverlayFolder implements HeldFolder {
  readonly isWatched = false;
  readonly real: string;
  readonly #store: OverlayStore;
  /** The underlying folder on disk. */
  readonly #lower: HeldFolder | undefined;

  constructor(real: string, store: OverlayStore, lower: HeldFolder | undefined) {
    this.real = real;
    this.#store = store;
    this.#lower = lower;
  }

  async look(): Promise<void> {
    await this.#lower?.look();
  }

  /** Returns an entry's path, only for messages. An entry cannot be changed through its path. */
  pathOf(name: string): string {
    if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes(sep)) {
      throw new Error(`${JSON.stringify(name)} is not a valid name of a file or folder.`);
    }
    return join(this.real, name);
  }

  async stat(name: string): Promise<Stats | undefined> {
    const found = this.#store.tree.find(this.pathOf(name));
    if (found.kind === 'gone') return undefined;
    if (found.kind === 'lower') return await this.#lower?.stat(name);
    if (found.kind === 'folder') return await lstat(found.lower ?? (await this.#store.temporaryFolder()));
    return await lstat(found.path);
  }

  async checkWritable(name: string): Promise<void> {
    const found = this.#store.tree.find(this.pathOf(name));
    if (found.kind === 'lower') await this.#lower?.checkWritable(name);
    else if (found.kind === 'file') await access(found.path, constants.W_OK);
  }

  async list(): Promise<FolderEntry[]> {
    const { tree } = this.#store;
    if (tree.find(this.real).kind === 'gone') throw systemError('ENOENT', this.real);
    const changed = tree.children(this.real);
    const there = (await this.#lower?.list()) ?? [];
    if (changed.length === 0) return there;
    const own = changed.flatMap(({ name, entry }) => (entry.kind === 'gone' ? [] : [shownEntry(name, entry.kind)]));
    return [...there.filter(({ name }) => tree.find(join(this.real, name)).kind === 'lower'), ...own];
  }

  async openFile(name: string, how: 'read' | 'append', shown: string = join(this.real, name)): Promise<FileHandle> {
    const { tree } = this.#store;
    const found = tree.find(this.pathOf(name));
    const state = await this.stat(name);
    if (state === undefined && how === 'append') return await this.openNew(name);
    if (state === undefined || found.kind === 'gone') throw systemError('ENOENT', shown);
    refuseSpecial(state, how, shown);
    // Folders were rejected above.
    if (found.kind === 'folder') throw systemError('EISDIR', shown);
    const isOwn = found.kind === 'file' && found.isOwn;
    if (how === 'append') {
      await this.checkWritable(name);
      return await (isOwn ? this.#store.openOwn(found.path) : this.#copied(name, found.path));
    }
    return await (isOwn ? open(found.path, 'r') : openLower(found.path, shown));
  }

  /** Replaces a file on disk with a copy in the overlay, opened for appending. */
  async #copied(name: string, path: string): Promise<FileHandle> {
    const source = await openLower(path, path);
    const copy = await this.#store.newFile();
    try {
      for await (const piece of readPieces(source)) await copy.handle.writeFile(piece);
      this.#store.tree.set(this.pathOf(name), { kind: 'file', path: copy.path, isOwn: true });
      return copy.handle;
    } catch (error) {
      await copy.handle.close();
      await this.#store.drop(copy.path);
      throw error;
    } finally {
      await source.close();
    }
  }

  async openNew(name: string): Promise<FileHandle> {
    if ((await this.stat(name)) !== undefined) throw systemError('EEXIST', this.pathOf(name));
    const { path, handle } = await this.#store.newFile();
    this.#store.tree.set(this.pathOf(name), { kind: 'file', path, isOwn: true });
    return handle;
  }

  async makeFolder(name: string): Promise<boolean> {
    const state = await this.stat(name);
    if (state?.isDirectory()) return false;
    if (state !== undefined) throw systemError('EEXIST', this.pathOf(name));
    this.#store.countEntry();
    this.#store.tree.set(this.pathOf(name), folderEntry(undefined));
    return true;
  }

  async folder(name: string): Promise<HeldFolder> {
    return await this.#store.hold(this.pathOf(name));
  }

  async place(draft: string, name: string): Promise<void> {
    const state = await this.stat(name);
    if (state !== undefined && !state.isDirectory()) refuseSpecial(state, 'write', join(this.real, name));
    await this.move(draft, { folder: this, name });
  }

  async move(name: string, { folder: target, name: to }: { readonly folder: HeldFolder; readonly name: string }) {
    const [from, place] = [this.pathOf(name), join(target.real, to)];
    if (from === place) return;
    const state = await this.stat(name);
    if (state === undefined) throw systemError('ENOENT', from);
    if (isBelow(from, place)) throw systemError('EINVAL', place);
    await refuseOverwriting({ state, target, name: to });
    const entry = this.#entryOf(from, state);
    await target.removeFile(to);
    await this.#hide(name);
    this.#store.tree.set(place, entry);
  }

  #entryOf(path: string, state: Stats): OverlayEntry {
    const found = this.#store.tree.find(path);
    if (found.kind !== 'lower') return found;
    return state.isDirectory() ? folderEntry(found.path) : { kind: 'file', path: found.path, isOwn: false };
  }

  async removeFile(name: string): Promise<void> {
    const found = this.#store.tree.find(this.pathOf(name));
    await this.#hide(name);
    if (found.kind === 'file' && found.isOwn) await this.#store.drop(found.path);
  }

  async removeFolder(name: string): Promise<void> {
    const found = this.#store.tree.find(this.pathOf(name));
    await this.#hide(name);
    if (found.kind === 'folder') for (const path of ownFilesIn(found)) await this.#store.drop(path);
  }

  /** Hides an entry on disk. Does nothing if the entry does not exist. */
  async #hide(name: string): Promise<void> {
    const path = this.pathOf(name);
    if ((await this.#lower?.stat(name)) === undefined) this.#store.tree.forget(path);
    else this.#store.tree.set(path, { kind: 'gone' });
  }

  /** Folder permissions and times are not stored. */
  async take(): Promise<void> {}

  async close(): Promise<void> {
    await this.#lower?.close();
  }
}

/** Opens a file on disk without following symbolic links. */
async function openLower(path: string, shown: string): Promise<FileHandle> {
  return await inFolderOf(systemHolder, path, (folder, name) => folder.openFile(name, 'read', shown));
}

/** Applies the renaming rules: a file replaces a file, and a folder replaces an empty folder. */
async function refuseOverwriting({
  state,
  target,
  name,
}: {
  readonly state: Stats;
  readonly target: HeldFolder;
  readonly name: string;
}): Promise<void> {
  const there = await target.stat(name);
  if (there === undefined || (!there.isDirectory() && !state.isDirectory())) return;
  const path = join(target.real, name);
  if (!there.isDirectory()) throw systemError('ENOTDIR', path);
  if (!state.isDirectory()) throw systemError('EISDIR', path);
  const folder = await target.folder(name);
  const count = await folder.list().finally(() => folder.close());
  if (count.length > 0) throw systemError('ENOTEMPTY', path);
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function shownEntry(name: string, kind: 'file' | 'folder'): FolderEntry {
  return { name, isFile: () => kind === 'file', isDirectory: () => kind === 'folder', isSymbolicLink: () => false };
}

function* ownFilesIn(entry: OverlayEntry): Generator<string> {
  if (entry.kind === 'file' && entry.isOwn) yield entry.path;
  if (entry.kind === 'folder') for (const child of entry.children.values()) yield* ownFilesIn(child.entry);
}
