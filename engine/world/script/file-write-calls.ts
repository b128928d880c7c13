/**
 * Scripts' host calls that write, copy, move and delete files.
 */

import type { FileHandle } from 'node:fs/promises';
import { EngineError } from '../../base/engine-error.ts';
import { replaceFile } from '../files/atomic-write.ts';
import { isMissing, toReadError } from '../files/file-error.ts';
import { inFolderOf, whileOpen } from '../files/folders/folder-holder.ts';
import type { HeldFolder } from '../files/folders/held-folder.ts';
import { takeAway } from '../files/folders/move-entry.ts';
import { readTextFile } from '../files/read-text.ts';
import { applyChangeBlocks } from '../lua/formats/change-blocks.ts';
import type { FileInfoValue, HostCalls, ScriptHost } from '../lua/host-calls.ts';
import { copyOne, moveOne, writing } from './copy-and-move.ts';
import { infoOf, maxReadBytes, statOf } from './file-calls.ts';
import { withPathLock } from './path-locks.ts';
import type { AccessPath, ScriptAccess } from './script-access.ts';
import type { ScriptHostOptions } from './script-host-options.ts';

type WriteCalls = Pick<
  ScriptHost,
  'file.write' | 'file.saveChanges' | 'file.ensureDir' | 'file.copy' | 'file.move' | 'file.delete'
>;

/**
 * Returns the calls of one script that change files. Writers of the same file wait for each other across all runs.
 * @param trash see `ScriptHostOptions.trash`
 * @param announce shows a line to people
 */
export function fileWriteCalls(
  access: ScriptAccess,
  trash: ScriptHostOptions['trash'],
  announce: (text: string) => void,
): WriteCalls {
  const announceCall = (name: string, path: AccessPath): void =>
    announce(`-> Lua aip.file.${name} called on: ${access.named(path.absolute)}`);
  return {
    'file.write': async (params, signal) => {
      const file = await access.write(params, signal);
      await noted(access, [file], signal, () => writeOne(access, file, params));
      if (params.announce) announceCall('save', file);
      return { info: await infoOf(access, file) };
    },
    'file.saveChanges': async (params, signal) => {
      await access.read(params, signal);
      const file = await access.write(params, signal);
      const outcome = await noted(access, [file], signal, () => changeOne(access, file, params, signal));
      announceCall('save_changes', file);
      return { info: await infoOf(access, file), outcome };
    },
    'file.ensureDir': async (params, signal) => {
      const folder = await access.write(params, signal);
      const make = (around: HeldFolder, name: string): Promise<boolean> => around.makeFolder(name);
      const change = () => access.changing({ others: [folder.real] }, () => writing(access, folder, make));
      return { isNew: await alone([folder], signal, change) };
    },
    'file.copy': async (params, signal) => {
      const source = await access.read({ path: params.source }, signal);
      const target = await access.write({ path: params.destination }, signal);
      await noted(access, [target], signal, () => copyOne({ access, source, target, params }, signal));
      announceCall('copy', target);
      return { info: await infoOf(access, target) };
    },
    'file.move': async (params, signal) => {
      const source = await access.remove({ path: params.source }, signal);
      const target = await access.write({ path: params.destination }, signal, 'arrive');
      await alone([source, target], signal, () =>
        access.changing({ writes: [target.real], removes: [source.real] }, () =>
          moveOne({ access, source, target, params }, signal),
        ),
      );
      announceCall('move', target);
      return { info: await infoOf(access, target) };
    },
    'file.delete': async (params, signal) => {
      const file = await access.remove(params, signal);
      const change = () => access.changing({ removes: [file.real] }, () => deleteOne(access, file, trash));
      const existed = await alone([file], signal, change);
      if (existed) announceCall('delete', file);
      return { existed };
    },
  };
}

/**
 * Writes a file that the engine created for a script, and its folders.
 * @throws EngineError `effect.denied` | `files.not-writable` | `files.bad-link`
 */
export async function writeMade(
  access: ScriptAccess,
  { path, content }: { readonly path: string; readonly content: Uint8Array },
  signal: AbortSignal,
): Promise<FileInfoValue> {
  const file = await access.write({ path }, signal);
  await noted(access, [file], signal, () =>
    writing(access, file, (folder, name) => replaceFile(folder, name, { content, shown: file.shown })),
  );
  return await infoOf(access, file);
}

/** Calls `work` with exclusive access to files, or not at all if the script was stopped while it waited. */
async function alone<T>(files: readonly AccessPath[], signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return await withPathLock([...new Set(files.map(({ real }) => real))], async () => {
    signal.throwIfAborted();
    return await work();
  });
}

/** Does the same, and records the files that are written. */
async function noted<T>(
  access: ScriptAccess,
  files: readonly AccessPath[],
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const reals = files.map(({ real }) => real);
  return await alone(files, signal, () => access.changing({ writes: reals }, work));
}

async function writeOne(
  access: ScriptAccess,
  file: AccessPath,
  params: HostCalls['file.write']['params'],
): Promise<void> {
  const { content, mode } = params;
  await writing(access, file, async (folder, name) => {
    if (mode === 'append') return await append(await folder.openFile(name, 'append', file.shown), content);
    if (mode === 'ensure' && !(await isWanting(folder, name, { file, whenBlank: params.whenBlank === true }))) return;
    await replaceFile(folder, name, { content, shown: file.shown });
  });
}

async function append(handle: FileHandle, content: string | Uint8Array): Promise<void> {
  try {
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

/** Maximum size in bytes of a file that is checked for being blank. */
const maxBlankBytes = 1024 * 1024;

async function isWanting(
  folder: HeldFolder,
  name: string,
  { file: { shown }, whenBlank }: { readonly file: AccessPath; readonly whenBlank: boolean },
): Promise<boolean> {
  const state = await folder.stat(name);
  if (state === undefined) return true;
  if (!state.isFile()) {
    throw new EngineError({ code: 'files.not-writable', message: `${shown} exists, but is not a file.` });
  }
  if (!whenBlank || state.size > maxBlankBytes) return false;
  const handle = await folder.openFile(name, 'read', shown);
  try {
    return (await readTextFile(handle, { maxBytes: maxBlankBytes, shownPath: shown })).trim() === '';
  } finally {
    await handle.close();
  }
}

async function changeOne(
  access: ScriptAccess,
  file: AccessPath,
  { path, changes }: HostCalls['file.saveChanges']['params'],
  signal: AbortSignal,
): Promise<HostCalls['file.saveChanges']['result']['outcome']> {
  const read = { maxBytes: maxReadBytes, shownPath: path, signal };
  const isThere = (await statOf(access, file)) !== undefined;
  const text = isThere
    ? await whileOpen(access.holder, { real: file.real, shown: path }, (open) => readTextFile(open, read))
    : '';
  const { content, info } = applyChangeBlocks(text, changes);
  await writing(access, file, (folder, name) => replaceFile(folder, name, { content, shown: file.shown }));
  return info;
}

/** Deletes whatever is at the path; a symbolic link itself is deleted. Returns true if something was there. */
async function deleteOne(
  { holder }: ScriptAccess,
  { real, shown }: AccessPath,
  trash: ScriptHostOptions['trash'],
): Promise<boolean> {
  try {
    return await inFolderOf(holder, real, async (folder, name) => {
      if ((await folder.stat(name)) === undefined) return false;
      await takeAway({ folder, name }, (path) => trash(path, real));
      return true;
    });
  } catch (error) {
    if (isMissing(error)) return false;
    throw toReadError(error, shown);
  }
}
