/**
 * Copies files before a run changes them, and lists what it has changed, so that a person can put the files back.
 */
import { lstat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import type { RunId } from '../../../base/ids.ts';
import { isMissing } from '../file-error.ts';
import { inFolderOf, systemHolder } from '../folders/folder-holder.ts';
import type { HeldFolder } from '../folders/held-folder.ts';
import { walkTree } from '../walk-files.ts';
import { withSlashes } from '../workspace-path.ts';
import { type ChangeLine, isLogId, type PathState } from './change-log.ts';
import { OpenLogs, type RunLog } from './open-logs.ts';
import { stateAt } from './path-state.ts';
import { addCopy, listLogFolders, removeCopies, removeLogFolder, type UndoLimits } from './undo-folder.ts';

/** A change of files that is about to happen. Paths are real and absolute. */
export interface FileChange {
  /** The top-level run that makes it; undefined if it is not known, and the change cannot be undone. */
  readonly rootRunId: RunId | undefined;
  /** Files to create or replace. */
  readonly writes?: readonly string[];
  /** What is deleted or moved away, with everything below it. If there is one path in each list, it is moved. */
  readonly removes?: readonly string[];
  /** What changes otherwise: folders to create, and files that another program writes. */
  readonly others?: readonly string[];
}

interface ChangeRecorderOptions {
  /** Real path of the workspace. */
  readonly root: string;
  readonly clock: Clock;
  readonly limits: () => Promise<UndoLimits>;
  /** Whether a run has not ended, so that its copies must stay. */
  readonly isActive: (id: string) => boolean;
  /** Keeps the folder `.millrace` out of Git. @param folder absolute path */
  readonly hideFromGit: (folder: string) => void;
  /** Receives errors of copying and listing. The run's change takes place nevertheless. */
  readonly onFailure: (error: unknown) => void;
}

/** A folder with more files is only listed itself when it is removed. */
const maxFilesBelow = 10_000;

/** Agents' scratch files, which end with the program. */
const sessionFolder = '.aipack/.session/';

/** The real paths that are being changed, by their paths in the list. */
type TouchedPaths = Map<string, string>;

interface ListedPaths {
  readonly log: RunLog;
  readonly touched: TouchedPaths;
  readonly lines: ChangeLine[];
}

interface ChangingPath {
  readonly real: string;
  readonly isRemoved: boolean;
  /** What is there; absent if not known yet. */
  readonly state?: PathState;
}

export class ChangeRecorder {
  readonly #options: ChangeRecorderOptions;
  readonly #logs: OpenLogs;
  /** Total size of all copies; undefined until it has been measured. */
  #bytes: number | undefined;

  constructor(options: ChangeRecorderOptions) {
    this.#options = options;
    this.#logs = new OpenLogs(options.root, options.hideFromGit);
  }

  /**
   * Runs `work`, which makes the change. Nothing else may change these paths at the same time.
   * @throws errors of `work`
   */
  async recording<T>(change: FileChange, work: () => Promise<T>): Promise<T> {
    const { rootRunId } = change;
    if (rootRunId === undefined || !isLogId(rootRunId)) return await work();
    const touched: TouchedPaths = new Map();
    let log: RunLog | undefined;
    try {
      log = await this.#logs.take(rootRunId);
      await this.#listBefore(log, change, touched);
    } catch (error) {
      this.#options.onFailure(error);
    }
    try {
      return await work();
    } finally {
      if (log !== undefined) {
        await this.#listAfter(log, touched).catch(this.#options.onFailure);
        await this.#logs.release(log);
      }
    }
  }

  /** Adds lines to a run's list. @throws the system's error */
  async note(id: RunId, lines: readonly ChangeLine[]): Promise<void> {
    const log = await this.#logs.take(id);
    try {
      await log.add(lines, { isDurable: true });
    } finally {
      await this.#logs.release(log);
    }
  }

  /** Runs `work` while the copies of a run stay. The run must have a list. */
  async keeping<T>(id: RunId, work: () => Promise<T>): Promise<T> {
    const log = await this.#logs.take(id);
    try {
      return await work();
    } finally {
      await this.#logs.release(log);
    }
  }

  /** Applies the limits to all runs that have ended, oldest first. @param neededBytes space to make for a new copy */
  async prune(neededBytes = 0): Promise<void> {
    const { root, limits, clock, isActive } = this.#options;
    const { bytes: maxBytes, ms } = await limits();
    const folders = await listLogFolders(root);
    let total = totalOf(folders);
    for (const { id, bytes, changedAt } of folders) {
      const isOld = changedAt < clock.now() - ms;
      const isTooMuch = total + neededBytes > maxBytes && bytes > 0;
      if ((!isOld && !isTooMuch) || isActive(id) || this.#logs.isInUse(id)) continue;
      await (isOld ? this.forget(id) : removeCopies(root, id));
      total -= bytes;
    }
    this.#bytes = total;
  }

  /**
   * Returns the total size of all copies in bytes. Lists their folders only if nothing has done so yet. Copies of other
   * processes since then are not included until the limits are applied again.
   */
  async size(): Promise<number> {
    if (this.#bytes === undefined) {
      const total = totalOf(await listLogFolders(this.#options.root));
      // A copy may have been added in the meantime.
      this.#bytes ??= total;
    }
    return this.#bytes;
  }

  /** Removes all that is stored of a run. */
  async forget(id: string): Promise<void> {
    await this.#logs.close(id);
    const bytes = await removeLogFolder(this.#options.root, id);
    if (this.#bytes !== undefined) this.#bytes = Math.max(0, this.#bytes - bytes);
  }

  async close(): Promise<void> {
    await this.#logs.closeAll();
  }

  async #listBefore(log: RunLog, change: FileChange, touched: TouchedPaths): Promise<void> {
    const lines: ChangeLine[] = [];
    for (const changing of await changingPaths(change)) await this.#listPath({ log, touched, lines }, changing);
    if (lines.length > 0) await log.add(lines, { isDurable: lines.some(hasCopy) });
  }

  async #listPath(to: ListedPaths, { real, isRemoved, state }: ChangingPath): Promise<void> {
    const { log, touched, lines } = to;
    const at = this.#options.clock.now();
    const path = this.#pathOf(real);
    if (path === undefined || touched.has(path)) return;
    if (log.known.has(path)) {
      if (!isAbsolute(path)) touched.set(path, real);
      return;
    }
    if (isAbsolute(path)) {
      log.known.add(path);
      lines.push({ outside: path, at });
      return;
    }
    const before = state === undefined ? await this.#before(log, real) : state;
    // Nothing to remove, or a folder that exists already.
    if (isRemoved ? before === null : before?.kind === 'folder') return;
    const above = before === null ? await this.#missingAbove(real) : [];
    for (const folder of above) await this.#listPath(to, { real: folder, isRemoved: false, state: null });
    touched.set(path, real);
    log.known.add(path);
    lines.push({ path, before, at });
  }

  async #listAfter(log: RunLog, touched: TouchedPaths): Promise<void> {
    const lines: ChangeLine[] = [];
    for (const [path, real] of touched) {
      lines.push({ path, after: await stateAt(real), at: this.#options.clock.now() });
    }
    if (lines.length > 0) await log.add(lines);
  }

  /** Returns the path relative to the workspace, or absolute outside it; undefined for files that are not recorded. */
  #pathOf(real: string): string | undefined {
    const below = relative(this.#options.root, real);
    if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return real;
    const path = withSlashes(below);
    return path === '' || path.startsWith(sessionFolder) ? undefined : path;
  }

  async #missingAbove(real: string): Promise<readonly string[]> {
    const missing: string[] = [];
    for (let folder = dirname(real); folder.startsWith(this.#options.root + sep); folder = dirname(folder)) {
      if (!(await isNothingAt(folder))) break;
      missing.unshift(folder);
    }
    return missing;
  }

  /** Returns what is at the path, and copies a file. */
  async #before(log: RunLog, real: string): Promise<PathState> {
    try {
      return await inFolderOf(systemHolder, real, async (folder, name) => {
        const state = await folder.stat(name);
        if (state === undefined) return null;
        if (!state.isFile()) {
          return { kind: state.isDirectory() ? 'folder' : state.isSymbolicLink() ? 'link' : 'other' };
        }
        const file = { kind: 'file', bytes: state.size, mode: state.mode & 0o777 } as const;
        if (!(await this.#hasRoom(state.size))) return file;
        return { ...file, hash: await this.#copy(log, { folder, name }, state.size) };
      });
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async #copy(
    log: RunLog,
    { folder, name }: { readonly folder: HeldFolder; readonly name: string },
    bytes: number,
  ): Promise<string> {
    const file = await folder.openFile(name, 'read');
    try {
      const { hash, addedBytes } = await addCopy(log.folder, file, bytes);
      this.#bytes = (this.#bytes ?? 0) + addedBytes;
      return hash;
    } finally {
      await file.close();
    }
  }

  async #hasRoom(bytes: number): Promise<boolean> {
    const { bytes: maxBytes } = await this.#options.limits();
    if (bytes > maxBytes) return false;
    if (this.#bytes === undefined || this.#bytes + bytes > maxBytes) await this.prune(bytes);
    return (this.#bytes ?? 0) + bytes <= maxBytes;
  }
}

function totalOf(folders: readonly { readonly bytes: number }[]): number {
  return folders.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Returns all paths that a change affects. */
async function changingPaths({ writes = [], removes = [], others = [] }: FileChange): Promise<readonly ChangingPath[]> {
  const paths: ChangingPath[] = [];
  for (const real of removes) {
    const below = await filesBelow(real);
    paths.push({ real, isRemoved: true, ...(below === undefined ? { state: { kind: 'other' } } : {}) });
    // Moved files arrive under the same names.
    const targets = removes.length === 1 && writes.length === 1 ? writes : [];
    for (const name of below ?? []) {
      paths.push({ real: join(real, name), isRemoved: true });
      for (const target of targets) paths.push({ real: join(target, name), isRemoved: false });
    }
  }
  return [...paths, ...[...writes, ...others].map((real) => ({ real, isRemoved: false }))];
}

/** Returns the files below a folder, relative to it; undefined if there are too many. */
async function filesBelow(real: string): Promise<readonly string[] | undefined> {
  const isFolder = await lstat(real).then(
    (state) => state.isDirectory(),
    () => false,
  );
  if (!isFolder) return [];
  const everything = { maxDepth: Number.POSITIVE_INFINITY, enters: () => true, maxFiles: maxFilesBelow + 1 };
  const files = await walkTree(real, everything);
  return files.length > maxFilesBelow ? undefined : files.map(({ path }) => path);
}

async function isNothingAt(real: string): Promise<boolean> {
  try {
    await lstat(real);
    return false;
  } catch (error) {
    return isMissing(error);
  }
}

function hasCopy(line: ChangeLine): boolean {
  return 'before' in line && line.before?.kind === 'file' && line.before.hash !== undefined;
}
