/**
 * Copies and moves files for scripts between held folders, without following symbolic links.
 */
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { EngineError } from '../../base/engine-error.ts';
import { replaceWith } from '../files/atomic-write.ts';
import { systemCodeOf, toReadError, toWriteError } from '../files/file-error.ts';
import { readPieces } from '../files/file-pieces.ts';
import { inFolderOf, whileOpen } from '../files/folders/folder-holder.ts';
import type { HeldFolder } from '../files/folders/held-folder.ts';
import { type HeldEntry, moveEntry } from '../files/folders/move-entry.ts';
import { statOf } from './file-calls.ts';
import type { AccessPath, ScriptAccess } from './script-access.ts';

/**
 * Calls `work` with the folder of a file, which is created if missing. @throws EngineError `files.not-writable`; errors
 * of `work`
 */
export async function writing<T>(
  { holder }: ScriptAccess,
  { real, shown }: AccessPath,
  work: (folder: HeldFolder, name: string) => Promise<T>,
): Promise<T> {
  try {
    return await inFolderOf(holder, real, work, 'made');
  } catch (error) {
    throw toWriteError(error, shown);
  }
}

/** A file and its destination, both allowed by the policy. */
export interface Passage {
  readonly access: ScriptAccess;
  readonly source: AccessPath;
  readonly target: AccessPath;
  readonly params: { readonly source: string; readonly destination: string; readonly overwrite: boolean };
}

/**
 * Copies a file. Readers of the destination see either the old or the new file.
 * @throws EngineError `files.exists` | `files.not-found` | `files.not-a-file` | `files.not-readable` |
 * `files.not-writable` | `files.bad-link`; the signal's reason
 */
export async function copyOne({ access, source, target, params }: Passage, signal: AbortSignal): Promise<void> {
  await refuseExisting('Copy', { access, source, target, params });
  const state = await statOf(access, source);
  if (state !== undefined && !state.isFile()) {
    const what = state.isDirectory() ? 'a folder' : 'not a regular file';
    throw notAFile(`${params.source} is ${what}, and only files can be copied. Use the path of a file.`);
  }
  await whileOpen(access.holder, { real: source.real, shown: params.source }, async (from) => {
    if (source.real === target.real) return;
    await writing(access, target, (folder, name) => copyInto(from, { folder, name }, signal));
  });
}

async function copyInto(from: FileHandle, { folder, name }: HeldEntry, signal: AbortSignal): Promise<void> {
  await replaceWith(folder, name, async (draft) => {
    for await (const piece of readPieces(from, { signal })) await draft.writeFile(piece);
    await draft.chmod((await from.stat()).mode & 0o777);
  });
}

/**
 * Moves a file or a folder. Between two disks, a file is copied and then removed; folders are rejected.
 * @throws errors from `copyOne`
 */
export async function moveOne(passage: Passage, signal: AbortSignal): Promise<void> {
  const { access, source, target, params } = passage;
  await refuseExisting('Move', passage);
  try {
    await inFolderOf(access.holder, source.real, async (folder, name) => {
      const state = await folder.stat(name);
      if (state === undefined) throw missing(params.source);
      refuseUnmovable(state, params.source);
      await writing(access, target, async (targetFolder, targetName) => {
        try {
          await moveEntry({ folder, name }, { folder: targetFolder, name: targetName });
        } catch (error) {
          if (systemCodeOf(error) !== 'EXDEV' || !state.isFile()) throw error;
          await moveToOtherDisk({ folder, name }, { folder: targetFolder, name: targetName }, signal);
        }
      });
    });
  } catch (error) {
    throw toReadError(error, params.source);
  }
}

async function moveToOtherDisk({ folder, name }: HeldEntry, target: HeldEntry, signal: AbortSignal): Promise<void> {
  const from = await folder.openFile(name, 'read');
  try {
    await copyInto(from, target, signal);
    const [copied, there] = [await from.stat(), await folder.stat(name)];
    // Keeps a file that replaced the source in the meantime, because it was not copied.
    if (there?.ino === copied.ino && there.dev === copied.dev) await folder.removeFile(name);
  } finally {
    await from.close();
  }
}

function refuseUnmovable(state: Stats, path: string): void {
  if (state.isFile() || state.isDirectory()) return;
  throw state.isSymbolicLink()
    ? notAFile(`${path} is a link, and links cannot be moved. Move its target, or delete the link.`)
    : notAFile(`${path} is neither a file nor a folder, so it cannot be moved. Use the path of a file or a folder.`);
}

/** Uses the message that packs expect. */
async function refuseExisting(
  verb: 'Copy' | 'Move',
  { access, target, params: { destination, overwrite } }: Passage,
): Promise<void> {
  if (overwrite || (await statOf(access, target)) === undefined) return;
  throw new EngineError({
    code: 'files.exists',
    message: `${verb} file failed - Destination \`${destination}\` already exists and overwrite is set to false. Use { overwrite = true } to replace it.`,
  });
}

function notAFile(message: string): EngineError {
  return new EngineError({ code: 'files.not-a-file', message });
}

function missing(path: string): EngineError {
  return new EngineError({ code: 'files.not-found', message: `${path} does not exist. Check the path.` });
}
