/**
 * Values too large to travel in events, and the hash under which the store keeps them and definitions.
 */
import { createHash } from 'node:crypto';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { ValueHandle } from '../flowspec/value-handle.ts';

/** SHA-256 of the text's UTF-8 bytes, in hex. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** JSON text of more bytes than this is stored apart. */
const largeValueBytes = 16 * 1024;

const previewChars = 200;

/** Bytes of the text in UTF-8 when they are more than `largeValueBytes`, else undefined. */
export function largeSize(jsonText: string): number | undefined {
  // One UTF-16 unit becomes at most three bytes: most values need no counting.
  if (jsonText.length * 3 <= largeValueBytes) {
    return undefined;
  }
  const bytes = Buffer.byteLength(jsonText, 'utf8');
  return bytes > largeValueBytes ? bytes : undefined;
}

/** What stands in an event for the value. */
export function handleFor(value: JsonValue, stored: { hash: string; bytes: number; jsonText: string }): ValueHandle {
  const text = typeof value === 'string' ? value : stored.jsonText;
  return {
    $value: stored.hash,
    bytes: stored.bytes,
    type: typeNameOf(value),
    // Not half a surrogate pair at the end.
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
