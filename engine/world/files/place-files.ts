/**
 * Creates, moves and copies workspace files and folders on behalf of a person. Never replaces anything. Symbolic links
 * themselves are moved, copied and deleted, not their targets.
 */
import { constants, type Stats } from 'node:fs';
import { copyFile, cp, lstat, mkdir, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { isMissing, systemCodeOf, toReadError, toWriteError } from './file-error.ts';
import { isTaken, movePath } from './folders/move-path.ts';
import { isProtectedPath, refuseProtected, resolveInWorkspace } from './workspace-path.ts';
import { refuseUnwritable } from './workspace-texts.ts';

interface WorkspaceEntry {
  /** Path relative to the workspace, with `/`. */
  readonly shown: string;
  /** Path with all parent folders resolved. A symbolic link itself is not followed. */
  readonly real: string;
}

/**
 * Resolves a path that may be changed. The entry does not have to exist.
 * @param root absolute path of the workspace folder
 * @throws EngineError `files.outside`, also for the workspace itself; `files.not-writable` for internal files of Git
 * or Millrace
 */
export async function resolveEntry(root: string, path: string): Promise<WorkspaceEntry> {
  const absolute = resolve(root, path);
  if (path === '' || absolute === resolve(root)) {
    throw new EngineError({
      code: 'files.outside',
      message: 'The workspace folder itself cannot be changed. Choose a file or a folder in it.',
    });
  }
  const folder = await resolveInWorkspace(root, path.includes('\0') ? path : dirname(absolute));
  const name = basename(absolute);
  const shown = folder.shown === '' ? name : `${folder.shown}/${name}`;
  refuseProtected({ shown, isProtected: folder.isProtected || isProtectedPath(name) });
  return { shown, real: join(folder.real, name) };
}

/**
 * Rejects names that some systems do not allow, because workspaces are shared.
 * @param path the last segment is the name
 * @throws EngineError `files.bad-name`
 */
function refuseBadName(path: string): void {
  const name = basename(path);
  const isBad = /[\p{Cc}<>:"|?*\\]|[. ]$|^ /u.test(name) || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name);
  if (!isBad && name !== '' && !path.endsWith('/')) return;
  throw new EngineError({
    code: 'files.bad-name',
    message: `${JSON.stringify(name)} is not a valid file name on every system. Use letters, digits, "-", "_", and dots between them.`,
  });
}

/** Whether the folder contains exactly this name, even on case-insensitive systems. */
async function isExactlyThere({ real }: WorkspaceEntry): Promise<boolean> {
  try {
    return (await readdir(dirname(real))).includes(basename(real));
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Returns an entry's stats without following symbolic links. @throws EngineError `files.not-found` |
 * `files.not-readable`
 */
export async function stateOf({ real, shown }: WorkspaceEntry): Promise<Stats> {
  try {
    return await lstat(real);
  } catch (error) {
    throw toReadError(error, shown);
  }
}

/** Creates the error for a path that is already taken. */
function alreadyThere(shown: string): EngineError {
  return new EngineError({ code: 'files.exists', message: `${shown} already exists. Choose another name.` });
}

/** Double extensions that stay together, because a copy of `a.flow.yaml` is also a flow. */
const doubleEndings = /(?:\.(?:flow|test|spec|d|tar))?\.[^.]+$/i;

/**
 * Returns a copy's name: `name-copy.md`, then `name-copy-2.md`.
 * @param number starting from 1
 * @param isFolder if true, a dot in the name does not start an extension
 */
export function copyName(name: string, number: number, isFolder: boolean): string {
  const ending = isFolder ? '' : (doubleEndings.exec(name.replace(/^\.+/, ''))?.[0] ?? '');
  const stem = name.slice(0, name.length - ending.length);
  return `${stem}-copy${number === 1 ? '' : `-${number}`}${ending}`;
}

/**
 * Creates a file or a folder, including its parent folders.
 * @param root absolute path of the workspace folder
 * @throws EngineError as documented for `FileEngine.createFile`
 */
export async function createEntry(
  root: string,
  { path, kind, text = '' }: { readonly path: string; readonly kind: 'file' | 'folder'; readonly text?: string },
): Promise<void> {
  refuseBadName(path);
  const entry = await resolveEntry(root, path);
  refuseUnwritable(text, entry.shown);
  await makeFolderAround(entry);
  try {
    await (kind === 'folder' ? mkdir(entry.real) : writeFile(entry.real, text, { flag: 'wx' }));
  } catch (error) {
    throw systemCodeOf(error) === 'EEXIST' ? alreadyThere(entry.shown) : toWriteError(error, entry.shown);
  }
}

/**
 * Writes a file of an example, with its parent folders, unless the path exists.
 * @param root absolute path of the workspace folder
 * @returns whether the file was written; an existing file belongs to the user
 * @throws EngineError `files.outside` | `files.not-writable`
 */
export async function addIfMissing(
  root: string,
  { path, content }: { readonly path: string; readonly content: Uint8Array },
): Promise<boolean> {
  const file = await resolveInWorkspace(root, path);
  refuseProtected(file);
  try {
    await mkdir(dirname(file.real), { recursive: true });
    await writeFile(file.real, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw toWriteError(error, file.shown);
  }
}

/**
 * Moves a file, folder or symbolic link. Can also change only a name's case.
 * @param root absolute path of the workspace folder
 * @throws EngineError as documented for `FileEngine.renameFile`
 */
export async function renameEntry(
  root: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  if (basename(from) !== basename(to)) refuseBadName(to);
  const [source, target] = [await resolveEntry(root, from), await resolveEntry(root, to)];
  await stateOf(source);
  if (source.real === target.real) return;
  if (target.real.startsWith(`${source.real}${sep}`)) throw intoItself(source.shown);
  if ((await isTaken(target.real)) && !(await isSameInOtherLetters(source, target))) throw alreadyThere(target.shown);
  await makeFolderAround(target);
  try {
    await movePath(source.real, target.real);
  } catch (error) {
    throw toWriteError(error, target.shown);
  }
}

/**
 * Copies a file, folder or symbolic link within its folder.
 * @param root absolute path of the workspace folder
 * @returns the copy's path, relative to the workspace with `/`
 * @throws EngineError as documented for `FileEngine.duplicateFile`
 */
export async function duplicateEntry(root: string, path: string): Promise<string> {
  const source = await resolveEntry(root, path);
  const state = await stateOf(source);
  if (!(state.isFile() || state.isDirectory() || state.isSymbolicLink())) throw noFile(source.shown);
  for (let number = 1; ; number += 1) {
    const target = besides(source, copyName(basename(source.real), number, state.isDirectory()));
    if (await isTaken(target.real)) continue;
    try {
      await copyTo(source, target, state);
      return target.shown;
    } catch (error) {
      // Another process has taken the name in the meantime.
      if (systemCodeOf(error) !== 'EEXIST') throw toWriteError(error, target.shown);
    }
  }
}

type TargetFileState = Awaited<ReturnType<typeof stateOf>>;

async function copyTo(source: WorkspaceEntry, target: WorkspaceEntry, state: TargetFileState): Promise<void> {
  if (state.isSymbolicLink()) return await symlink(await readlink(source.real), target.real);
  if (!state.isDirectory()) return await copyFile(source.real, target.real, constants.COPYFILE_EXCL);
  await mkdir(target.real);
  try {
    await cp(source.real, target.real, { recursive: true, verbatimSymlinks: true });
  } catch (error) {
    await rm(target.real, { recursive: true, force: true });
    throw error;
  }
}

function besides({ shown, real }: WorkspaceEntry, name: string): WorkspaceEntry {
  const inFolder = (path: string): string => path.slice(0, path.length - basename(path).length) + name;
  return { shown: inFolder(shown), real: inFolder(real) };
}

/** On case-insensitive systems, the target of such a rename is the source itself. */
async function isSameInOtherLetters(source: WorkspaceEntry, target: WorkspaceEntry): Promise<boolean> {
  const plain = ({ real }: WorkspaceEntry): string => real.normalize('NFC').toLowerCase();
  if (plain(source) !== plain(target) || (await isExactlyThere(target))) return false;
  const [here, there] = await Promise.all([lstat(source.real), lstat(target.real)]);
  return here.ino === there.ino && here.dev === there.dev;
}

function intoItself(shown: string): EngineError {
  const message = `${shown} cannot be moved into itself. Choose a folder outside of it.`;
  return new EngineError({ code: 'files.bad-name', message });
}

/** Copying a pipe would block, and a device may never end. */
function noFile(shown: string): EngineError {
  const message = `${shown} is not a regular file, so it cannot be copied. Choose a file, a folder or a link.`;
  return new EngineError({ code: 'files.not-readable', message });
}

async function makeFolderAround({ real, shown }: WorkspaceEntry): Promise<void> {
  try {
    await mkdir(dirname(real), { recursive: true });
  } catch (error) {
    throw toWriteError(error, shown);
  }
}
