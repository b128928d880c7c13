/**
 * Putting a new pack into the place of an old one: there is always a whole one, and the old one goes to the trash.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isTaken, movePath } from '../files/move-path.ts';
import { moveToTrash, type TrashWorld } from '../files/trash.ts';

export interface SwapOptions extends TrashWorld {
  /** A folder for what is on its way, on the same disk. */
  readonly workFolder: string;
}

/** Does work in a folder of its own, which is gone afterwards, whatever happens. */
export async function inWorkFolder<T>(parent: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(parent, randomUUID());
  await mkdir(folder, { recursive: true });
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Moves a finished folder to its place. What was there goes to the trash; when anything fails, it is there again.
 * @param staged the new folder
 * @param target where it goes, absolute
 * @throws EngineError `files.no-trash`; the system's error
 */
export async function swapInto(staged: string, target: string, options: SwapOptions): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  if (!(await isTaken(target))) {
    await movePath(staged, target);
    return;
  }
  // Beside the folder for work, which is taken away whatever happens. Of the same name as before, for trashes that tell a
  // thing's place by where it lay last.
  const asideFolder = join(dirname(options.workFolder), `replaced-${randomUUID()}`);
  const aside = join(asideFolder, basename(target));
  await mkdir(asideFolder, { recursive: true });
  await movePath(target, aside);
  try {
    await movePath(staged, target);
    await moveToTrash(aside, options, target);
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    await movePath(aside, target);
    throw error;
  } finally {
    // Fails when the old pack is still in it, which is as it must be.
    await rmdir(asideFolder).catch(() => undefined);
  }
}
