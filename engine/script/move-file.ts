/**
 * Copies and moves files so that whoever reads the destination sees the old file or the new one.
 */
import { randomUUID } from 'node:crypto';
import { constants, copyFile, lstat, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { toReadError, toWriteError } from '../files/file-error.ts';

/**
 * @param source absolute and real; a regular file
 * @param target absolute; its folder is there, what lies there is replaced
 * @param shownSource for errors
 * @throws EngineError `files.not-found` | `files.not-a-file` | `files.not-writable` | `files.not-readable`
 */
export async function copyFileTo(source: string, target: string, shownSource: string): Promise<void> {
  const kind = await kindOf(source, shownSource);
  if (kind !== 'file') {
    throw new EngineError({
      code: 'files.not-a-file',
      message: `${shownSource} is ${kind === 'folder' ? 'a folder' : 'no regular file'}, and only files can be copied. Name a file.`,
    });
  }
  if (source === target) return;
  const draft = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    await copyFile(source, draft, constants.COPYFILE_EXCL);
    await rename(draft, target);
  } catch (error) {
    throw toWriteError(error, target);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Moves a file, a folder or a link. Between two disks a file is copied and then removed; folders are refused there.
 * @throws as `copyFileTo`
 */
export async function moveTo(source: string, target: string, shownSource: string): Promise<void> {
  const kind = await kindOf(source, shownSource);
  try {
    await rename(source, target);
  } catch (error) {
    if (kind !== 'file' || !isOtherDisk(error)) throw toWriteError(error, target);
    await copyFileTo(source, target, shownSource);
    await rm(source);
  }
}

async function kindOf(path: string, shown: string): Promise<'file' | 'folder' | 'other'> {
  try {
    const stats = await lstat(path);
    if (stats.isFile()) return 'file';
    return stats.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    throw toReadError(error, shown);
  }
}

function isOtherDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EXDEV';
}
