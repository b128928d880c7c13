/**
 * Guards folders by their paths on systems that cannot report the path of a descriptor: checks the path before and
 * after each step, and undoes steps that happened elsewhere. An attacker who swaps folders several times at exactly the
 * right moments can still defeat this; a script alone cannot.
 */
import { type FileHandle, lstat, realpath, rmdir, unlink } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { exchanged, systemCodeOf } from '../file-error.ts';

/** A folder guarded by its path. */
export interface FolderWatch {
  /**
   * Checks the path. @throws EngineError `files.bad-link` if the path leads elsewhere than at first; the system's error
   */
  look(): Promise<void>;
}

/** A single check can fall between two swaps. Several in a row are very unlikely to. */
const looks = 2;

/** Starts guarding the folder at a real path. @throws as `look` does */
export async function watchFolder(real: string): Promise<FolderWatch> {
  const first = await lstat(real, { bigint: true });
  if (first.isSymbolicLink()) throw exchanged(real);
  // The same error that the system reports for something that is not a folder.
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

/** Whether an open file is the one at a path. Does not follow a symbolic link at the path. */
export async function isSameFile(path: string, handle: FileHandle): Promise<boolean> {
  const [there, held] = await Promise.all([lstat(path, { bigint: true }), handle.stat({ bigint: true })]);
  return there.ino === held.ino && there.dev === held.dev;
}

/** Maximum number of attempts to undo a step, and the milliseconds between them, in case something interferes. */
const maxTries = 200;
const pauseMs = 1;

/**
 * Removes a file that was just created and is still open, wherever it was created. Stops when no folder contains it.
 */
export async function undoNewFile(path: string, handle: FileHandle): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if ((await handle.stat()).nlink === 0) return;
    // The path may now lead to another entry with this name.
    if (await isSameFile(path, handle).catch(() => false)) await unlink(path).catch(() => undefined);
    else await pause(pauseMs);
  }
}

/** Removes a folder that was just created, wherever it was created, as long as it is empty. */
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
