/**
 * Handles values that are too large for events. Like definitions, they are stored under a hash.
 */
import { createHash } from 'node:crypto';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { ValueHandle } from '../../language/json/value-handle.ts';
import type { TxDb } from './db.ts';

/** Returns the SHA-256 of the text's UTF-8 bytes, in hexadecimal. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Stores a text under its hash. */
export function keepText(db: TxDb, hash: string, text: string): void {
  db.run('INSERT INTO value (hash, text) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING', hash, text);
}

/** JSON text with more bytes than this is stored separately. */
const largeValueBytes = 16 * 1024;

const previewChars = 200;

/** Returns the UTF-8 size of the text if it exceeds `largeValueBytes`, otherwise undefined. */
export function largeSize(jsonText: string): number | undefined {
  // A UTF-16 code unit is encoded as at most three bytes, so most values do not have to be counted.
  if (jsonText.length * 3 <= largeValueBytes) {
    return undefined;
  }
  const bytes = Buffer.byteLength(jsonText, 'utf8');
  return bytes > largeValueBytes ? bytes : undefined;
}

/** Returns the handle that replaces the value in an event. */
export function handleFor(value: JsonValue, stored: { hash: string; bytes: number; jsonText: string }): ValueHandle {
  const text = typeof value === 'string' ? value : stored.jsonText;
  return {
    $value: stored.hash,
    bytes: stored.bytes,
    type: typeNameOf(value),
    // Removes half of a surrogate pair at the end.
    preview: text.slice(0, previewChars).replace(/[\uD800-\uDBFF]$/, ''),
  };
}

function typeNameOf(value: JsonValue): ValueHandle['type'] {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'array';
  }
  const name = typeof value;
  return name === 'string' || name === 'number' || name === 'boolean' ? name : 'object';
}
