/**
 * Reads what is at a path, so that it can be compared with what a run left there.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { isMissing } from '../file-error.ts';
import { readPieces } from '../file-pieces.ts';
import type { PathState } from './change-log.ts';

/** Larger files are compared by size and times, because reading them takes longer than the write that is recorded. */
const maxHashedBytes = 16 * 1024 * 1024;

/**
 * Returns what is at a path, without following a symbolic link.
 * @param real absolute
 * @param maxBytes size up to which a file is read
 * @throws the system's error
 */
export async function stateAt(real: string, maxBytes = maxHashedBytes): Promise<PathState> {
  try {
    const state = await lstat(real, { bigint: true });
    if (!state.isFile()) {
      return { kind: state.isDirectory() ? 'folder' : state.isSymbolicLink() ? 'link' : 'other' };
    }
    const file = { kind: 'file', bytes: Number(state.size), mode: Number(state.mode) & 0o777 } as const;
    if (file.bytes > maxBytes) {
      return { ...file, stamp: `${state.size}:${state.mtimeNs}:${state.ctimeNs}:${state.ino}` };
    }
    return { ...file, hash: await hashOfFile(real, file.bytes) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function hashOfFile(real: string, bytes: number): Promise<string> {
  const handle = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const hash = createHash('sha256');
    for await (const piece of readPieces(handle, { end: bytes })) hash.update(piece);
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}
