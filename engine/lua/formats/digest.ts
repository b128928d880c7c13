/**
 * Digests of bytes, written in the ways that packs use.
 */
import { createHash } from 'node:crypto';
import { blake3 } from '@noble/hashes/blake3.js';
import { encodeBase58 } from './base58.ts';

export type DigestAlgorithm = 'sha256' | 'sha512' | 'blake3';

/** `b58` is the alphabet of Bitcoin, `b64` has padding, `b64u` is safe in addresses and has none. */
export type DigestEncoding = 'hex' | 'b58' | 'b64' | 'b64u';

/** Writes bytes as text. */
export function encodeBytes(bytes: Uint8Array, encoding: DigestEncoding): string {
  if (encoding === 'b58') return encodeBase58(bytes);
  const names = { hex: 'hex', b64: 'base64', b64u: 'base64url' } as const;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(names[encoding]);
}

/** The digest of bytes: 32 of them for `sha256` and `blake3`, 64 for `sha512`. */
export function digest(bytes: Uint8Array, algorithm: DigestAlgorithm, encoding: DigestEncoding): string {
  const sum = algorithm === 'blake3' ? blake3(bytes) : createHash(algorithm).update(bytes).digest();
  return encodeBytes(sum, encoding);
}
