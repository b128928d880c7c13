/**
 * Reading calls of scripts: files and what they hold.
 */
import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { blake3 } from '@noble/hashes/blake3.js';
import { EngineError } from '../base/engine-error.ts';
import { isMissing, toReadError } from '../files/file-error.ts';
import { readStart, readTextFile } from '../files/read-text.ts';
import type { DigestAlgorithm } from '../lua/formats/digest.ts';
import type { ScriptHost } from '../lua/host-calls.ts';
import { fileInfoOf, listFiles } from './list-files.ts';
import type { GivenPath, ScriptAccess } from './script-access.ts';
import { refuseExchanged, slashed } from './script-paths.ts';

/** The largest file that a script may read as a whole: text and bytes have to fit into its memory. */
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

/** The calls of one script that read. */
export function fileCalls(access: ScriptAccess): FileCalls {
  return {
    'path.resolve': async (params) => ({ path: slashed(await access.resolve(params)) }),
    'path.kind': async (params, signal) => ({ kind: await kindOf(access, params, signal) }),
    'file.info': async (params, signal) => {
      const { real } = await access.read(params, signal);
      const stats = await statOf(real);
      return { info: stats?.isFile() ? fileInfoOf(params.path, stats) : null };
    },
    'file.readText': (params, signal) =>
      reading({ access, given: params, signal }, async (real) => ({
        text: await readTextFile(real, { maxBytes: maxReadBytes, shownPath: params.path, signal }),
        info: fileInfoOf(params.path, await stat(real)),
      })),
    'file.readBytes': (params, signal) =>
      reading({ access, given: params, signal }, async (real) => ({
        bytes: await readBytes(real, params.path, signal),
      })),
    'file.readSpan': (params, signal) =>
      reading({ access, given: params, signal }, async (real) => ({ text: await readSpan(real, params) })),
    'file.hash': (params, signal) =>
      reading({ access, given: params, signal }, async (real) => ({ bytes: await hashOf(real, params, signal) })),
    'file.list': async (params, signal) => ({ files: await listFiles(access, params, signal) }),
  };
}

interface Reading {
  readonly access: ScriptAccess;
  readonly given: GivenPath;
  readonly signal: AbortSignal;
}

/** Reads what may be read. It counts only when the path still leads there afterwards. */
export async function reading<T>({ access, given, signal }: Reading, read: (real: string) => Promise<T>): Promise<T> {
  const { real } = await access.read(given, signal);
  const result = await read(real);
  await refuseExchanged(real, given.path);
  return result;
}

async function statOf(real: string): Promise<Stats | undefined> {
  try {
    return await stat(real);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toReadError(error, real);
  }
}

/** What cannot be resolved is nothing; what may not be looked at is refused. */
async function kindOf(access: ScriptAccess, given: GivenPath, signal: AbortSignal): Promise<'file' | 'folder' | null> {
  try {
    const stats = await statOf((await access.read(given, signal)).real);
    if (stats === undefined) return null;
    return stats.isDirectory() ? 'folder' : 'file';
  } catch (error) {
    signal.throwIfAborted();
    if (EngineError.is(error) && error.code !== 'effect.denied') return null;
    throw error;
  }
}

/** @throws EngineError `files.too-large`, and what reading throws */
async function readBytes(real: string, shownPath: string, signal: AbortSignal): Promise<Uint8Array> {
  const bytes = await readStart(real, { maxBytes: maxReadBytes + 1, shownPath, signal });
  if (bytes.byteLength <= maxReadBytes) return bytes;
  throw new EngineError({
    code: 'files.too-large',
    message: `${shownPath} is larger than ${maxReadBytes / 1024 / 1024} MiB, the limit for such a file. Split it, or read parts of it.`,
    details: { maxBytes: maxReadBytes },
  });
}

/** Reading a pipe would wait for its other end. */
async function regularFile(real: string, path: string): Promise<Stats> {
  const stats = await stat(real).catch((error: unknown) => {
    throw toReadError(error, path);
  });
  if (stats.isFile()) return stats;
  throw new EngineError({ code: 'files.not-text', message: `${path} is not a regular file. Name a file.` });
}

interface Span {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

async function readSpan(real: string, { path, start, end }: Span): Promise<string> {
  const { size } = await regularFile(real, path);
  const length = Math.max(0, Math.min(end, size) - start);
  if (length > maxReadBytes) {
    throw new EngineError({
      code: 'files.too-large',
      message: `A span of ${path} may have ${maxReadBytes / 1024 / 1024} MiB at most. Read it in parts.`,
      details: { maxBytes: maxReadBytes },
    });
  }
  try {
    const handle = await open(real, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer.subarray(0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof TypeError) throw notText(path, start, end);
    throw toReadError(error, path);
  }
}

function notText(path: string, start: number, end: number): EngineError {
  return new EngineError({
    code: 'files.not-text',
    message: `The bytes ${start} to ${end} of ${path} are no text in UTF-8. A span must not cut a character in two.`,
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
  real: string,
  { path, algorithm }: { readonly path: string; readonly algorithm: DigestAlgorithm },
  signal: AbortSignal,
): Promise<Uint8Array> {
  await regularFile(real, path);
  const hasher = hasherOf(algorithm);
  try {
    for await (const piece of createReadStream(real, { highWaterMark: 1024 * 1024, signal })) hasher.update(piece);
  } catch (error) {
    signal.throwIfAborted();
    throw toReadError(error, path);
  }
  return new Uint8Array(hasher.digest());
}
