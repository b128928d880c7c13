/**
 * JSON inside text.
 */
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';

/** Deeper trees stay text: whoever walks through them would run out of stack. */
const maxDepth = 200;

/** True for what has parts. */
export function isTree(value: JsonValue): value is JsonMap | readonly JsonValue[] {
  return typeof value === 'object' && value !== null;
}

/** The list or map that the text is; undefined when it is none, or a very deep one. */
export function parseJsonTree(text: string): JsonMap | readonly JsonValue[] | undefined {
  if (!/^\s*[[{]/.test(text) || isDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts brackets inside strings too: that can only keep a tree as text that might have been read. */
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

/** `Array.isArray` for JSON: the built-in one does not narrow read-only lists. */
export function isJsonList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
