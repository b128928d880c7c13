/**
 * `aip.uuid`: new UUIDs, and the time of given ones.
 */
import { optionalString } from '../api-arguments.ts';
import type { ApiModule, NativeFunction } from '../api-module.ts';
import { type DigestEncoding, encodeBytes } from '../formats/digest.ts';
import { type UuidOrder, uuidText, uuidTimeMs, uuidV4, uuidV7 } from '../formats/uuid.ts';

const order: UuidOrder = { ms: 0, count: 0 };

const versions = {
  v4: { make: uuidV4, text: 'version 4 (random)' },
  v7: { make: () => uuidV7(Date.now(), order), text: 'version 7 (in the order of time)' },
};

const encodings: readonly (readonly [DigestEncoding, string])[] = [
  ['b64', 'base 64'],
  ['b64u', 'base 64 for addresses, without padding'],
  ['b58', 'base 58'],
];

function plain(name: string, version: keyof typeof versions): NativeFunction {
  return {
    name,
    signature: `${name}() -> string`,
    summary: `A new UUID of ${versions[version].text}, in small letters with hyphens.`,
    call: () => uuidText(versions[version].make()),
  };
}

function encoded(version: keyof typeof versions): NativeFunction[] {
  return encodings.map(([encoding, words]) => ({
    name: `new_${version}_${encoding}`,
    signature: `new_${version}_${encoding}() -> string`,
    summary: `The bytes of a new UUID of ${versions[version].text}, in ${words}.`,
    call: () => encodeBytes(versions[version].make(), encoding),
  }));
}

export const uuidApi: ApiModule = {
  name: 'uuid',
  summary: 'Makes UUIDs.',
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
        'When a UUID of version 1, 6 or 7 was made, in milliseconds since 1970. Nil for nil, for other versions and for what is no UUID.',
      call: ([text]) => {
        const uuid = optionalString(text, 'aip.uuid.to_time_epoch_ms');
        return uuid === undefined ? undefined : uuidTimeMs(uuid);
      },
    },
  ],
};
