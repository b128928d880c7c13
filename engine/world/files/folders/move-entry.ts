/**
 * Moves a file or folder from one held folder to another. Never moves a symbolic link.
 */
import type { Stats } from 'node:fs';
import { lstat, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { exchanged, refuseSpecial } from '../file-error.ts';
import { undoNewFolder } from './folder-watch.ts';
import { draftName, type HeldFolder } from './held-folder.ts';

/** A name in a held folder. The entry does not have to exist. */
export interface HeldEntry {
  readonly folder: HeldFolder;
  readonly name: string;
}

/**
 * Moves a file or a folder. Replaces an existing file or, for a folder, an empty folder. If a symbolic link has
 * replaced the entry, the link is moved back.
 * @throws EngineError `files.bad-link` | `files.not-writable`; the system's error, `EXDEV` between two disks
 */
export async function moveEntry(from: HeldEntry, to: HeldEntry): Promise<void> {
  const state = await movable(from);
  await movable(to);
  if (from.folder.move !== undefined) return await from.folder.move(from.name, to);
  // Under a unique name, the moved entry can be checked before it replaces anything. A move from such a name happens in
  // its folder or not at all. If folders are held only by their paths, the first step therefore also stays in the
  // folder.
  const draft = { folder: to.folder, name: draftName() };
  const aside = { folder: from.folder, name: draftName() };
  const steps = from.folder.isWatched ? [from, aside, draft] : [from, draft];
  for (const [at, next] of steps.slice(1).entries()) await moveStep(steps[at] ?? from, next, { state, origin: from });
  try {
    await rename(pathOf(draft), pathOf(to));
  } catch (error) {
    await putBack(draft, from);
    throw error;
  }
}

/**
 * Passes the path of an entry to `take`, which removes it. If folders are only watched, the entry first moves to a new
 * folder next to it: no other program knows the new folder's name, so nothing outside the held folder can be removed
 * instead. If `take` fails, the entry moves back.
 * @param take receives a path that ends with the entry's name
 * @throws EngineError `files.bad-link`; the system's error; errors from `take`
 */
export async function takeAway(from: HeldEntry, take: (path: string) => Promise<void>): Promise<void> {
  const { folder, name } = from;
  // The Windows trash remembers the path it receives, and a person restores the entry to that path.
  if (!folder.isWatched || process.platform === 'win32') return await take(folder.pathOf(name));
  const state = await folder.stat(name);
  const asideName = draftName();
  await folder.makeFolder(asideName);
  try {
    const aside = { folder: await folder.folder(asideName), name };
    await moveStep(from, aside, { state, origin: from });
    try {
      await take(pathOf(aside));
    } catch (error) {
      await putBack(aside, from);
      throw error;
    }
  } finally {
    await undoNewFolder(folder.pathOf(asideName));
  }
}

function pathOf({ folder, name }: HeldEntry): string {
  return folder.pathOf(name);
}

async function movable({ folder, name }: HeldEntry): Promise<Stats | undefined> {
  const state = await folder.stat(name);
  if (state !== undefined && !state.isDirectory()) refuseSpecial(state, 'write', join(folder.real, name));
  return state;
}

interface Moved {
  readonly state: Stats | undefined;
  readonly origin: HeldEntry;
}

/** Renames the entry to a draft name, and undoes this if it is not the entry that was checked before. */
async function moveStep(from: HeldEntry, draft: HeldEntry, { state, origin }: Moved): Promise<void> {
  await from.folder.look();
  await draft.folder.look();
  try {
    await rename(pathOf(from), pathOf(draft));
  } catch (error) {
    if (from !== origin) await putBack(from, origin);
    throw error;
  }
  const problem = await problemOf(draft, state);
  if (problem === undefined) return;
  await putBack(draft, origin);
  throw problem;
}

async function problemOf({ folder, name }: HeldEntry, expected: Stats | undefined): Promise<unknown> {
  const moved = await lstat(folder.pathOf(name)).catch(() => undefined);
  if (moved?.ino !== expected?.ino || moved?.dev !== expected?.dev) return exchanged(join(folder.real, name));
  return await folder.look().then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Maximum number of attempts to restore the original name, and then of attempts with numbered names. */
const maxTries = 100;

/** Renames a draft back to its original name. If that name has been taken, adds a number. */
async function putBack(draft: HeldEntry, { folder, name }: HeldEntry): Promise<void> {
  for (let tries = 1 - maxTries; tries < maxTries; tries += 1) {
    const place = folder.pathOf(tries <= 0 ? name : `${name}~${tries}`);
    if ((await lstat(place).catch(() => undefined)) !== undefined) continue;
    const isBack = await rename(pathOf(draft), place).then(
      () => true,
      () => false,
    );
    if (isBack) return;
  }
}
