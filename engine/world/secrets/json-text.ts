/**
 * Parses JSON inside text.
 */
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';

/** Deeper trees stay text, because walking them recursively would overflow the stack. */
const maxDepth = 200;

/** Returns true for lists and maps. */
export function isTree(value: JsonValue): value is JsonMap | readonly JsonValue[] {
  return typeof value === 'object' && value !== null;
}

/** Parses text that is a list or map; undefined if it is neither or is nested too deeply. */
export function parseJsonTree(text: string): JsonMap | readonly JsonValue[] | undefined {
  if (!/^\s*[[{]/.test(text) || isDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Also counts brackets inside strings. At worst, a tree that could be parsed stays text. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at];
    if (unit === '[' || unit === '{') depth += 1;
    else if (unit === ']' || unit === '}') depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** `Array.isArray` for JSON: the built-in function does not narrow read-only lists. */
export function isJsonList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
