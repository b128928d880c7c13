/**
 * Runs one of Node's decoders on bytes that arrive in pieces, and leaves the data after the end unread.
 */
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { ByteSource } from './byte-source.ts';

/** A `node:zlib` decoder, which counts the bytes of its data. */
export type Decoder = Transform & { readonly bytesWritten: number };

/** Outputs decoded data without waiting for more, so that events arrive as they are sent. */
export const liveOptions = () => ({ flush: zlib.constants.Z_SYNC_FLUSH }) as const;

/** Decodes to the end of the data. @throws the decoder's error, also if the bytes end before the data does */
export async function* decodedBy(decoder: Decoder, input: ByteSource): AsyncGenerator<Uint8Array> {
  const ended = new Promise<void>((resolve) => decoder.once('end', resolve).once('close', resolve));
  const feeding = feed(decoder, input, ended).catch((error: Error) => void decoder.destroy(error));
  for await (const piece of decoder) yield piece as Uint8Array;
  // Before this, the number of unread bytes is unknown.
  await feeding;
}

async function feed(decoder: Decoder, input: ByteSource, ended: Promise<void>): Promise<void> {
  let fed = 0;
  for (;;) {
    const piece = await input.next();
    if (piece === undefined) {
      decoder.end();
      return;
    }
    fed += piece.byteLength;
    const written = new Promise<void>((resolve) => decoder.write(piece, () => resolve()));
    await Promise.race([written, ended]);
    if (decoder.destroyed && decoder.errored !== null) return;
    const unused = fed - decoder.bytesWritten;
    if (unused === 0) continue;
    if (unused <= piece.byteLength) input.unread(piece.subarray(piece.byteLength - unused));
    return;
  }
}
