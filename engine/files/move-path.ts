/**
 * Moving files and folders, also to another disk.
 */
import { randomUUID } from 'node:crypto';
import { cp, lstat, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing, systemCodeOf } from './file-error.ts';

/**
 * Moves a file, a folder or a link. Between disks it copies, and takes the original away only when the copy is whole.
 * @param target absolute; its folder exists, and nothing lies there yet
 * @throws the system's error; the original then lies where it lay
 */
export async function movePath(source: string, target: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if (systemCodeOf(error) !== 'EXDEV') throw error;
    await copyThenRemove(source, target);
  }
}

/** The copy grows beside its target, so that half of it is never taken for the thing itself. */
async function copyThenRemove(source: string, target: string): Promise<void> {
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    await cp(source, draft, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, errorOnExist: true });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  await rm(source, { recursive: true, force: true });
}

/** Whether something lies at the path, be it a link to nothing. */
export async function isTaken(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
