/**
 * Putting a new pack into the place of an old one: there is always a whole one, and the old one goes to the trash.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { systemCodeOf } from '../files/file-error.ts';
import { isTaken, movePath } from '../files/move-path.ts';
import { moveToTrash, type TrashWorld } from '../files/trash.ts';

interface SwapOptions extends TrashWorld {
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

const workFolderName = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const staleMs = 24 * 60 * 60_000;

/**
 * Takes away folders for work that were left behind by a program that was killed, a day or more ago. Packs that were set
 * aside are not among them.
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

/** So often somebody else may put a pack into the same place at the same moment. */
const maxTries = 20;

/**
 * Moves a finished folder to its place. What was there goes to the trash; when anything fails, it is there again. Of
 * several that do this at once, the last one's folder stays, and each is whole at any time.
 * @param staged the new folder
 * @param target where it goes, absolute
 * @throws EngineError `files.no-trash` | `pack.install-failed`; the system's error
 */
export async function swapInto(staged: string, target: string, options: SwapOptions): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  // Beside the folder for work, which is taken away whatever happens. Of the same name as before, for trashes that tell a
  // thing's place by where it lay last.
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
    // Fails when the old pack is still in it, which is as it must be.
    await rmdir(asideFolder).catch(() => undefined);
  }
}

/** False when somebody else was faster: the source is gone, or something lies at the target. */
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
    message: `${target} could not be written: other programs write there at the same time. Try again.`,
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
