/**
 * When two requests are the same.
 */
import { createHash } from 'node:crypto';
import type { JsonValue } from '../flowspec/json-value.ts';
import { isTree } from './json-text.ts';

/** SHA-256 in hex of kind and request; the order of keys does not count. */
export function requestKey(kind: string, request: JsonValue): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, sorted(request)]))
    .digest('hex');
}

function sorted(value: JsonValue): JsonValue {
  if (!isTree(value)) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries: [string, JsonValue][] = Object.entries(value);
  // Pairs, because a map would put keys that look like numbers first, and lose the difference to a list of pairs.
  return { map: entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]) };
}
