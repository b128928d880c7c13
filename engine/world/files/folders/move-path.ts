/**
 * Moves files and folders, including between disks.
 */
import type { Stats } from 'node:fs';
import { lstat, readlink, realpath, rename, symlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isMissing, systemCodeOf } from '../file-error.ts';
import { readPieces } from '../file-pieces.ts';
import { systemHolder } from './folder-holder.ts';
import { draftName } from './held-folder.ts';
import type { HeldEntry } from './move-entry.ts';

/**
 * Moves a file, folder or symbolic link. Between disks, copies it and removes the original only after the copy is
 * complete.
 * @param target absolute path; its folder exists, and the path is free
 * @throws the system's error; the original is then unchanged
 */
export async function movePath(source: string, target: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if (systemCodeOf(error) !== 'EXDEV') throw error;
    await copyThenRemove(source, target);
  }
}

/**
 * The copy is created under a temporary name next to its target, so that a partial copy is never mistaken for the
 * result. Symbolic links are not followed on either side, even if one appears during the copy.
 */
async function copyThenRemove(source: string, target: string): Promise<void> {
  const from = await systemHolder.hold(await realpath(dirname(source)));
  try {
    const to = await systemHolder.hold(await realpath(dirname(target)));
    const draft = draftName();
    try {
      await copyEntry({ folder: from, name: basename(source) }, { folder: to, name: draft });
      await rename(to.pathOf(draft), to.pathOf(basename(target)));
    } catch (error) {
      await removeEntry({ folder: to, name: draft });
      throw error;
    } finally {
      await to.close();
    }
    await removeEntry({ folder: from, name: basename(source) });
  } finally {
    await from.close();
  }
}

/** Copies a file, a folder with its content, or a symbolic link itself, with permissions and times. */
async function copyEntry(from: HeldEntry, to: HeldEntry): Promise<void> {
  const state = await from.folder.stat(from.name);
  if (state?.isSymbolicLink()) {
    return await symlink(await readlink(from.folder.pathOf(from.name)), to.folder.pathOf(to.name));
  }
  if (state?.isDirectory()) return await copyFolder(from, to, state);
  const source = await from.folder.openFile(from.name, 'read');
  try {
    const copy = await to.folder.openNew(to.name);
    try {
      for await (const piece of readPieces(source)) await copy.writeFile(piece);
      const { mode, atime, mtime } = await source.stat();
      await copy.chmod(mode & 0o777);
      await copy.utimes(atime, mtime);
    } finally {
      await copy.close();
    }
  } finally {
    await source.close();
  }
}

async function copyFolder(from: HeldEntry, to: HeldEntry, state: Stats): Promise<void> {
  await to.folder.makeFolder(to.name);
  const source = await from.folder.folder(from.name);
  try {
    const copy = await to.folder.folder(to.name);
    try {
      for (const { name } of await source.list()) await copyEntry({ folder: source, name }, { folder: copy, name });
      await copy.take(state);
    } finally {
      await copy.close();
    }
  } finally {
    await source.close();
  }
}

async function removeEntry({ folder, name }: HeldEntry): Promise<void> {
  const state = await folder.stat(name);
  await (state?.isDirectory() ? folder.removeFolder(name) : folder.removeFile(name));
}

/** Whether an entry exists at the path. A broken symbolic link counts. */
export async function isTaken(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
