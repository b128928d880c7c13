/**
 * `aip.hash`: hashes of text.
 */
import { requiredString } from '../api-arguments.ts';
import type { ApiModule, NativeFunction } from '../api-module.ts';
import { type DigestAlgorithm, type DigestEncoding, digest } from '../formats/digest.ts';

const algorithms: Readonly<Record<DigestAlgorithm, string>> = {
  sha256: 'SHA-256',
  sha512: 'SHA-512',
  blake3: 'BLAKE3 (32 bytes)',
};

const encodings: Readonly<Record<DigestEncoding, string>> = {
  hex: 'hexadecimal digits',
  b58: 'Base58',
  b64: 'Base64',
  b64u: 'URL-safe Base64 without padding',
};

function hashFunction(algorithm: DigestAlgorithm, encoding: DigestEncoding): NativeFunction {
  const name = encoding === 'hex' ? algorithm : `${algorithm}_${encoding}`;
  return {
    name,
    signature: `${name}(text: string) -> string`,
    summary: `Returns the ${algorithms[algorithm]} digest of a string in UTF-8, as ${encodings[encoding]}.`,
    call: ([text]) => digest(new TextEncoder().encode(requiredString(text, 1)), algorithm, encoding),
  };
}

export const hashApi: ApiModule = {
  name: 'hash',
  summary: 'Calculates digests of strings. For files, use `aip.file.hash_*`.',
  members: (Object.keys(algorithms) as DigestAlgorithm[]).flatMap((algorithm) =>
    (Object.keys(encodings) as DigestEncoding[]).map((encoding) => hashFunction(algorithm, encoding)),
  ),
};
