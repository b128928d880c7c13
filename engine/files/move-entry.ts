/**
 * Moving a file or a folder from one held folder to another, and never a link.
 */
import type { Stats } from 'node:fs';
import { lstat, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { exchanged, refuseSpecial } from './file-error.ts';
import { draftName, type HeldFolder } from './held-folder.ts';

/** What has a name in a folder that is held; it need not be there. */
export interface HeldEntry {
  readonly folder: HeldFolder;
  readonly name: string;
}

/**
 * Moves a file or a folder, and replaces what is in its place unless that is neither a file nor, for a folder, an empty
 * folder. When a link has come into the place of the entry, it goes back.
 * @throws EngineError `files.bad-link` | `files.not-writable`; the system's error, `EXDEV` between two disks
 */
export async function moveEntry(from: HeldEntry, to: HeldEntry): Promise<void> {
  const state = await movable(from);
  await movable(to);
  if (!from.folder.isWatched && !to.folder.isWatched) return await moveStep(from, to, state);
  // Nothing has the names in between but what is moved, so a step from them happens in its folder or not at all, and the first
  // two replace nothing when they happen elsewhere.
  const aside = { folder: from.folder, name: draftName() };
  const draft = { folder: to.folder, name: draftName() };
  await moveStep(from, aside, state);
  try {
    await moveStep(aside, draft, state);
    await rename(pathOf(draft), pathOf(to));
  } catch (error) {
    await rename(pathOf(draft), pathOf(from)).catch(() => undefined);
    await rename(pathOf(aside), pathOf(from)).catch(() => undefined);
    throw error;
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

/** So often it is tried to undo what happened in the wrong place, while somebody exchanges folders. */
const maxTries = 200;

/** One renaming, undone when what was moved is not what was seen before. */
async function moveStep(from: HeldEntry, to: HeldEntry, state: Stats | undefined): Promise<void> {
  await from.folder.look();
  await to.folder.look();
  await rename(pathOf(from), pathOf(to));
  const problem = await problemOf(to, state);
  if (problem === undefined) return;
  for (let tries = 0; tries < maxTries; tries += 1) {
    // Something else may lie there by now, which must not be lost.
    const isFree = (await lstat(pathOf(from)).catch(() => undefined)) === undefined;
    if (isFree && (await isMoved(to, from))) throw problem;
  }
  const moved = await lstat(pathOf(to)).catch(() => undefined);
  // Its own place is taken. What it leads to is not touched.
  if (moved?.isSymbolicLink()) await unlink(pathOf(to));
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

async function isMoved(from: HeldEntry, to: HeldEntry): Promise<boolean> {
  return await rename(pathOf(from), pathOf(to)).then(
    () => true,
    () => false,
  );
}
