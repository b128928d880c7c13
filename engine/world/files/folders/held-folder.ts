/**
 * Folders that are held during an operation. The operation takes place in the folder that was found, even if its path
 * then leads elsewhere. Symbolic links are not followed, and opening a pipe does not block.
 */
import { randomUUID } from 'node:crypto';
import { constants, type Dirent, type Stats } from 'node:fs';
import {
  access,
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rmdir,
  unlink,
  utimes,
} from 'node:fs/promises';
import { join, sep } from 'node:path';
import { exchanged, isMissing, refuseSpecial, systemCodeOf } from '../file-error.ts';
import { replaceByRename } from '../replace-by-rename.ts';
import { type FolderWatch, isSameFile, undoNewFile, undoNewFolder, watchFolder } from './folder-watch.ts';

/**
 * How a folder is held. `descriptor`: exactly, by the system (Linux, through `/proc/self/fd`). `watch`: by its path,
 * which is checked before and after each step; a misdirected step is undone.
 */
export type HoldMeans = 'descriptor' | 'watch';

/**
 * Linux: `O_PATH`, a descriptor that only identifies a location and needs no read permission. Node has no constant for
 * it.
 */
const namesOnly = 0o10000000;
const noLink = constants.O_NOFOLLOW ?? 0;
const noWait = constants.O_NONBLOCK ?? 0;
const holding = namesOnly | (constants.O_DIRECTORY ?? 0) | noLink;

/**
 * Holds an existing folder.
 * @param real absolute path without symbolic links
 * @throws EngineError `files.bad-link` if the path now leads elsewhere; the system's error
 */
export async function holdThere(real: string, means: HoldMeans): Promise<HeldFolder> {
  if (means === 'watch') return new SystemFolder(real, await watchFolder(real));
  const handle = await openFolder(real, real);
  try {
    // Asks the system for the descriptor's own path. Where the path led when it was opened does not matter.
    if ((await readlink(`/proc/self/fd/${handle.fd}`)) !== real) throw exchanged(real);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return new SystemFolder(real, handle);
}

/** Distinguishes a symbolic link at the path from a missing folder. */
async function openFolder(path: string, real: string): Promise<FileHandle> {
  try {
    return await open(path, holding);
  } catch (error) {
    const code = systemCodeOf(error);
    const state = code === 'ENOTDIR' || code === 'ELOOP' ? await lstat(path).catch(() => undefined) : undefined;
    throw state?.isSymbolicLink() ? exchanged(real) : error;
  }
}

/** Returns a random name that is unused and cannot be guessed. */
export function draftName(): string {
  return `.${randomUUID()}.tmp`;
}

/** A folder entry. */
export type FolderEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** A held folder, on disk or in an overlay. */
export interface HeldFolder extends Pick<SystemFolder, keyof SystemFolder> {
  /** Moves an entry as `moveEntry` does, for folders that cannot rename paths. */
  readonly move?: (name: string, to: { readonly folder: HeldFolder; readonly name: string }) => Promise<void>;
}

/** A held folder on disk. Names refer to its direct entries, without a path. Every call may throw `files.bad-link`. */
class SystemFolder {
  /** The folder's absolute path when it was found. */
  readonly real: string;
  readonly #by: FileHandle | FolderWatch;

  constructor(real: string, by: FileHandle | FolderWatch) {
    this.real = real;
    this.#by = by;
  }

  /** True if the folder is held only by its path. */
  get isWatched(): boolean {
    return !('fd' in this.#by);
  }

  /** If the folder is held only by its path, checks that the path still leads to it. */
  async look(): Promise<void> {
    if (!('fd' in this.#by)) await this.#by.look();
  }

  /**
   * Returns the path of an entry for system calls that do not follow symbolic links in the last segment. Valid until
   * the folder is released.
   */
  pathOf(name: string): string {
    if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes(sep)) {
      throw new Error(`${JSON.stringify(name)} is not a valid name of a file or folder.`);
    }
    return join(this.#path(), name);
  }

  /**
   * Returns an entry's stats without following symbolic links; undefined if the entry does not exist. @throws the
   * system's error
   */
  async stat(name: string): Promise<Stats | undefined> {
    await this.look();
    try {
      const state = await lstat(this.pathOf(name));
      await this.look();
      return state;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Checks that an existing file is writable. @throws the system's error */
  async checkWritable(name: string): Promise<void> {
    await access(this.pathOf(name), constants.W_OK);
  }

  /** Lists the entries, in no particular order. @throws the system's error */
  async list(): Promise<FolderEntry[]> {
    await this.look();
    const entries = await readdir(this.#path(), { withFileTypes: true });
    await this.look();
    return entries;
  }

  /**
   * Opens a regular file. @param how `read`, or `append`, which creates a missing file
   * @param shown path for messages
   * @throws EngineError `files.not-text` (to read) | `files.not-writable` if it is not a regular file; the system's
   * error
   */
  async openFile(name: string, how: 'read' | 'append', shown: string = join(this.real, name)): Promise<FileHandle> {
    for (;;) {
      const state = await this.stat(name);
      if (state === undefined && how === 'append') {
        try {
          return await this.openNew(name);
        } catch (error) {
          // Another process has created it in the meantime.
          if (systemCodeOf(error) === 'EEXIST') continue;
          throw error;
        }
      }
      // Checked before opening, because opening a device may already have side effects.
      if (state !== undefined) refuseSpecial(state, how, shown);
      return await this.#openChecked(name, how, shown);
    }
  }

  async #openChecked(name: string, how: 'read' | 'append', shown: string): Promise<FileHandle> {
    const path = this.pathOf(name);
    const rights = how === 'read' ? constants.O_RDONLY : constants.O_WRONLY | constants.O_APPEND;
    const handle = await open(path, rights | noLink | noWait).catch((error: unknown) => {
      throw systemCodeOf(error) === 'ELOOP' ? exchanged(shown) : error;
    });
    try {
      refuseSpecial(await handle.stat(), how, shown);
      if (this.isWatched && !(await isSameFile(path, handle))) throw exchanged(shown);
      await this.look();
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Creates a file and opens it for writing. @throws the system's error, `EEXIST` if the entry exists */
  async openNew(name: string): Promise<FileHandle> {
    await this.look();
    const path = this.pathOf(name);
    // Opened for appending, so that data added by others is never overwritten.
    const handle = await open(path, 'ax');
    try {
      await this.look();
      if (this.isWatched && !(await isSameFile(path, handle))) throw exchanged(path);
      return handle;
    } catch (error) {
      await undoNewFile(path, handle);
      await handle.close();
      throw error;
    }
  }

  /** Creates a folder. @returns whether it is new @throws the system's error if another entry of this name exists */
  async makeFolder(name: string): Promise<boolean> {
    const state = await this.stat(name);
    if (state?.isDirectory()) return false;
    const path = this.pathOf(name);
    try {
      await mkdir(path);
    } catch (error) {
      if (systemCodeOf(error) === 'EEXIST' && (await this.stat(name))?.isDirectory()) return false;
      throw error;
    }
    try {
      // If it is not found at its path, it was created elsewhere.
      if ((await this.stat(name)) === undefined) throw exchanged(path);
      return true;
    } catch (error) {
      await undoNewFolder(path);
      throw error;
    }
  }

  /** Holds a folder inside this one. @throws the system's error */
  async folder(name: string): Promise<HeldFolder> {
    const real = join(this.real, name);
    if (this.isWatched) {
      await this.look();
      return await holdThere(real, 'watch');
    }
    return new SystemFolder(real, await openFolder(this.pathOf(name), real));
  }

  /**
   * Renames an entry that was created here under a `draftName` atomically to its final name. Replaces an existing file
   * or, for a folder, an empty folder. @throws EngineError `files.not-writable` for any other existing entry; the
   * system's error
   */
  async place(draft: string, name: string): Promise<void> {
    const state = await this.stat(name);
    if (state !== undefined && !state.isDirectory()) refuseSpecial(state, 'write', join(this.real, name));
    // The draft name is unique, so this happens in its folder or not at all.
    await replaceByRename(this.pathOf(draft), this.pathOf(name));
  }

  /** Removes a file, or a symbolic link itself. Does nothing if it is missing. @throws the system's error */
  async removeFile(name: string): Promise<void> {
    await this.look();
    await unlink(this.pathOf(name)).catch(unlessMissing);
  }

  /**
   * Removes a folder with all its content, without following symbolic links. Does nothing if it is missing. @throws the
   * system's error
   */
  async removeFolder(name: string): Promise<void> {
    let folder: HeldFolder;
    try {
      folder = await this.folder(name);
    } catch (error) {
      return unlessMissing(error);
    }
    try {
      for (const entry of await folder.list()) {
        await (entry.isDirectory() ? folder.removeFolder(entry.name) : folder.removeFile(entry.name));
      }
    } finally {
      await folder.close();
    }
    await this.look();
    await rmdir(this.pathOf(name)).catch(unlessMissing);
  }

  /** Copies another folder's permissions and times. @throws the system's error */
  async take({ mode, atime, mtime }: Pick<Stats, 'mode' | 'atime' | 'mtime'>): Promise<void> {
    await this.look();
    await chmod(this.#path(), mode & 0o777);
    await utimes(this.#path(), atime, mtime);
  }

  async close(): Promise<void> {
    if ('close' in this.#by) await this.#by.close();
  }

  #path(): string {
    return 'fd' in this.#by ? `/proc/self/fd/${this.#by.fd}` : this.real;
  }
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
