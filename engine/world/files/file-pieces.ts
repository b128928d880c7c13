/**
 * Streams over open files that leave closing the files to the caller.
 */
import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';

/** Chunk size in bytes. */
const pieceBytes = 256 * 1024;

interface Range {
  /** Position of the first byte; 0 if absent. */
  readonly start?: number;
  /** Position after the last byte; the end of the file if absent. */
  readonly end?: number;
  readonly signal?: AbortSignal;
}

/** Yields an open file's content in chunks. @throws the system's error, the signal's reason */
export async function* readPieces(file: FileHandle, range: Range = {}): AsyncGenerator<Buffer> {
  const { start = 0, end = Number.POSITIVE_INFINITY, signal } = range;
  for (let position = start; position < end; ) {
    const length = Math.min(pieceBytes, end - position);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
    signal?.throwIfAborted();
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Returns a stream that writes to an open file from its current position. */
export function writableTo(file: FileHandle): Writable {
  return new Writable({
    write(piece: Buffer, _encoding, done) {
      file.writeFile(piece).then(() => done(), done);
    },
  });
}
