/**
 * `aip.file` functions that work on bytes: spans and digests.
 */
import { asNumber, luaTypeOf, requiredString } from '../api-arguments.ts';
import type { LuaValue, NativeFunction } from '../api-module.ts';
import { type ByteSpan, csvRowSpans } from '../formats/csv.ts';
import { type DigestAlgorithm, type DigestEncoding, encodeBytes } from '../formats/digest.ts';
import { scriptError } from '../script-error.ts';

/** Returns each line's span without its line end. A final line end does not start another line. */
function lineSpans(bytes: Uint8Array): ByteSpan[] {
  const spans: ByteSpan[] = [];
  let start = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, start)) {
    const hasReturn = at > start && bytes[at - 1] === 13;
    spans.push({ start, end: hasReturn ? at - 1 : at });
    start = at + 1;
  }
  if (start < bytes.length) spans.push({ start, end: bytes.length });
  return spans;
}

function spans(name: string, summary: string, find: (bytes: Uint8Array) => readonly ByteSpan[]): NativeFunction {
  return {
    name,
    signature: `${name}(path: string) -> { start: integer, end: integer }[]`,
    summary,
    call: ([path], { host }) =>
      find(host('file.readBytes', { path: requiredString(path, 1) }).bytes).map((span) => ({ ...span })),
  };
}

function offset(value: LuaValue): number {
  const bytes = asNumber(value);
  if (bytes === undefined || !Number.isInteger(bytes)) {
    throw scriptError(`aip.file.read_span - start and end must be integers, but one was ${luaTypeOf(value)}`);
  }
  if (bytes < 0) throw scriptError('aip.file.read_span - read_span expects non-negative start/end offsets');
  return bytes;
}

const encodings: readonly (readonly [suffix: string, encoding: DigestEncoding, words: string])[] = [
  ['', 'hex', 'in hexadecimal'],
  ['_b64', 'b64', 'in Base64'],
  ['_b64u', 'b64u', 'in URL-safe Base64 without padding'],
  ['_b58u', 'b58', 'in Base58'],
];

const algorithms: readonly (readonly [name: DigestAlgorithm, title: string])[] = [
  ['sha256', 'SHA-256'],
  ['sha512', 'SHA-512'],
  ['blake3', 'BLAKE3'],
];

const hashMembers: readonly NativeFunction[] = algorithms.flatMap(([algorithm, title]) =>
  encodings.map(
    ([suffix, encoding, words]): NativeFunction => ({
      name: `hash_${algorithm}${suffix}`,
      signature: `hash_${algorithm}${suffix}(path: string) -> string`,
      summary: `Returns the ${title} digest of a file ${words}. The file can be of any size.`,
      call: ([path], { host }) =>
        encodeBytes(host('file.hash', { path: requiredString(path, 1), algorithm }).bytes, encoding),
    }),
  ),
);

export const fileBytesMembers: readonly NativeFunction[] = [
  spans(
    'line_spans',
    'Returns the byte offsets of each line of a file. `end` is exclusive, and line breaks are not included.',
    lineSpans,
  ),
  spans(
    'csv_row_spans',
    'Returns the byte offsets of each row of a CSV file. A line break within quotes does not end a row.',
    csvRowSpans,
  ),
  {
    name: 'read_span',
    signature: 'read_span(path: string, start: integer, end: integer) -> string',
    summary:
      'Returns the bytes of a file from `start` to `end` (exclusive) as text. Raises an error for negative or reversed offsets.',
    call: ([path, from, to], { host }) => {
      const [start, end] = [offset(from), offset(to)];
      if (end < start) throw scriptError('aip.file.read_span - read_span expects end >= start');
      return host('file.readSpan', { path: requiredString(path, 1), start, end }).text;
    },
  },
  ...hashMembers,
];
