/**
 * Making, moving and copying files and folders of the workspace for a person. Nothing is ever replaced.
 */
import { constants } from 'node:fs';
import { copyFile, cp, lstat, mkdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, sep } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { copyName } from './copy-name.ts';
import { systemCodeOf, toWriteError } from './file-error.ts';
import { isTaken, movePath } from './move-path.ts';
import {
  alreadyThere,
  isExactlyThere,
  refuseBadName,
  resolveEntry,
  stateOf,
  type WorkspaceEntry,
} from './workspace-entry.ts';
import { refuseUnwritable } from './workspace-texts.ts';

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
