/**
 * Computes digests of bytes in the encodings that packs use.
 */
import { createHash } from 'node:crypto';
import { blake3 } from '@noble/hashes/blake3.js';

/** Base58 with the Bitcoin alphabet, without `0`, `O`, `I` and `l`. Each leading zero byte becomes a `1`. */
const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/**
 * Encodes bytes in Base58. Intended for digests and ids, because the time grows with the square of the
 * length.
 */
function encodeBase58(bytes: Uint8Array): string {
  const digits: number[] = [];
  for (const byte of bytes) {
    let carry = byte;
    for (const [at, digit] of digits.entries()) {
      carry += digit * 256;
      digits[at] = carry % 58;
      carry = Math.floor(carry / 58);
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58);
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const ones = '1'.repeat(zeros === -1 ? bytes.length : zeros);
  return (
    ones +
    digits
      .reverse()
      .map((digit) => base58Alphabet[digit])
      .join('')
  );
}

export type DigestAlgorithm = 'sha256' | 'sha512' | 'blake3';

/** `b58` uses the Bitcoin alphabet, `b64` has padding, and `b64u` is URL-safe without padding. */
export type DigestEncoding = 'hex' | 'b58' | 'b64' | 'b64u';

/** Encodes bytes as text. */
export function encodeBytes(bytes: Uint8Array, encoding: DigestEncoding): string {
  if (encoding === 'b58') return encodeBase58(bytes);
  const names = { hex: 'hex', b64: 'base64', b64u: 'base64url' } as const;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(names[encoding]);
}

/** Returns the digest of bytes: 32 bytes for `sha256` and `blake3`, 64 for `sha512`. */
export function digest(bytes: Uint8Array, algorithm: DigestAlgorithm, encoding: DigestEncoding): string {
  const sum = algorithm === 'blake3' ? blake3(bytes) : createHash(algorithm).update(bytes).digest();
  return encodeBytes(sum, encoding);
}
