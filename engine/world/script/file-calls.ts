/**
 * Scripts' host calls that read files.
 */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { blake3 } from '@noble/hashes/blake3.js';
import { EngineError } from '../../base/engine-error.ts';
import { exchanged, isMissing, toReadError } from '../files/file-error.ts';
import { readPieces } from '../files/file-pieces.ts';
import { inFolderOf, whileOpen } from '../files/folders/folder-holder.ts';
import { readStart, readTextFile } from '../files/read-text.ts';
import type { DigestAlgorithm } from '../lua/formats/digest.ts';
import type { FileInfoValue, ScriptHost } from '../lua/host-calls.ts';
import { fileInfoOf, listFiles } from './list-files.ts';
import type { AccessPath, ScriptAccess, ScriptPathArgument } from './script-access.ts';
import { slashed } from './script-paths.ts';

/**
 * Maximum size in bytes of a file that a script reads as a whole: its text and bytes must fit in the script's memory.
 */
export const maxReadBytes = 64 * 1024 * 1024;

type FileCalls = Pick<
  ScriptHost,
  | 'path.resolve'
  | 'path.kind'
  | 'file.info'
  | 'file.readText'
  | 'file.readBytes'
  | 'file.readSpan'
  | 'file.hash'
  | 'file.list'
>;

/** Returns one script's reading calls. */
export function fileCalls(access: ScriptAccess): FileCalls {
  return {
    'path.resolve': async (params) => ({ path: slashed(await access.resolve(params)) }),
    'path.kind': async (params, signal) => ({ kind: await kindOf(access, params, signal) }),
    'file.info': async (params, signal) => {
      const stats = await statOf(access, await access.read(params, signal));
      return { info: stats?.isFile() ? fileInfoOf(params.path, stats) : null };
    },
    'file.readText': (params, signal) =>
      reading({ access, given: params, signal }, async (file) => ({
        text: await readTextFile(file, { maxBytes: maxReadBytes, shownPath: params.path, signal }),
        info: fileInfoOf(params.path, await file.stat()),
      })),
    'file.readBytes': (params, signal) =>
      reading({ access, given: params, signal }, async (file) => ({
        bytes: await readBytes(file, params.path, signal),
      })),
    'file.readSpan': (params, signal) =>
      reading({ access, given: params, signal }, async (file) => ({ text: await readSpan(file, params) })),
    'file.hash': (params, signal) =>
      reading({ access, given: params, signal }, async (file) => ({ bytes: await hashOf(file, params, signal) })),
    'file.list': async (params, signal) => ({ files: await listFiles(access, params, signal) }),
  };
}

interface ScriptFileRead {
  readonly access: ScriptAccess;
  readonly given: ScriptPathArgument;
  readonly signal: AbortSignal;
}

/** Opens a file that may be read, and reads it. @throws EngineError `effect.denied` | `files.*`; errors of `read` */
export async function reading<T>(
  { access, given, signal }: ScriptFileRead,
  read: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const { real } = await access.read(given, signal);
  return await whileOpen(access.holder, { real, shown: given.path }, read);
}

/**
 * Returns the stats of an allowed path; undefined if nothing exists there.
 * @throws EngineError `files.bad-link` if a link has appeared there since | `files.not-readable`
 */
export async function statOf(
  { holder }: Pick<ScriptAccess, 'holder'>,
  { real, shown }: Pick<AccessPath, 'real' | 'shown'>,
): Promise<Stats | undefined> {
  try {
    const isRoot = dirname(real) === real;
    const state = isRoot ? await lstat(real) : await inFolderOf(holder, real, (folder, name) => folder.stat(name));
    if (state?.isSymbolicLink()) throw exchanged(shown);
    return state;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toReadError(error, shown);
  }
}

/**
 * Returns the information for scripts about an existing file. @throws EngineError `files.bad-link` if it has
 * disappeared since
 */
export async function infoOf(
  access: Pick<ScriptAccess, 'holder'>,
  file: Pick<AccessPath, 'real' | 'shown'>,
): Promise<FileInfoValue> {
  const state = await statOf(access, file);
  if (state === undefined) throw exchanged(file.shown);
  return fileInfoOf(file.shown, state);
}

/** Returns null for a path that cannot be resolved; rejects a path that may not be read. */
async function kindOf(
  access: ScriptAccess,
  given: ScriptPathArgument,
  signal: AbortSignal,
): Promise<'file' | 'folder' | null> {
  try {
    const stats = await statOf(access, await access.read(given, signal));
    if (stats === undefined) return null;
    return stats.isDirectory() ? 'folder' : 'file';
  } catch (error) {
    signal.throwIfAborted();
    if (EngineError.is(error) && error.code !== 'effect.denied') return null;
    throw error;
  }
}

/** @throws EngineError `files.too-large`, and read errors */
async function readBytes(file: FileHandle, shownPath: string, signal: AbortSignal): Promise<Uint8Array> {
  const bytes = await readStart(file, { maxBytes: maxReadBytes + 1, shownPath, signal });
  if (bytes.byteLength <= maxReadBytes) return bytes;
  throw new EngineError({
    code: 'files.too-large',
    message: `${shownPath} is larger than ${maxReadBytes / 1024 / 1024} MiB, the limit for reading a whole file. Split it, or read parts of it.`,
    details: { maxBytes: maxReadBytes },
  });
}

interface FileTextSpan {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

async function readSpan(file: FileHandle, { path, start, end }: FileTextSpan): Promise<string> {
  const { size } = await file.stat();
  const length = Math.max(0, Math.min(end, size) - start);
  if (length > maxReadBytes) {
    throw new EngineError({
      code: 'files.too-large',
      message: `A span of ${path} can have at most ${maxReadBytes / 1024 / 1024} MiB. Read it in parts.`,
      details: { maxBytes: maxReadBytes },
    });
  }
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer.subarray(0, bytesRead));
  } catch (error) {
    if (error instanceof TypeError) throw notText(path, start, end);
    throw toReadError(error, path);
  }
}

function notText(path: string, start: number, end: number): EngineError {
  return new EngineError({
    code: 'files.not-text',
    message: `Bytes ${start} to ${end} of ${path} are not UTF-8 text. A span must not split a character.`,
  });
}

interface Hasher {
  update(piece: Uint8Array): unknown;
  digest(): Uint8Array;
}

function hasherOf(algorithm: DigestAlgorithm): Hasher {
  return algorithm === 'blake3' ? blake3.create({}) : createHash(algorithm);
}

async function hashOf(
  file: FileHandle,
  { path, algorithm }: { readonly path: string; readonly algorithm: DigestAlgorithm },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const hasher = hasherOf(algorithm);
  try {
    for await (const piece of readPieces(file, { signal })) hasher.update(piece);
  } catch (error) {
    signal.throwIfAborted();
    throw toReadError(error, path);
  }
  return new Uint8Array(hasher.digest());
}
