/**
 * Open files as streams that leave the closing to whoever opened them.
 */
import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';

/** Bytes at a time. */
const pieceBytes = 256 * 1024;

interface Range {
  /** The first byte; 0 if absent. */
  readonly start?: number;
  /** The byte after the last; that of the file if absent. */
  readonly end?: number;
  readonly signal?: AbortSignal;
}

/** What is in an open file, piece by piece. @throws the system's error, the signal's reason */
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

/** A stream into an open file, from where it stands. */
export function writableTo(file: FileHandle): Writable {
  return new Writable({
    write(piece: Buffer, _encoding, done) {
      file.writeFile(piece).then(() => done(), done);
    },
  });
}
