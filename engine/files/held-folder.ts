/**
 * Folders that are held while something is done in them: what is done happens in the folder that was found, wherever its
 * path has come to lead meanwhile. No link is followed, and nothing waits for the other end of a pipe.
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
  rename,
  rmdir,
  unlink,
  utimes,
} from 'node:fs/promises';
import { join, sep } from 'node:path';
import { exchanged, isMissing, refuseSpecial, systemCodeOf } from './file-error.ts';
import { type FolderWatch, isSameThing, undoNewFile, undoNewFolder, watchFolder } from './folder-watch.ts';

/**
 * How a folder is held: `descriptor` = by the system, exactly (Linux, by way of `/proc/self/fd`); `watch` = by its path, which
 * is compared before and after each step, and a step that went astray is undone.
 */
export type HoldMeans = 'descriptor' | 'watch';

/** Linux: a descriptor that only names a place and needs no right to list it. Node has no name for it. */
const namesOnly = 0o10000000;
const noLink = constants.O_NOFOLLOW ?? 0;
const noWait = constants.O_NONBLOCK ?? 0;
const holding = namesOnly | (constants.O_DIRECTORY ?? 0) | noLink;

/**
 * Holds a folder that is there.
 * @param real absolute, links followed
 * @throws EngineError `files.bad-link` when the path leads somewhere else by now; the system's error
 */
export async function holdThere(real: string, means: HoldMeans): Promise<HeldFolder> {
  if (means === 'watch') return new SystemFolder(real, await watchFolder(real));
  const handle = await openFolder(real, real);
  try {
    // What the system says of the descriptor itself: where the path led when it was opened does not matter.
    if ((await readlink(`/proc/self/fd/${handle.fd}`)) !== real) throw exchanged(real);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return new SystemFolder(real, handle);
}

/** A link in the place of the folder is told from a folder that is not there. */
async function openFolder(path: string, real: string): Promise<FileHandle> {
  try {
    return await open(path, holding);
  } catch (error) {
    const code = systemCodeOf(error);
    const state = code === 'ENOTDIR' || code === 'ELOOP' ? await lstat(path).catch(() => undefined) : undefined;
    throw state?.isSymbolicLink() ? exchanged(real) : error;
  }
}

/** A name that nothing has and nobody guesses. */
export function draftName(): string {
  return `.${randomUUID()}.tmp`;
}

/** What lies in a folder. */
export type FolderEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** A folder that is held, on the disk or in an overlay. */
export interface HeldFolder extends Pick<SystemFolder, keyof SystemFolder> {
  /** Moves an entry as `moveEntry` does, where that is not done by renaming paths. */
  readonly move?: (name: string, to: { readonly folder: HeldFolder; readonly name: string }) => Promise<void>;
}

/** A folder of the disk that is held. Names are those of its own entries, without a path. Every call may throw `files.bad-link`. */
class SystemFolder {
  /** Where it lay when it was found; absolute. */
  readonly real: string;
  readonly #by: FileHandle | FolderWatch;

  constructor(real: string, by: FileHandle | FolderWatch) {
    this.real = real;
    this.#by = by;
  }

  /** True when it is held by its path alone. */
  get isWatched(): boolean {
    return !('fd' in this.#by);
  }

  /** Looks whether its path still leads to it, where nothing better holds it. */
  async look(): Promise<void> {
    if (!('fd' in this.#by)) await this.#by.look();
  }

  /** A path of an entry for calls of the system that do not follow its last part; good until the folder is let go. */
  pathOf(name: string): string {
    if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes(sep)) {
      throw new Error(`${JSON.stringify(name)} is no name of an entry.`);
    }
    return join(this.#path(), name);
  }

  /** What lies there, a link itself; undefined = nothing. @throws the system's error */
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

  /** Checks that a file which is there may be written. @throws the system's error */
  async checkWritable(name: string): Promise<void> {
    await access(this.pathOf(name), constants.W_OK);
  }

  /** What lies in it, in no set order. @throws the system's error */
  async list(): Promise<FolderEntry[]> {
    await this.look();
    const entries = await readdir(this.#path(), { withFileTypes: true });
    await this.look();
    return entries;
  }

  /**
   * Opens a regular file. @param how `read`, or `append`, which makes a file that is missing
   * @param shown what messages call it
   * @throws EngineError `files.not-text` (to read) | `files.not-writable` for what is no regular file; the system's error
   */
  async openFile(name: string, how: 'read' | 'append', shown: string = join(this.real, name)): Promise<FileHandle> {
    for (;;) {
      const state = await this.stat(name);
      if (state === undefined && how === 'append') {
        try {
          return await this.openNew(name);
        } catch (error) {
          // Somebody else has made it meanwhile.
          if (systemCodeOf(error) === 'EEXIST') continue;
          throw error;
        }
      }
      // Before it is opened: to open a device may already do something.
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
      if (this.isWatched && !(await isSameThing(path, handle))) throw exchanged(shown);
      await this.look();
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Makes a file and opens it to write. @throws the system's error, `EEXIST` when anything lies there */
  async openNew(name: string): Promise<FileHandle> {
    await this.look();
    const path = this.pathOf(name);
    // To append: what others add meanwhile is never written over.
    const handle = await open(path, 'ax');
    try {
      await this.look();
      if (this.isWatched && !(await isSameThing(path, handle))) throw exchanged(path);
      return handle;
    } catch (error) {
      await undoNewFile(path, handle);
      await handle.close();
      throw error;
    }
  }

  /** Makes a folder. @returns whether it was not there before @throws the system's error when something else is there */
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
      // What is not found again where it was made was made elsewhere.
      if ((await this.stat(name)) === undefined) throw exchanged(path);
      return true;
    } catch (error) {
      await undoNewFolder(path);
      throw error;
    }
  }

  /** Holds a folder in it. @throws the system's error */
  async folder(name: string): Promise<HeldFolder> {
    const real = join(this.real, name);
    if (this.isWatched) {
      await this.look();
      return await holdThere(real, 'watch');
    }
    return new SystemFolder(real, await openFolder(this.pathOf(name), real));
  }

  /**
   * Gives an entry that was made here under a `draftName` its name, in one step. What lies there is replaced, unless it is
   * neither a file nor, for a folder, an empty folder. @throws EngineError `files.not-writable`; the system's error
   */
  async place(draft: string, name: string): Promise<void> {
    const state = await this.stat(name);
    if (state !== undefined && !state.isDirectory()) refuseSpecial(state, 'write', join(this.real, name));
    // Nothing has the draft's name but the draft, so this happens in its folder or not at all.
    await rename(this.pathOf(draft), this.pathOf(name));
  }

  /** Takes away a file, or a link itself; nothing when it is missing. @throws the system's error */
  async removeFile(name: string): Promise<void> {
    await this.look();
    await unlink(this.pathOf(name)).catch(unlessMissing);
  }

  /** Takes away a folder with all that it holds, links themselves; nothing when it is missing. @throws the system's error */
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

  /** Takes over rights and times of another folder. @throws the system's error */
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
