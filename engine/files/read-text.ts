/**
 * Text files, read within limits.
 */
import { constants, type FileHandle, open, stat } from 'node:fs/promises';
import { EngineError } from '../base/engine-error.ts';
import { refuseSpecial, toReadError } from './file-error.ts';

interface ReadTextOptions {
  readonly maxBytes: number;
  /** The path as messages name it. */
  readonly shownPath: string;
  readonly signal?: AbortSignal;
  /** A byte order mark stays, as U+FEFF. */
  readonly keepsMark?: true;
}

/**
 * Reads a UTF-8 file; a byte order mark is taken off, unless it is to stay.
 * @param file absolute, or a file that is open and stays so
 * @throws EngineError `files.not-found` | `files.not-text` (also for a folder, or text with NUL) | `files.too-large` |
 *   `files.not-readable`; the signal's reason when it aborts
 */
export async function readTextFile(file: string | FileHandle, options: ReadTextOptions): Promise<string> {
  const { shownPath } = options;
  const bytes = await readWholeFile(file, options);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: options.keepsMark ?? false }).decode(bytes);
    if (!text.includes('\0')) {
      return text;
    }
  } catch {
    // Not UTF-8: told below.
  }
  throw notText(shownPath, 'is no text in UTF-8. Save it as UTF-8, or name another file.');
}

/**
 * All bytes of a file.
 * @throws EngineError as `readTextFile` does, but for what the text has to be
 */
export async function readWholeFile(file: string | FileHandle, options: ReadTextOptions): Promise<Uint8Array> {
  const { maxBytes, shownPath } = options;
  const bytes = await readStart(file, { ...options, maxBytes: maxBytes + 1 });
  if (bytes.byteLength <= maxBytes) return bytes;
  throw new EngineError({
    code: 'files.too-large',
    message: `${shownPath} is larger than ${formatBytes(maxBytes)}, the limit for such a file. Split it.`,
    details: { maxBytes },
  });
}

/**
 * The first bytes of a file, at most `maxBytes`.
 * @param file absolute, or a regular file that is open and stays so
 * @throws EngineError `files.not-found` | `files.not-text` for what is no regular file | `files.not-readable`; the
 *   signal's reason when it aborts
 */
export async function readStart(file: string | FileHandle, options: ReadTextOptions): Promise<Uint8Array> {
  const { shownPath, signal } = options;
  signal?.throwIfAborted();
  try {
    if (typeof file !== 'string') return await readUpTo(file, options);
    // Before it is opened: opening a pipe would wait for its other end.
    refuseSpecial(await stat(file), 'read', shownPath);
    // Nor may it wait when a pipe has come in its place since.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      refuseSpecial(await handle.stat(), 'read', shownPath);
      return await readUpTo(handle, options);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw toReadError(error, shownPath);
  }
}

const firstPiece = 16 * 1024;
const largestPiece = 256 * 1024;

/** Measures what is read, not what the system says beforehand: a file can grow while it is read. */
async function readUpTo(handle: FileHandle, { maxBytes, signal }: ReadTextOptions): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  // Most files are small: for one of a few bytes, a large buffer takes longer to make than the file to read.
  let free = Buffer.allocUnsafe(Math.min(firstPiece, maxBytes));
  while (total < maxBytes) {
    const { bytesRead } = await handle.read({ buffer: free });
    signal?.throwIfAborted();
    if (bytesRead === 0) break;
    total += bytesRead;
    pieces.push(free.subarray(0, bytesRead));
    free = free.subarray(bytesRead);
    if (free.length === 0) free = Buffer.allocUnsafe(Math.min(largestPiece, maxBytes - total));
  }
  return Buffer.concat(pieces, total);
}

function formatBytes(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024;
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${bytes} bytes`;
}

function notText(shownPath: string, problem: string): EngineError {
  return new EngineError({ code: 'files.not-text', message: `${shownPath} ${problem}` });
}
