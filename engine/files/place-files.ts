/**
 * Making, moving and copying files and folders of the workspace for a person. Nothing is ever replaced; what is moved, copied
 * or thrown away is the link, not what it leads to.
 */
import { constants, type Stats } from 'node:fs';
import { copyFile, cp, lstat, mkdir, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { isMissing, systemCodeOf, toReadError, toWriteError } from './file-error.ts';
import { isTaken, movePath } from './move-path.ts';
import { isProtectedPath, refuseProtected, resolveInWorkspace } from './workspace-path.ts';
import { refuseUnwritable } from './workspace-texts.ts';

interface WorkspaceEntry {
  /** Relative to the workspace, with `/`. */
  readonly shown: string;
  /** Its name in its real folder; a link is not followed. */
  readonly real: string;
}

/**
 * Finds the place of a name that may be changed. Nothing needs to lie there.
 * @param root the workspace folder, absolute
 * @throws EngineError `files.outside`, also for the workspace itself; `files.not-writable` for what git or the program
 *   keeps for itself
 */
export async function resolveEntry(root: string, path: string): Promise<WorkspaceEntry> {
  const absolute = resolve(root, path);
  if (path === '' || absolute === resolve(root)) {
    throw new EngineError({
      code: 'files.outside',
      message: 'The workspace folder itself cannot be changed from inside. Name a file or a folder in it.',
    });
  }
  const folder = await resolveInWorkspace(root, path.includes('\0') ? path : dirname(absolute));
  const name = basename(absolute);
  const shown = folder.shown === '' ? name : `${folder.shown}/${name}`;
  refuseProtected({ shown, isProtected: folder.isProtected || isProtectedPath(name) });
  return { shown, real: join(folder.real, name) };
}

/**
 * Refuses a name that some systems cannot have: workspaces are shared.
 * @param path of which the last part is the name
 * @throws EngineError `files.bad-name`
 */
function refuseBadName(path: string): void {
  const name = basename(path);
  const isBad = /[\p{Cc}<>:"|?*\\]|[. ]$|^ /u.test(name) || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name);
  if (!isBad && name !== '' && !path.endsWith('/')) return;
  throw new EngineError({
    code: 'files.bad-name',
    message: `${JSON.stringify(name)} is no name that a file can have on every system. Use letters, digits, "-", "_" and dots in between.`,
  });
}

/** Whether a name stands in its folder, in these very letters, also on systems that take `A` for `a`. */
async function isExactlyThere({ real }: WorkspaceEntry): Promise<boolean> {
  try {
    return (await readdir(dirname(real))).includes(basename(real));
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** What lies at a place, a link itself. @throws EngineError `files.not-found` | `files.not-readable` */
export async function stateOf({ real, shown }: WorkspaceEntry): Promise<Stats> {
  try {
    return await lstat(real);
  } catch (error) {
    throw toReadError(error, shown);
  }
}

/** The error for a place that is taken. */
function alreadyThere(shown: string): EngineError {
  return new EngineError({ code: 'files.exists', message: `${shown} exists already. Choose another name.` });
}

/** Endings that belong together: a copy of `a.flow.yaml` is a flow, too. */
const doubleEndings = /(?:\.(?:flow|test|spec|d|tar))?\.[^.]+$/i;

/**
 * The name of a file's copy: `name-copy.md`, then `name-copy-2.md`.
 * @param number from 1
 * @param isFolder then a dot in the name begins no ending
 */
export function copyName(name: string, number: number, isFolder: boolean): string {
  const ending = isFolder ? '' : (doubleEndings.exec(name.replace(/^\.+/, ''))?.[0] ?? '');
  const stem = name.slice(0, name.length - ending.length);
  return `${stem}-copy${number === 1 ? '' : `-${number}`}${ending}`;
}

/**
 * Makes a file or a folder, with the folders around it.
 * @param root the workspace folder, absolute
 * @throws EngineError as `FileEngine.createFile` tells
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
 * Moves a file, a folder or a link; also to the same name in other capitals.
 * @param root the workspace folder, absolute
 * @throws EngineError as `FileEngine.renameFile` tells
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
 * Copies a file, a folder or a link beside itself.
 * @param root the workspace folder, absolute
 * @returns the copy's path, relative to the workspace with `/`
 * @throws EngineError as `FileEngine.duplicateFile` tells
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
      // Somebody took the name in between.
      if (systemCodeOf(error) !== 'EEXIST') throw toWriteError(error, target.shown);
    }
  }
}

type State = Awaited<ReturnType<typeof stateOf>>;

async function copyTo(source: WorkspaceEntry, target: WorkspaceEntry, state: State): Promise<void> {
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

/** On systems that take `A` for `a`, the target of such a renaming is the source itself. */
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

/** Copying a pipe would wait for its other end, a device for ever. */
function noFile(shown: string): EngineError {
  const message = `${shown} is no regular file, so it cannot be copied. Choose a file, a folder or a link.`;
  return new EngineError({ code: 'files.not-readable', message });
}

async function makeFolderAround({ real, shown }: WorkspaceEntry): Promise<void> {
  try {
    await mkdir(dirname(real), { recursive: true });
  } catch (error) {
    throw toWriteError(error, shown);
  }
}
