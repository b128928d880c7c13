/**
 * The program of a worker that searches files. It is a separate worker because a regular expression can take forever,
 * and only terminating the worker stops it.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import { openEngineLink } from '../workers/engine-link.ts';
import { createFileFilter, createLineSearch, type SearchMatch, type SearchQuery, searchText } from './search-text.ts';

// Reads many files synchronously, one after the other, on a thread that has nothing else to do. Avoiding promises makes
// this ten times faster.

/** Why a file was not searched: it is too large, not text, a symbolic link, missing or unreadable. */
type Unread = 'too-large' | 'no-text';

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Creates a function that reads files in a folder. Does not read symbolic links or files in symbolically linked
 * folders.
 * @param root absolute path
 * @returns a function that reads a path relative to it, with `/`; a byte order mark is kept
 */
function createFileReader(root: string, maxBytes: number): (path: string) => { text: string } | Unread {
  const buffer = Buffer.allocUnsafe(maxBytes + 1);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const isPlainFolder = createFolderCheck(root);
  return (path) => {
    try {
      const file = join(root, path);
      if (!isPlainFolder(path.slice(0, Math.max(0, path.lastIndexOf('/'))))) return 'no-text';
      // Checked before opening, because opening a pipe would block.
      if (!lstatSync(file).isFile()) return 'no-text';
      const length = readInto(buffer, file);
      if (length > maxBytes) return 'too-large';
      const bytes = buffer.subarray(0, length);
      return bytes.includes(0) ? 'no-text' : { text: decoder.decode(bytes) };
    } catch {
      return 'no-text';
    }
  };
}

/** Returns the number of bytes read; at most the size of the buffer. */
function readInto(buffer: Buffer, file: string): number {
  const handle = openSync(file, flags);
  try {
    // Another entry may have replaced it in the meantime.
    if (!fstatSync(handle).isFile()) return 0;
    let length = 0;
    for (;;) {
      const count = readSync(handle, buffer, length, buffer.byteLength - length, null);
      length += count;
      if (count === 0 || length === buffer.byteLength) return length;
    }
  } finally {
    closeSync(handle);
  }
}

/**
 * Returns a function that checks whether a folder is really inside the root, without symbolic links. Each folder is
 * checked once.
 */
function createFolderCheck(root: string): (folder: string) => boolean {
  const realRoot = realpathSync(root);
  const known = new Map<string, boolean>();
  return (folder) => {
    const isPlain = known.get(folder) ?? realpathSync(join(root, folder)) === join(realRoot, folder);
    known.set(folder, isPlain);
    return isPlain;
  };
}

/** A search order for the worker. */
export interface SearchOrder {
  /** Absolute path of the workspace. */
  readonly root: string;
  readonly query: SearchQuery;
  readonly paths: readonly string[];
  /** Text to search instead of the files on disk, by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly maxMatches: number;
  readonly maxFileBytes: number;
  /** An Int32: the index of the path being searched. */
  readonly progress: SharedArrayBuffer;
}

/** The thread's messages: files with matches in path order, then one of the others. */
export type SearchReport =
  | { readonly kind: 'file'; readonly path: string; readonly matches: readonly SearchMatch[] }
  | { readonly kind: 'end'; readonly isCut: boolean; readonly tooLarge: number }
  | { readonly kind: 'error'; readonly error: ErrorRecord };

const engine = openEngineLink();

function searchAll(order: SearchOrder): SearchReport {
  const search = createLineSearch(order.query);
  const isMeant = createFileFilter(order.query);
  const read = createFileReader(order.root, order.maxFileBytes);
  const progress = new Int32Array(order.progress);
  let tooLarge = 0;
  let left = order.maxMatches;
  for (const [index, path] of order.paths.entries()) {
    if (!isMeant(path)) continue;
    Atomics.store(progress, 0, index);
    const unsaved = order.texts.get(path);
    const found = unsaved === undefined ? read(path) : { text: unsaved };
    if (found === 'too-large') tooLarge += 1;
    if (typeof found === 'string') continue;
    // One more than the limit, to detect further matches.
    const matches = searchText(found.text, search, left + 1);
    const told = matches.slice(0, left);
    if (told.length > 0) post({ kind: 'file', path, matches: told });
    if (matches.length > left) return { kind: 'end', isCut: true, tooLarge };
    left -= told.length;
  }
  return { kind: 'end', isCut: false, tooLarge };
}

function post(report: SearchReport): void {
  engine.report(report);
}

engine.ready();
try {
  post(searchAll(engine.receive() as SearchOrder));
} catch (error) {
  post({ kind: 'error', error: toErrorRecord(error) });
}
