/**
 * Content addresses: the hash under which the store keeps definitions and large values.
 */
import { createHash } from 'node:crypto';

/** SHA-256 of the text's UTF-8 bytes, in hex. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
