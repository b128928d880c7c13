/**
 * Folders by their paths, for systems where a descriptor cannot be asked where it lies: looking before and after a step, and
 * undoing what happened elsewhere. Somebody who exchanges folders at just the right moments, several times in a row, can still
 * deceive it; a script cannot do that by itself.
 */
import { type FileHandle, lstat, realpath, rmdir, unlink } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { exchanged, systemCodeOf } from './file-error.ts';

/** A folder that is watched. */
export interface FolderWatch {
  /** @throws EngineError `files.bad-link` when the path leads somewhere else than at first; the system's error */
  look(): Promise<void>;
}

/** One look can fall between two exchanges; so many in a row hardly do. */
const looks = 2;

/** Begins to watch the folder that lies at a real path. @throws as `look` */
export async function watchFolder(real: string): Promise<FolderWatch> {
  const first = await lstat(real, { bigint: true });
  if (first.isSymbolicLink()) throw exchanged(real);
  // As the system says it of what is no folder.
  if (!first.isDirectory()) throw Object.assign(new Error(`ENOTDIR: ${real}`), { code: 'ENOTDIR', errno: -20 });
  const look = async (): Promise<void> => {
    for (let count = 0; count < looks; count += 1) {
      const now = await lstat(real, { bigint: true });
      if (now.ino !== first.ino || now.dev !== first.dev || (await realpath(real)) !== real) throw exchanged(real);
    }
  };
  await look();
  return { look };
}

/** Whether an open file is the one that lies at a path, which is not followed. */
export async function isSameThing(path: string, handle: FileHandle): Promise<boolean> {
  const [there, held] = await Promise.all([lstat(path, { bigint: true }), handle.stat({ bigint: true })]);
  return there.ino === held.ino && there.dev === held.dev;
}

/** So often, and with so many milliseconds between, somebody may be in the way of undoing. */
const maxTries = 200;
const pauseMs = 1;

/** Takes away a file that was just made and is still open, wherever that was: it is gone when no folder names it any more. */
export async function undoNewFile(path: string, handle: FileHandle): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if ((await handle.stat()).nlink === 0) return;
    // Something else of this name may lie where the path leads by now.
    if (await isSameThing(path, handle).catch(() => false)) await unlink(path).catch(() => undefined);
    else await pause(pauseMs);
  }
}

/** Takes away a folder that was just made, wherever that was, as long as nothing is in it. */
export async function undoNewFolder(path: string): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      return await rmdir(path);
    } catch (error) {
      if (systemCodeOf(error) !== 'ENOENT') return;
      await pause(pauseMs);
    }
  }
}
