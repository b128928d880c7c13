/**
 * Decodes gzip data (RFC 1952) as a series of members, each with its checksum. Node's own decoder loses the data before
 * trailing bytes.
 */
import zlib from 'node:zlib';
import type { ByteSource } from './byte-source.ts';
import { decodedBy, liveOptions } from './stream-decoder.ts';

const magic = [0x1f, 0x8b] as const;
const deflateMethod = 8;
/** Header flags: a checksum, extra fields, a file name and a comment. */
const flags = { checksum: 2, extra: 4, name: 8, comment: 16 } as const;
const trailerBytes = 8;
/** Maximum length of a file name or a comment in a header. */
const longestText = 64 * 1024;

/** Decodes all members. @throws Error with code `Z_BUF_ERROR` for truncated data, `Z_DATA_ERROR` for damaged data */
export async function* gunzipped(input: ByteSource): AsyncGenerator<Uint8Array> {
  for (let member = 0; await beginsMember(input, member); member++) {
    await readHeader(input);
    let checksum = 0;
    let size = 0;
    for await (const piece of decodedBy(zlib.createInflateRaw(liveOptions()), input)) {
      checksum = zlib.crc32(piece, checksum);
      size = (size + piece.byteLength) >>> 0;
      yield piece;
    }
    const trailer = await taken(input, trailerBytes);
    if (trailer.readUInt32LE(0) !== checksum || trailer.readUInt32LE(4) !== size) throw damaged('checksum');
  }
}

/** Any other data after the first member is ignored. */
async function beginsMember(input: ByteSource, member: number): Promise<boolean> {
  const start = await input.take(magic.length);
  const begins = magic.every((byte, index) => start[index] === byte);
  input.unread(start);
  if (begins || member > 0) return begins;
  throw start.byteLength < magic.length ? endsEarly() : damaged('header');
}

async function readHeader(input: ByteSource): Promise<void> {
  const head = await taken(input, 10);
  const flag = head[3] ?? 0;
  if (head[2] !== deflateMethod) throw damaged('header');
  if ((flag & flags.extra) !== 0) await taken(input, (await taken(input, 2)).readUInt16LE(0));
  for (const text of [flags.name, flags.comment]) if ((flag & text) !== 0) await skipText(input);
  if ((flag & flags.checksum) !== 0) await taken(input, 2);
}

async function skipText(input: ByteSource): Promise<void> {
  for (let length = 0; length <= longestText; length++) if ((await taken(input, 1))[0] === 0) return;
  throw damaged('header');
}

async function taken(input: ByteSource, count: number): Promise<Buffer> {
  const bytes = await input.take(count);
  if (bytes.byteLength < count) throw endsEarly();
  return bytes;
}

function endsEarly(): Error {
  return Object.assign(new Error('unexpected end of gzip data'), { code: 'Z_BUF_ERROR' });
}

function damaged(what: string): Error {
  return Object.assign(new Error(`incorrect gzip ${what}`), { code: 'Z_DATA_ERROR' });
}
