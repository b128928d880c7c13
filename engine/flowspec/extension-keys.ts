/**
 * Keys that begin with `x-` are notes for other programs: allowed wherever the format names its keys, read by nobody.
 */
import { isJsonList, isJsonMap, type JsonValue } from './json-value.ts';

/** Below these keys a file may hold what it likes, so an `x-` key there is an ordinary one. */
const freeKeys: ReadonlySet<string> = new Set(['input', 'config', 'layout', 'value']);

/** A flow document without its `x-` keys; the same document when it has none. */
export function withoutExtensionKeys(value: JsonValue): JsonValue {
  return holdsExtensionKey(value) ? removeExtensionKeys(value) : value;
}

function holdsExtensionKey(value: JsonValue): boolean {
  if (isJsonList(value)) return value.some(holdsExtensionKey);
  if (!isJsonMap(value)) return false;
  for (const key in value) {
    if (key.startsWith('x-')) return true;
    if (!freeKeys.has(key) && holdsExtensionKey(value[key] ?? null)) return true;
  }
  return false;
}

function removeExtensionKeys(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(removeExtensionKeys);
  if (!isJsonMap(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !key.startsWith('x-'));
  return Object.fromEntries(kept.map(([key, item]) => [key, freeKeys.has(key) ? item : removeExtensionKeys(item)]));
}
