/**
 * Default input labels, used until the agent sets a label.
 */
import { isJsonMap, type JsonValue } from '../../language/json/json-value.ts';

/** Maximum label length in characters. */
const longestLabel = 80;

const nameKeys = ['_display', 'path', 'name', 'label', '_label'];

/** Returns text and numbers unchanged, or the name in a table; undefined if there is none. */
export function inputLabelOf(input: JsonValue): string | undefined {
  if (typeof input === 'number' || typeof input === 'boolean') return String(input);
  const text = isJsonMap(input) ? nameIn(input) : input;
  if (typeof text !== 'string') return undefined;
  const [line = ''] = text.trim().split('\n', 1);
  if (line === '') return undefined;
  // A character may consist of two UTF-16 units that must not be split.
  const start = [...line.slice(0, 2 * longestLabel + 2)];
  if (start.length <= longestLabel) return line.trimEnd();
  const kept = start.slice(0, longestLabel - 1).join('');
  return `${kept.trimEnd()}…`;
}

/** Adds `_display`, the path, to inputs that are files. Returns other inputs unchanged. */
export function withDisplay(input: JsonValue): JsonValue {
  if (!isJsonMap(input)) return input;
  const { _type: type, _display: display, path } = input;
  const isFile = type === 'FileInfo' || type === 'FileRecord';
  return isFile && display === undefined && typeof path === 'string' ? { ...input, _display: path } : input;
}

function nameIn(input: { readonly [key: string]: JsonValue }): JsonValue | undefined {
  return nameKeys.map((key) => input[key]).find((value) => typeof value === 'string');
}
