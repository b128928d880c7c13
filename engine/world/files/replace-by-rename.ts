/**
 * Renames a file over another one. On Windows, this fails while any program has one of them open, such as a reader or a
 * virus scanner, so it is tried again for about a second.
 */
import { rename } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** The parts of the system that tests replace. */
export interface RenamingSystem {
  readonly platform: NodeJS.Platform;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Delays before the next attempts, in milliseconds. */
const delaysMs = [10, 20, 40, 80, 160, 320, 640];

/** Codes for a file that is open. Windows also reports missing permissions and folders with the first two. */
const openCodes: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/**
 * Renames a file and replaces the one at the new path.
 * @throws the system's error, with nothing changed
 */
export async function replaceByRename(
  from: string,
  to: string,
  system: RenamingSystem = { platform: process.platform, rename, wait },
): Promise<void> {
  for (const delayMs of system.platform === 'win32' ? delaysMs : []) {
    try {
      return await system.rename(from, to);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && openCodes.has(error.code))) throw error;
      await system.wait(delayMs);
    }
  }
  return await system.rename(from, to);
}
