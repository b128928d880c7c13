/**
 * JSON inside text.
 */
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';

/** Deeper trees stay text: whoever walks through them would run out of stack. */
const maxDepth = 200;

/** True for what has parts; a type of JSON, unlike the built-in checks. */
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
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > maxDepth) return true;
  }
  return false;
}
