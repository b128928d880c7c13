/**
 * `aip.uuid`: creates UUIDs and reads their time.
 */
import { randomBytes } from 'node:crypto';
import { optionalString } from '../api-arguments.ts';
import type { ApiModule, NativeFunction } from '../api-module.ts';
import { type DigestEncoding, encodeBytes } from '../formats/digest.ts';

/** Largest value of the twelve bits after the time. */
const maxCount = 0xfff;

/** Start of the time in versions 1 and 6, October 15, 1582, relative to 1970 in units of 100 ns. */
const gregorianStart = 0x01b21dd213814000n;

/** The lower bound for the next UUID of version 7. */
interface UuidOrder {
  ms: number;
  count: number;
}

function marked(bytes: Uint8Array, version: number): Uint8Array {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}

/** Returns the 16 random bytes of a version 4 UUID. */
export function uuidV4(): Uint8Array {
  return marked(randomBytes(16), 4);
}

/**
 * Returns the 16 bytes of a UUID of version 7, greater than all earlier ones with the same order.
 * @param nowMs milliseconds since 1970
 * @param order updated by the call
 */
export function uuidV7(nowMs: number, order: UuidOrder): Uint8Array {
  const bytes = new Uint8Array(randomBytes(16));
  if (nowMs > order.ms) {
    order.ms = nowMs;
    // The upper half of the range is left free for further UUIDs in the same millisecond.
    order.count = new DataView(bytes.buffer).getUint16(6) & (maxCount >> 1);
  } else if (order.count < maxCount) order.count++;
  else {
    order.ms++;
    order.count = 0;
  }
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(order.ms / 0x10000));
  view.setUint16(4, order.ms % 0x10000);
  view.setUint16(6, order.count);
  return marked(bytes, 7);
}

/** Formats a UUID in lowercase with hyphens. */
export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Returns the time at which a UUID was created, in milliseconds since 1970.
 * @param text with or without hyphens, in braces, or with the prefix `urn:uuid:`
 * @returns undefined if it is not a UUID or its version contains no time
 */
export function uuidTimeMs(text: string): number | undefined {
  const plain = text.replace(/^urn:uuid:/, '').replace(/^\{(.*)\}$/, '$1');
  if (!/^(?:[\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.test(plain)) return undefined;
  const hex = plain.replaceAll('-', '');
  if (hex[12] === '7') return Number.parseInt(hex.slice(0, 12), 16);
  if (hex[12] === '1') return gregorianMs(`${hex.slice(13, 16)}${hex.slice(8, 12)}${hex.slice(0, 8)}`);
  if (hex[12] === '6') return gregorianMs(`${hex.slice(0, 12)}${hex.slice(13, 16)}`);
  return undefined;
}

function gregorianMs(hex: string): number {
  return Number((BigInt(`0x${hex}`) - gregorianStart) / 10_000n);
}

const order: UuidOrder = { ms: 0, count: 0 };

const versions = {
  v4: { make: uuidV4, text: 'version 4 (random)' },
  v7: { make: () => uuidV7(Date.now(), order), text: 'version 7 (ordered by time)' },
};

const encodings: readonly (readonly [DigestEncoding, string])[] = [
  ['b64', 'Base64'],
  ['b64u', 'URL-safe Base64 without padding'],
  ['b58', 'Base58'],
];

function plain(name: string, version: keyof typeof versions): NativeFunction {
  return {
    name,
    signature: `${name}() -> string`,
    summary: `Returns a new UUID of ${versions[version].text}, in lowercase with hyphens.`,
    call: () => uuidText(versions[version].make()),
  };
}

function encoded(version: keyof typeof versions): NativeFunction[] {
  return encodings.map(([encoding, words]) => ({
    name: `new_${version}_${encoding}`,
    signature: `new_${version}_${encoding}() -> string`,
    summary: `Returns the bytes of a new UUID of ${versions[version].text}, as ${words}.`,
    call: () => encodeBytes(versions[version].make(), encoding),
  }));
}

export const uuidApi: ApiModule = {
  name: 'uuid',
  summary: 'Generates UUIDs.',
  members: [
    plain('new', 'v4'),
    plain('new_v4', 'v4'),
    plain('new_v7', 'v7'),
    ...encoded('v4'),
    ...encoded('v7'),
    {
      name: 'to_time_epoch_ms',
      signature: 'to_time_epoch_ms(uuid: string | nil) -> integer | nil',
      summary:
        'Returns the creation time of a UUID of version 1, 6 or 7, in milliseconds since 1970. Returns nil for nil, for other versions, and if the value is not a UUID.',
      call: ([text]) => {
        const uuid = optionalString(text, 'aip.uuid.to_time_epoch_ms');
        return uuid === undefined ? undefined : uuidTimeMs(uuid);
      },
    },
  ],
};
