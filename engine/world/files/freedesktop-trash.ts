/**
 * The Linux desktop trash: https://specifications.freedesktop.org/trash-spec/1.0
 */
import { lstat, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { systemCodeOf } from './file-error.ts';
import { isTaken, movePath } from './folders/move-path.ts';

interface DesktopWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** A trash folder, and the folder to which the paths in its records are relative; null if they are absolute. */
interface TrashFolder {
  readonly folder: string;
  readonly top: string | null;
}

interface Trashed {
  readonly path: string;
  /** Original location, as stored in the record. */
  readonly origin: string;
  readonly now: number;
}

/**
 * Moves the entry at `path` into the trash of its disk: the home trash, or the one at the top of another disk. If the
 * latter cannot be created, copies the entry to the home trash.
 * @param origin absolute path for restoring it
 * @throws the system's error, or an `Error` that explains why no trash is available; nothing is then lost
 */
export async function moveToFreedesktopTrash(path: string, world: DesktopWorld, origin: string): Promise<void> {
  const { dev } = await lstat(path);
  const item: Trashed = { path, origin, now: world.clock.now() };
  const home = await homeTrash(world);
  if (home !== null && (await lstat(home.folder)).dev === dev) return await putInto(home, item);
  const top = await topFolderOf(path, dev);
  const near = await trashAtTop(top);
  if (near !== null) return await putInto(near, item);
  if (home === null) throw new Error('the home folder is unknown, and this disk has no trash folder');
  await putInto(home, item);
}

async function homeTrash({ env }: DesktopWorld): Promise<TrashFolder | null> {
  const data = env['XDG_DATA_HOME'] || (env['HOME'] ? join(env['HOME'], '.local', 'share') : undefined);
  if (data === undefined) return null;
  const folder = join(data, 'Trash');
  return (await isPrepared(folder)) ? { folder, top: null } : null;
}

/** Returns the highest folder above the path that is on the same disk. */
async function topFolderOf(path: string, dev: number): Promise<string> {
  let top = await realpath(dirname(path));
  while (dirname(top) !== top && (await lstat(dirname(top))).dev === dev) top = dirname(top);
  return top;
}

/**
 * Returns `.Trash/UID` if an administrator has created a safe `.Trash`, otherwise `.Trash-UID`; null if neither can be
 * used.
 */
async function trashAtTop(top: string): Promise<TrashFolder | null> {
  const uid = process.getuid?.() ?? 0;
  if (await isSafelyShared(join(top, '.Trash'))) {
    const folder = join(top, '.Trash', String(uid));
    if (await isPrepared(folder)) return { folder, top };
  }
  const folder = join(top, `.Trash-${uid}`);
  return (await isPrepared(folder)) ? { folder, top } : null;
}

/** Whether this is a folder (not a symbolic link) in which users cannot delete each other's files. */
async function isSafelyShared(folder: string): Promise<boolean> {
  try {
    const state = await lstat(folder);
    return state.isDirectory() && (state.mode & 0o1000) !== 0;
  } catch {
    return false;
  }
}

/** Creates a trash folder. Returns false if this fails, or if it is a symbolic link or belongs to another user. */
async function isPrepared(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const state = await lstat(folder);
    const isOurs = process.getuid === undefined || state.uid === process.getuid();
    if (!state.isDirectory() || !isOurs) return false;
    for (const part of ['files', 'info']) await mkdir(join(folder, part), { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

async function putInto(trash: TrashFolder, item: Trashed): Promise<void> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? basename(item.path) : `${basename(item.path)}.${number}`;
    const info = join(trash.folder, 'info', `${name}.trashinfo`);
    const place = join(trash.folder, 'files', name);
    if ((await isTaken(place)) || !(await isWritten(info, recordOf(trash, item)))) continue;
    try {
      return await movePath(item.path, place);
    } catch (error) {
      await rm(info, { force: true });
      throw error;
    }
  }
}

/** Writes the record, which reserves its name in the trash. Returns false if the name is taken. */
async function isWritten(info: string, record: string): Promise<boolean> {
  try {
    await writeFile(info, record, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function recordOf({ top }: TrashFolder, { origin, now }: Trashed): string {
  const shown = top === null ? origin : relative(top, origin);
  const path = shown.split('/').map(encodeURIComponent).join('/');
  return `[Trash Info]\nPath=${path}\nDeletionDate=${localTime(now)}\n`;
}

/** Formats a time as `2026-11-22T05:30:00` in local time. */
function localTime(now: number): string {
  const offsetMs = new Date(now).getTimezoneOffset() * 60_000;
  return new Date(now - offsetMs).toISOString().slice(0, 19);
}
