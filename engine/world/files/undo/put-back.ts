/**
 * Puts files back as they were before a run. Everything that changes is recorded like the changes of a run, so that it
 * can be undone as well.
 */
import { createHash } from 'node:crypto';
import { rmdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { EngineError, toErrorRecord } from '../../../base/engine-error.ts';
import type { RunId } from '../../../base/ids.ts';
import { replaceWith } from '../atomic-write.ts';
import { exchanged, isMissing, systemCodeOf, toReadError, toWriteError } from '../file-error.ts';
import { readPieces } from '../file-pieces.ts';
import { inFolderOf, listHeld, systemHolder } from '../folders/folder-holder.ts';
import type { HeldFolder } from '../folders/held-folder.ts';
import { readStart, readTextFile } from '../read-text.ts';
import { refuseProtected, resolveInWorkspace } from '../workspace-path.ts';
import {
  type ChangeList,
  type FileState,
  isLogId,
  isSameContent,
  logName,
  type PathState,
  type RecordedChange,
  readChangeList,
} from './change-log.ts';
import type { FileChange } from './change-recorder.ts';
import { stateAt } from './path-state.ts';
import { undoFolder } from './undo-folder.ts';

/** Whether names that differ only in case are usually the same file. */
const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';
/** Larger lists are not read. */
const maxListBytes = 256 * 1024 * 1024;

/** A file to put back. */
export interface FileToPutBack {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** What a person has agreed to overwrite, if the file has changed since the run; see `stateToken`. */
  readonly over?: string;
}

/**
 * What happened to a file. `restored`: it is as before the run; `removed`: the run had created it; `unchanged`: it was
 * already as before the run; `changed-since`: it has changed since the run, or since a person has seen it, and was left
 * as it is; `failed`: see the message.
 */
export type PutBackOutcome = 'restored' | 'removed' | 'unchanged' | 'changed-since' | 'failed';

/** A file that was put back or left as it is. */
export interface PutBackFile {
  readonly path: string;
  readonly outcome: PutBackOutcome;
  readonly message?: string;
}

/** Returns text that identifies a state, so that a person's consent applies only to what they have seen. */
export function stateToken(state: PathState): string {
  if (state === null) return 'nothing';
  return state.kind === 'file' ? (state.hash ?? state.stamp ?? 'file') : state.kind;
}

/** Reads a run's list of changes; undefined if it has none. @throws EngineError `files.*` */
export async function readChangesOf(root: string, id: RunId): Promise<ChangeList | undefined> {
  if (!isLogId(id)) return undefined;
  try {
    return await inLogFolder(root, id, async (folder) => {
      const file = await folder.openFile(logName, 'read');
      try {
        const text = await readTextFile(file, { maxBytes: maxListBytes, shownPath: logName });
        return readChangeList(text, ignoresCase);
      } finally {
        await file.close();
      }
    });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toReadError(error, `.millrace/undo/${id}`);
  }
}

/** Returns what is at a changed path now, in as much detail as the comparison with the change needs. */
export async function stateNow(root: string, { path, before }: RecordedChange): Promise<PathState> {
  const hashed = before?.kind === 'file' && before.hash !== undefined ? before.bytes : 0;
  const real = join(root, ...path.split('/'));
  const state = await stateAt(real);
  // A large file is read only if it may be the one from before.
  return state?.kind === 'file' && state.hash === undefined && state.bytes === hashed
    ? await stateAt(real, Number.POSITIVE_INFINITY)
    : state;
}

/** Returns whether the copy of a file exists. */
export async function hasCopyOf(root: string, id: RunId, { hash }: FileState): Promise<boolean> {
  if (hash === undefined) return false;
  return await inLogFolder(root, id, async (folder) => (await folder.stat(hash))?.isFile() === true).catch(() => false);
}

/** Reads up to `maxBytes` of a copy. @throws EngineError `files.*`; the system's error */
export async function readCopy(root: string, id: RunId, hash: string, maxBytes: number): Promise<Uint8Array> {
  return await inLogFolder(root, id, async (folder) => {
    const file = await folder.openFile(hash, 'read');
    try {
      return await readStart(file, { maxBytes, shownPath: hash });
    } finally {
      await file.close();
    }
  });
}

interface PutBackWorld {
  /** Real path of the workspace. */
  readonly root: string;
  /** The run whose changes are undone. */
  readonly runId: RunId;
  readonly list: ChangeList;
  /** Records a change as one of this undo, while nothing else changes the paths. */
  readonly changing: (change: Omit<FileChange, 'rootRunId'>, work: () => Promise<void>) => Promise<void>;
  /** Runs `work` while no run of this process changes the path. */
  readonly locked: <T>(real: string, work: () => Promise<T>) => Promise<T>;
}

/** Puts files back: first removes what the run has created, then restores the others. */
export async function putBackFiles(
  world: PutBackWorld,
  files: readonly FileToPutBack[],
): Promise<readonly PutBackFile[]> {
  const changes = new Map(world.list.changes.map((change) => [change.path, change]));
  const outcomes = new Map<string, PutBackFile>();
  const act = async (isWanted: (change: RecordedChange) => boolean): Promise<void> => {
    for (const file of files) {
      const change = changes.get(file.path);
      if (change !== undefined && isWanted(change)) outcomes.set(file.path, await putBackOne(world, change, file.over));
    }
  };
  const isEarly = ({ before, after }: RecordedChange): boolean =>
    (before === null || before.kind === 'folder') && after?.kind !== 'folder';
  await act(isEarly);
  for (const path of await removeEmptyFolders(world, files)) {
    if (changes.get(path)?.before === null) outcomes.set(path, { path, outcome: 'removed' });
    else changes.set(path, { path, before: changes.get(path)?.before ?? null, after: null });
  }
  await act((change) => !isEarly(change) && !outcomes.has(change.path));
  return files.map(({ path }) => outcomes.get(path) ?? { path, outcome: 'failed', message: notChanged(path) });
}

async function putBackOne(world: PutBackWorld, change: RecordedChange, over?: string): Promise<PutBackFile> {
  const { path } = change;
  try {
    const real = await placeOf(world.root, path);
    return await world.locked(real, async () => {
      const now = await stateNow(world.root, change);
      if (isSameContent(now, change.before)) return { path, outcome: 'unchanged' };
      const isAsLeft = change.after !== undefined && isSameContent(now, change.after);
      if (!isAsLeft && over !== stateToken(now)) return { path, outcome: 'changed-since' };
      return { path, outcome: await makeAsBefore(world, { ...change, real }, now) };
    });
  } catch (error) {
    return { path, outcome: 'failed', message: toErrorRecord(error).message };
  }
}

type PlacedChange = RecordedChange & { readonly real: string };

async function makeAsBefore(
  world: PutBackWorld,
  change: PlacedChange,
  now: PathState,
): Promise<'restored' | 'removed'> {
  const { path, before, real } = change;
  if (now !== null && now.kind !== 'file') throw blocked(path, now.kind);
  if (before === null) {
    await world.changing({ removes: [real] }, () =>
      inFolderOf(systemHolder, real, (folder, name) => folder.removeFile(name)),
    );
    return 'removed';
  }
  if (before.kind === 'folder') {
    const make = async (folder: HeldFolder, name: string): Promise<void> => {
      if (now !== null) await folder.removeFile(name);
      await folder.makeFolder(name);
    };
    const paths = now === null ? { others: [real] } : { removes: [real] };
    await world.changing(paths, () => inFolderOf(systemHolder, real, make, 'made'));
    return 'restored';
  }
  if (before.kind !== 'file' || !(await hasCopyOf(world.root, world.runId, before))) throw noCopy(path);
  await world.changing({ writes: [real] }, () => restore(world, change, before));
  return 'restored';
}

/** The file is complete before it replaces another one. */
async function restore({ root, runId }: PutBackWorld, { path, real }: PlacedChange, before: FileState): Promise<void> {
  const { hash = '', mode } = before;
  try {
    await inLogFolder(root, runId, async (copies) => {
      const copy = await copies.openFile(hash, 'read');
      try {
        const fill: Parameters<typeof replaceWith>[2] = async (draft) => {
          const digest = createHash('sha256');
          for await (const piece of readPieces(copy)) {
            digest.update(piece);
            await draft.writeFile(piece);
          }
          if (digest.digest('hex') !== hash) throw noCopy(path);
          await draft.chmod(mode);
          await draft.sync();
        };
        await inFolderOf(systemHolder, real, (folder, name) => replaceWith(folder, name, fill), 'made');
      } finally {
        await copy.close();
      }
    });
  } catch (error) {
    throw toWriteError(error, path);
  }
}

/**
 * Removes the folders that the run has created for the files, or in the place of one, unless something is in them.
 * @returns the removed folders
 */
async function removeEmptyFolders(world: PutBackWorld, files: readonly FileToPutBack[]): Promise<readonly string[]> {
  const chosen = files.flatMap(({ path }) => [path, ...foldersAbove(path)]);
  const [own, all] = [new Set(files.map(({ path }) => path)), new Set(chosen)];
  const made = world.list.changes.filter(({ path, before, after }) => {
    // If the process ended before it listed what it had made, it may be a folder.
    if (before === null) return (after === undefined || after?.kind === 'folder') && all.has(path);
    return after?.kind === 'folder' && before.kind === 'file' && own.has(path);
  });
  const removed: string[] = [];
  for (const { path } of made.sort((a, b) => b.path.length - a.path.length)) {
    const isRemoved = await removeIfEmpty(world, path).catch((error: unknown) => {
      if (!EngineError.is(error) && systemCodeOf(error) === undefined) throw error;
      return false;
    });
    if (isRemoved) removed.push(path);
  }
  return removed;
}

/** Returns the paths of all folders above a path, the innermost first. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) folders.push(path.slice(0, end));
  return folders;
}

/** @returns whether it was removed */
async function removeIfEmpty(world: PutBackWorld, path: string): Promise<boolean> {
  const real = await placeOf(world.root, path);
  if ((await listHeld(systemHolder, real)).length > 0) return false;
  const remove = async (folder: HeldFolder, name: string): Promise<void> => {
    await folder.look();
    await rmdir(folder.pathOf(name));
  };
  await world.changing({ removes: [real] }, () => inFolderOf(systemHolder, real, remove));
  return true;
}

/**
 * Returns the real path of a listed file. A symbolic link on the way, or at its end, would lead elsewhere.
 * @throws EngineError `files.outside` | `files.bad-link` | `files.not-writable`
 */
async function placeOf(root: string, path: string): Promise<string> {
  const place = await resolveInWorkspace(root, path);
  refuseProtected(place);
  const expected = join(root, ...path.split('/'));
  const isExpected = ignoresCase
    ? place.real.normalize('NFC').toLowerCase() === expected.normalize('NFC').toLowerCase()
    : place.real === expected;
  if (!isExpected || !expected.startsWith(root + sep)) throw exchanged(path);
  return place.real;
}

async function inLogFolder<T>(root: string, id: RunId, use: (folder: HeldFolder) => Promise<T>): Promise<T> {
  const folder = await systemHolder.hold(join(undoFolder(root), id));
  try {
    return await use(folder);
  } finally {
    await folder.close();
  }
}

function blocked(path: string, kind: 'file' | 'folder' | 'link' | 'other'): EngineError {
  const what = { file: 'a file', folder: 'a folder', link: 'a link', other: 'neither a file nor a folder' }[kind];
  const message = `${path} is ${what} now. Move it away, then undo again.`;
  return new EngineError({ code: 'files.exists', message });
}

function noCopy(path: string): EngineError {
  return new EngineError({ code: 'undo.no-copy', message: `There is no copy of ${path} from before the run.` });
}

function notChanged(path: string): string {
  return `The run did not change ${path}.`;
}
