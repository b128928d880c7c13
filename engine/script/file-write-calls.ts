/**
 * Calls of scripts that write, copy, move and delete files.
 */

import { randomUUID } from 'node:crypto';
import { appendFile, constants, copyFile, lstat, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing, toReadError, toWriteError } from '../files/file-error.ts';
import { readTextFile } from '../files/read-text.ts';
import { applyChangeBlocks } from '../lua/formats/change-blocks.ts';
import type { FileInfoValue, HostCalls, ScriptHost } from '../lua/host-calls.ts';
import { maxReadBytes } from './file-calls.ts';
import { fileInfoOf } from './list-files.ts';
import { withPathLock } from './path-locks.ts';
import type { AccessPath, ScriptAccess } from './script-access.ts';
import { refuseExchanged } from './script-paths.ts';

type WriteCalls = Pick<
  ScriptHost,
  'file.write' | 'file.saveChanges' | 'file.ensureDir' | 'file.copy' | 'file.move' | 'file.delete'
>;

/**
 * The calls of one script that change files. Writers of one file wait for each other, whichever run they belong to.
 * @param trash takes a file or a folder to the system's trash; absolute
 * @param announce shows people a line
 */
export function fileWriteCalls(
  access: ScriptAccess,
  trash: (path: string) => Promise<void>,
  announce: (text: string) => void,
): WriteCalls {
  const announceCall = (name: string, path: AccessPath): void =>
    announce(`-> Lua aip.file.${name} called on: ${access.named(path.absolute)}`);
  return {
    'file.write': async (params, signal) => {
      const file = await access.write(params, signal);
      await alone([file], signal, () => writeOne(file, params));
      if (params.announce) announceCall('save', file);
      return { info: await infoOf(file) };
    },
    'file.saveChanges': async (params, signal) => {
      await access.read(params, signal);
      const file = await access.write(params, signal);
      const outcome = await alone([file], signal, () => changeOne(file, params, signal));
      announceCall('save_changes', file);
      return { info: await infoOf(file), outcome };
    },
    'file.ensureDir': async (params, signal) => {
      const folder = await access.write(params, signal);
      return { isNew: await alone([folder], signal, () => makeFolder(folder.real, params.path)) };
    },
    'file.copy': async (params, signal) => {
      const source = await access.read({ path: params.source }, signal);
      const target = await access.write({ path: params.destination }, signal);
      await alone([target], signal, async () => {
        await refuseExisting('Copy', target, params);
        await prepareParent(target);
        await refuseExchanged(source.real, params.source);
        await copyFileTo(source.real, target.real, params.source);
      });
      announceCall('copy', target);
      return { info: await infoOf(target) };
    },
    'file.move': async (params, signal) => {
      const source = await access.remove({ path: params.source }, signal);
      const target = await access.write({ path: params.destination }, signal);
      await alone([source, target], signal, async () => {
        await refuseExisting('Move', target, params);
        await prepareParent(target);
        await moveTo(source.real, target.real, params.source);
      });
      announceCall('move', target);
      return { info: await infoOf(target) };
    },
    'file.delete': async (params, signal) => {
      const file = await access.remove(params, signal);
      const existed = await alone([file], signal, async () => {
        if (!(await isThere(file.real))) return false;
        await trash(file.real);
        return true;
      });
      if (existed) announceCall('delete', file);
      return { existed };
    },
  };
}

/**
 * Writes a file that the engine made for a script, with its folders.
 * @throws EngineError `effect.denied` | `files.not-writable` | `files.bad-link`
 */
export async function writeMade(
  access: ScriptAccess,
  { path, content }: { readonly path: string; readonly content: Uint8Array },
  signal: AbortSignal,
): Promise<FileInfoValue> {
  const file = await access.write({ path }, signal);
  await alone([file], signal, async () => {
    await prepareParent(file);
    await writeFileAtomically(file.real, content).catch((error: unknown) => {
      throw toWriteError(error, path);
    });
  });
  return await infoOf(file);
}

/** Works on files while nobody else does, and not at all when the script was stopped while it waited. */
async function alone<T>(files: readonly AccessPath[], signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return await withPathLock([...new Set(files.map(({ real }) => real))], async () => {
    signal.throwIfAborted();
    return await work();
  });
}

async function writeOne(file: AccessPath, params: HostCalls['file.write']['params']): Promise<void> {
  const { content, mode, path } = params;
  try {
    if (mode === 'ensure' && !(await isWanting(file, params.whenBlank === true))) return;
    await prepareParent(file);
    if (mode === 'append') await appendFile(file.real, content);
    else await writeFileAtomically(file.real, content);
  } catch (error) {
    throw toWriteError(error, path);
  }
}

/** A file of blanks is small; a larger one is not read. */
const maxBlankBytes = 1024 * 1024;

async function isWanting({ real, shown }: AccessPath, whenBlank: boolean): Promise<boolean> {
  if (!(await isThere(real))) return true;
  const stats = await stat(real);
  if (!stats.isFile()) {
    throw new EngineError({ code: 'files.not-writable', message: `${shown} is there, but it is not a file.` });
  }
  if (!whenBlank || stats.size > maxBlankBytes) return false;
  return (await readTextFile(real, { maxBytes: maxBlankBytes, shownPath: shown })).trim() === '';
}

async function changeOne(
  file: AccessPath,
  { path, changes }: HostCalls['file.saveChanges']['params'],
  signal: AbortSignal,
): Promise<HostCalls['file.saveChanges']['result']['outcome']> {
  const text = (await isThere(file.real))
    ? await readTextFile(file.real, { maxBytes: maxReadBytes, shownPath: path, signal })
    : '';
  const { content, info } = applyChangeBlocks(text, changes);
  try {
    await prepareParent(file);
    await writeFileAtomically(file.real, content);
  } catch (error) {
    throw toWriteError(error, path);
  }
  return info;
}

/** True = it was not there before. */
async function makeFolder(folder: string, path: string): Promise<boolean> {
  try {
    return (await mkdir(folder, { recursive: true })) !== undefined;
  } catch (error) {
    throw toWriteError(error, path);
  }
}

/** Makes the folders before a file. */
async function prepareParent({ real, shown }: AccessPath): Promise<void> {
  const parent = dirname(real);
  try {
    await mkdir(parent, { recursive: true });
  } catch (error) {
    throw toWriteError(error, shown);
  }
  await refuseExchanged(real, shown);
}

/** The words that packs know. */
async function refuseExisting(
  verb: 'Copy' | 'Move',
  target: AccessPath,
  { destination, overwrite }: { readonly destination: string; readonly overwrite: boolean },
): Promise<void> {
  if (overwrite || !(await isThere(target.real))) return;
  throw new EngineError({
    code: 'files.exists',
    message: `${verb} file failed - Destination \`${destination}\` already exists and overwrite is set to false. Use { overwrite = true } to replace it.`,
  });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw toReadError(error, path);
  }
}

async function infoOf({ real, shown }: AccessPath): Promise<FileInfoValue> {
  return fileInfoOf(shown, await stat(real));
}

/**
 * Copies a file so that whoever reads the destination sees the old file or the new one.
 * @param source absolute and real; a regular file
 * @param target absolute; its folder is there, what lies there is replaced
 * @param shownSource for errors
 * @throws EngineError `files.not-found` | `files.not-a-file` | `files.not-writable` | `files.not-readable`
 */
async function copyFileTo(source: string, target: string, shownSource: string): Promise<void> {
  const kind = await kindOf(source, shownSource);
  if (kind !== 'file') {
    throw new EngineError({
      code: 'files.not-a-file',
      message: `${shownSource} is ${kind === 'folder' ? 'a folder' : 'no regular file'}, and only files can be copied. Name a file.`,
    });
  }
  if (source === target) return;
  const draft = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    await copyFile(source, draft, constants.COPYFILE_EXCL);
    await rename(draft, target);
  } catch (error) {
    throw toWriteError(error, target);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Moves a file, a folder or a link. Between two disks a file is copied and then removed; folders are refused there.
 * @throws as `copyFileTo`
 */
async function moveTo(source: string, target: string, shownSource: string): Promise<void> {
  const kind = await kindOf(source, shownSource);
  try {
    await rename(source, target);
  } catch (error) {
    if (kind !== 'file' || !isOtherDisk(error)) throw toWriteError(error, target);
    await copyFileTo(source, target, shownSource);
    await rm(source);
  }
}

async function kindOf(path: string, shown: string): Promise<'file' | 'folder' | 'other'> {
  try {
    const stats = await lstat(path);
    if (stats.isFile()) return 'file';
    return stats.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    throw toReadError(error, shown);
  }
}

function isOtherDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EXDEV';
}
