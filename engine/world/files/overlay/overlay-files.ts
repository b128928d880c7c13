/**
 * Files with changes that are discarded later. Written files go to a temporary folder, deletions and moves are kept in
 * memory, and readers see the result. Nothing outside the temporary folder changes.
 */
import { type FileHandle, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { EngineError } from '../../../base/engine-error.ts';
import { systemCodeOf, systemError } from '../file-error.ts';
import { type FolderHolder, inFolderOf, systemHolder } from '../folders/folder-holder.ts';
import { draftName, type HeldFolder } from '../folders/held-folder.ts';
import { OverlayFolder } from './overlay-folder.ts';
import { type OverlayChange, OverlayTree } from './overlay-tree.ts';

/** Maximum size of an overlay in bytes, and its maximum number of files and folders. */
const maxOverlayBytes = 256 * 1024 * 1024;
const maxOverlayEntries = 50_000;

/** A file system overlay. The creator must close it. */
export class OverlayFiles implements FolderHolder {
  readonly tree = new OverlayTree();
  readonly #limits: { readonly bytes: number; readonly entries: number };
  /** Size in bytes of each temporary file. */
  readonly #sizes = new Map<string, number>();
  #bytes = 0;
  #entries = 0;
  #folder: Promise<string> | undefined;
  #isClosed = false;

  constructor(limits = { bytes: maxOverlayBytes, entries: maxOverlayEntries }) {
    this.#limits = limits;
  }

  /** @throws as `FolderHolder.hold` does; `files.too-large` if the overlay is full */
  async hold(real: string, isMade?: 'made'): Promise<HeldFolder> {
    const found = this.tree.find(real);
    if (found.kind === 'lower') {
      try {
        return new OverlayFolder(real, this, await systemHolder.hold(found.path));
      } catch (error) {
        if (isMade === undefined || systemCodeOf(error) !== 'ENOENT') throw error;
      }
    }
    if (found.kind === 'folder') {
      return new OverlayFolder(
        real,
        this,
        found.lower === undefined ? undefined : await systemHolder.hold(found.lower),
      );
    }
    if (found.kind === 'file') throw systemError('ENOTDIR', real);
    if (isMade === undefined) throw systemError('ENOENT', real);
    const around = await this.hold(dirname(real), 'made');
    try {
      await around.makeFolder(basename(real));
    } finally {
      await around.close();
    }
    return new OverlayFolder(real, this, undefined);
  }

  /**
   * Returns the path with all symbolic links resolved, using `follow` for the disk. Links that were deleted or
   * replaced in the overlay are not followed.
   * @param absolute normalized absolute path
   * @throws EngineError `files.bad-link` for a link to an entry that was deleted in the overlay; errors from `follow`
   */
  async realPathOf(absolute: string, follow: (path: string) => Promise<string>): Promise<string> {
    if (this.tree.isEmpty) return await follow(absolute);
    const parent = dirname(absolute);
    if (parent === absolute) return absolute;
    const place = join(await this.realPathOf(parent, follow), basename(absolute));
    const found = this.tree.find(place);
    if (found.kind !== 'lower' || found.path !== place) return place;
    const real = await follow(place);
    if (real !== place && this.tree.find(real).kind === 'gone') {
      const message = `${absolute} is a link, and its target does not exist. Use another path.`;
      throw new EngineError({ code: 'files.bad-link', message });
    }
    return real;
  }

  /** Deletes the entry at a real path. A symbolic link itself is deleted. */
  async remove(real: string): Promise<void> {
    await inFolderOf(this, real, async (folder, name) => {
      const isFolder = (await folder.stat(name))?.isDirectory() === true;
      await (isFolder ? folder.removeFolder(name) : folder.removeFile(name));
    });
  }

  /** Returns the changes that would have been made on disk, folders before their content. */
  changes(): readonly OverlayChange[] {
    return [...this.tree.changes()];
  }

  /** Removes the temporary files. Nothing can be written afterward. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Counts a new file or folder. @throws EngineError `files.too-large` */
  countEntry(): void {
    this.#entries += 1;
    if (this.#entries > this.#limits.entries) throw this.#full();
  }

  /** Creates and opens a temporary file. */
  async newFile(): Promise<{ readonly path: string; readonly handle: FileHandle }> {
    this.countEntry();
    const path = join(await this.temporaryFolder(), draftName());
    return { path, handle: await this.openOwn(path) };
  }

  /** Opens a temporary file for appending, and counts the written bytes. */
  async openOwn(path: string): Promise<FileHandle> {
    return counting(await open(path, 'a'), (bytes) => this.#take(path, bytes));
  }

  /** Removes a temporary file after use. */
  async drop(path: string): Promise<void> {
    this.#bytes -= this.#sizes.get(path) ?? 0;
    this.#sizes.delete(path);
    await rm(path, { force: true });
  }

  /** Returns the temporary files' folder. */
  async temporaryFolder(): Promise<string> {
    if (this.#isClosed) throw systemError('EROFS', 'overlay');
    this.#folder ??= makeFolder();
    return await this.#folder;
  }

  #take(path: string, bytes: number): void {
    if (this.#bytes + bytes > this.#limits.bytes) throw this.#full();
    this.#bytes += bytes;
    this.#sizes.set(path, (this.#sizes.get(path) ?? 0) + bytes);
  }

  #full(): EngineError {
    const { bytes, entries } = this.#limits;
    return new EngineError({
      code: 'files.too-large',
      message: `A dry run can keep at most ${bytes / 1024 / 1024} MiB and ${entries} files and folders. Use fewer or smaller inputs, or start a real run.`,
      details: { maxBytes: bytes, maxEntries: entries },
    });
  }
}

const prefix = 'millrace-overlay-';

/** Also removes the folders of processes that were killed. */
async function makeFolder(): Promise<string> {
  const parent = tmpdir();
  for (const name of await readdir(parent).catch(() => [])) {
    const owner = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) await rm(join(parent, name), { recursive: true, force: true });
  }
  return await mkdtemp(join(parent, `${prefix}${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) !== 'ESRCH';
  }
}

type Writing = (data: string | Uint8Array, ...more: unknown[]) => unknown;

/** Counts the bytes written through a handle. */
function counting(handle: FileHandle, take: (bytes: number) => void): FileHandle {
  return new Proxy(handle, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'writeFile' && name !== 'write' && name !== 'appendFile') return member.bind(target);
      return async (...given: Parameters<Writing>) => {
        take(Buffer.byteLength(given[0]));
        return await (member as Writing).apply(target, given);
      };
    },
  });
}
