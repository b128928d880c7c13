/**
 * Decodes compressed bodies. Truncated compressed data or a wrong checksum is an error; data after the compressed part
 * is ignored, as in browsers.
 */
import zlib from 'node:zlib';
import { late } from '../../base/late.ts';
import { ByteSource } from './byte-source.ts';
import { gunzipped } from './gzip-members.ts';
import { type Decoder, decodedBy, liveOptions } from './stream-decoder.ts';

type Pieces = AsyncIterator<Uint8Array>;

type Decode = (input: ByteSource, first: Uint8Array) => AsyncGenerator<Uint8Array>;

const decoders = late(
  (): Readonly<Record<string, Decode>> => ({
    gzip: gunzipped,
    'x-gzip': gunzipped,
    deflate: (input, first) => decodedBy(isZlib(first) ? zlib.createInflate(liveOptions()) : inflateRaw(), input),
    br: (input) => decodedBy(zlib.createBrotliDecompress(), input),
    ...('createZstdDecompress' in zlib ? { zstd: (input) => decodedBy(zstdDecoder(), input) } : {}),
  }),
);

/** No legitimate server applies more codings. */
const mostCodings = 5;

/** Returns a body's codings in the order in which they were applied. */
export function codingsOf(header: string | null): readonly string[] {
  const names = (header ?? '').toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
}

/** Returns the first coding that cannot be decoded; undefined if all can be. */
export function unknownCoding(codings: readonly string[]): string | undefined {
  if (codings.length > mostCodings) return codings.join(', ').slice(0, 100);
  return codings.find((name) => !Object.hasOwn(decoders(), name));
}

/** Decodes a body. An empty body needs no decoding, because servers also name a coding for responses without a body. */
export async function* decodedPieces(body: Pieces, codings: readonly string[]): AsyncGenerator<Uint8Array> {
  const coding = codings.at(-1);
  if (coding === undefined) return yield* allOf(body);
  yield* decodedPieces(decodedOnce(body, coding), codings.slice(0, -1));
}

async function* decodedOnce(body: Pieces, coding: string): AsyncGenerator<Uint8Array> {
  const input = new ByteSource(body);
  const first = await input.next();
  if (first === undefined) return;
  input.unread(first);
  yield* decoders()[coding]?.(input, first) ?? [];
  await input.drain();
}

async function* allOf(body: Pieces): AsyncGenerator<Uint8Array> {
  for (let next = await body.next(); next.done !== true; next = await body.next()) yield next.value;
}

/** Some servers send raw deflate data under the same name as data with a zlib header. */
function isZlib([first = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && first >> 4 <= 7;
}

function inflateRaw(): Decoder {
  return zlib.createInflateRaw(liveOptions());
}

/** Available in later versions of Node. */
function zstdDecoder(): Decoder {
  return (zlib as unknown as { createZstdDecompress(): Decoder }).createZstdDecompress();
}
