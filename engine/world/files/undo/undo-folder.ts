/**
 * The folder `.millrace/undo` of a workspace, with a folder for each run that has changed files. Symbolic links in it
 * are not followed.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '../file-error.ts';
import { readPieces } from '../file-pieces.ts';
import { systemHolder } from '../folders/folder-holder.ts';
import { draftName, type FolderEntry, type HeldFolder } from '../folders/held-folder.ts';
import { isCopyName, isLogId, logName } from './change-log.ts';

/** Limits of the earlier contents of a workspace. */
export interface UndoLimits {
  /** Total size of all contents. */
  readonly bytes: number;
  /** Age at which they are removed, with the lists of changes. */
  readonly ms: number;
}

/** Returns the absolute path of the folder. @param root real path of the workspace */
export function undoFolder(root: string): string {
  return join(root, '.millrace', 'undo');
}

/** The folder of a run. */
interface LogFolder {
  readonly id: string;
  /** Epoch milliseconds of the last change of its list. */
  readonly changedAt: number;
  /** Total size of its copies. */
  readonly bytes: number;
}

/**
 * Copies the open file to a run's folder under the hash of its content, and waits until it is on disk.
 * @returns the hash, and the bytes that the folder has grown by
 */
export async function addCopy(
  folder: HeldFolder,
  file: FileHandle,
  bytes: number,
): Promise<{ readonly hash: string; readonly addedBytes: number }> {
  const draft = draftName();
  const copy = await folder.openNew(draft);
  try {
    const digest = createHash('sha256');
    try {
      // The original may be readable only by the user.
      await copy.chmod(0o600);
      for await (const piece of readPieces(file, { end: bytes })) {
        digest.update(piece);
        await copy.writeFile(piece);
      }
      await copy.sync();
    } finally {
      await copy.close();
    }
    const hash = digest.digest('hex');
    const isKnown = (await folder.stat(hash)) !== undefined;
    if (isKnown) await folder.removeFile(draft);
    else await folder.place(draft, hash);
    return { hash, addedBytes: isKnown ? 0 : bytes };
  } catch (error) {
    await folder.removeFile(draft).catch(() => undefined);
    throw error;
  }
}

/** Lists the folders of all runs, oldest first. */
export async function listLogFolders(root: string): Promise<readonly LogFolder[]> {
  const found: LogFolder[] = [];
  await inUndoFolder(root, async (all) => {
    for (const entry of await all.list()) {
      if (!entry.isDirectory() || !isLogId(entry.name)) continue;
      found.push(await readLogFolder(all, entry.name));
    }
  });
  return found.sort((a, b) => a.changedAt - b.changedAt || (a.id < b.id ? -1 : 1));
}

async function readLogFolder(all: HeldFolder, id: string): Promise<LogFolder> {
  const folder = await all.folder(id);
  try {
    const list = await folder.stat(logName);
    let bytes = 0;
    for (const { name } of (await folder.list()).filter(isCopy)) bytes += (await folder.stat(name))?.size ?? 0;
    return { id, changedAt: list?.mtimeMs ?? 0, bytes };
  } finally {
    await folder.close();
  }
}

/** Removes a run's copies, but not its list of changes. */
export async function removeCopies(root: string, id: string): Promise<void> {
  await inUndoFolder(root, async (all) => {
    const folder = await all.folder(id);
    try {
      for (const { name } of (await folder.list()).filter(isCopy)) await folder.removeFile(name);
    } finally {
      await folder.close();
    }
  });
}

/** Removes a run's folder. Does nothing if it is missing. @returns the total size of its copies */
export async function removeLogFolder(root: string, id: string): Promise<number> {
  let removedBytes = 0;
  if (!isLogId(id)) return removedBytes;
  await inUndoFolder(root, async (all) => {
    if ((await all.stat(id)) === undefined) return;
    const { bytes } = await readLogFolder(all, id);
    await all.removeFolder(id);
    removedBytes = bytes;
  });
  return removedBytes;
}

function isCopy(entry: FolderEntry): boolean {
  return entry.isFile() && isCopyName(entry.name);
}

/** Does nothing if there is no such folder. */
async function inUndoFolder(root: string, use: (folder: HeldFolder) => Promise<void>): Promise<void> {
  let folder: HeldFolder;
  try {
    folder = await systemHolder.hold(undoFolder(root));
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    await use(folder);
  } finally {
    await folder.close();
  }
}
