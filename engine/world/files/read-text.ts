/**
 * Reads text files within limits.
 */
import { constants, type FileHandle, open, stat } from 'node:fs/promises';
import { EngineError } from '../../base/engine-error.ts';
import { refuseSpecial, toReadError } from './file-error.ts';

interface ReadTextOptions {
  readonly maxBytes: number;
  /** Path for messages. */
  readonly shownPath: string;
  readonly signal?: AbortSignal;
  /** Whether to keep a byte order mark as U+FEFF. */
  readonly keepsMark?: true;
}

/**
 * Reads a UTF-8 file. Removes the byte order mark unless it should be kept.
 * @param file absolute path, or an open file, which stays open
 * @throws EngineError `files.not-found` | `files.not-text` (also for a folder, or text with NUL) | `files.too-large` |
 * `files.not-readable`; the signal's reason when it aborts
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
    // Not UTF-8; reported below.
  }
  throw notText(shownPath, 'is not UTF-8 text. Save it as UTF-8, or choose another file.');
}

/**
 * Reads all bytes of a file.
 * @throws EngineError as `readTextFile` does, except for text requirements
 */
export async function readWholeFile(file: string | FileHandle, options: ReadTextOptions): Promise<Uint8Array> {
  const { maxBytes, shownPath } = options;
  const bytes = await readStart(file, { ...options, maxBytes: maxBytes + 1 });
  if (bytes.byteLength <= maxBytes) return bytes;
  throw new EngineError({
    code: 'files.too-large',
    message: `${shownPath} is larger than ${formatBytes(maxBytes)}, the limit for this type of file. Split it.`,
    details: { maxBytes },
  });
}

/**
 * Reads up to `maxBytes` from the start of a file.
 * @param file absolute path, or an open regular file, which stays open
 * @throws EngineError `files.not-found` | `files.not-text` if it is not a regular file | `files.not-readable`; the
 * signal's reason when it aborts
 */
export async function readStart(file: string | FileHandle, options: ReadTextOptions): Promise<Uint8Array> {
  const { shownPath, signal } = options;
  signal?.throwIfAborted();
  try {
    if (typeof file !== 'string') return await readUpTo(file, options);
    // Checked before opening, because opening a pipe would block.
    refuseSpecial(await stat(file), 'read', shownPath);
    // Must not block if a pipe has replaced the file in the meantime.
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

/** Limits the bytes actually read, not the reported size, because a file can grow while it is read. */
async function readUpTo(handle: FileHandle, { maxBytes, signal }: ReadTextOptions): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  // Most files are small. Allocating a large buffer takes longer than reading a file of a few bytes.
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
