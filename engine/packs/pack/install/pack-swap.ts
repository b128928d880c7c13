/**
 * Replaces an installed pack with a new one. A complete pack is in place at all times, and the old one goes to the
 * trash.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EngineError } from '../../../base/engine-error.ts';
import { systemCodeOf } from '../../../world/files/file-error.ts';
import { isTaken, movePath } from '../../../world/files/folders/move-path.ts';
import { moveToTrash, type TrashWorld } from '../../../world/files/trash.ts';

interface SwapOptions extends TrashWorld {
  /** Folder for temporary files, on the same disk. */
  readonly workFolder: string;
}

/** Calls `use` with a new temporary folder, which is always removed afterwards. */
export async function inWorkFolder<T>(parent: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(parent, randomUUID());
  await mkdir(folder, { recursive: true });
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const workFolderName = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const staleMs = 24 * 60 * 60_000;

/**
 * Removes temporary folders that a killed program left behind a day or more ago. Packs that were set aside are kept.
 * @param now epoch milliseconds
 */
export async function removeStaleWork(parent: string, now: number): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => workFolderName.test(one))) {
    const folder = join(parent, name);
    const state = await stat(folder).catch(() => undefined);
    if (state !== undefined && now - state.mtimeMs > staleMs) await rm(folder, { recursive: true, force: true });
  }
}

/** Maximum number of attempts if other programs put packs in the same place at the same time. */
const maxTries = 20;

/**
 * Moves a finished folder into place. The previous one goes to the trash, and is restored if anything fails. If several
 * calls run at once, the last one wins, and the folder is complete at all times.
 * @param staged the new folder
 * @param target its absolute destination
 * @throws EngineError `files.no-trash` | `pack.install-failed`; the system's error
 */
export async function swapInto(staged: string, target: string, options: SwapOptions): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  // The folder is next to the temporary folder, which is always removed. The pack keeps its name, for trash
  // implementations that record an item's last location.
  const asideFolder = join(dirname(options.workFolder), `replaced-${randomUUID()}`);
  const aside = join(asideFolder, basename(target));
  await mkdir(asideFolder, { recursive: true });
  try {
    for (let tries = 1; ; tries += 1) {
      const isAside = await isMoved(target, aside, tries);
      const isPlaced = await isMoved(staged, target, tries).catch(async (error: unknown) => {
        if (isAside) await movePath(aside, target);
        throw error;
      });
      if (isAside) await trashOrRestore({ aside, target, staged, isPlaced }, options);
      if (isPlaced) return;
      if (tries === maxTries) throw placeTaken(target);
    }
  } finally {
    // Fails intentionally if the old pack is still inside.
    await rmdir(asideFolder).catch(() => undefined);
  }
}

/** Moves a folder. Returns false if another program was faster, so that the source is gone or the target exists. */
async function isMoved(source: string, target: string, tries: number): Promise<boolean> {
  try {
    if (!(await isTaken(source)) || (await isTaken(target))) return false;
    await movePath(source, target);
    return true;
  } catch (error) {
    const isRace = ['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(systemCodeOf(error) ?? '');
    if (isRace && tries < maxTries) return false;
    throw error;
  }
}

function placeTaken(target: string): EngineError {
  return new EngineError({
    code: 'pack.install-failed',
    message: `${target} could not be written because another program writes to it at the same time. Try again.`,
    recoverable: true,
  });
}

interface Swap {
  readonly aside: string;
  readonly target: string;
  readonly staged: string;
  readonly isPlaced: boolean;
}

async function trashOrRestore({ aside, target, staged, isPlaced }: Swap, options: SwapOptions): Promise<void> {
  try {
    await moveToTrash(aside, options, target);
  } catch (error) {
    if (isPlaced) await movePath(target, staged);
    await movePath(aside, target);
    throw error;
  }
}
