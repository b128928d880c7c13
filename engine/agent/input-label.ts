/**
 * What an input is called for people, until its agent gives it a label.
 */
import { isJsonMap, type JsonValue } from '../flowspec/json-value.ts';

/** Characters. */
const longestLabel = 80;

const nameKeys = ['_display', 'path', 'name', 'label', '_label'];

/** Text and numbers speak for themselves, and tables by a name in them; undefined = there is none. */
export function inputLabelOf(input: JsonValue): string | undefined {
  if (typeof input === 'number' || typeof input === 'boolean') return String(input);
  const text = isJsonMap(input) ? nameIn(input) : input;
  if (typeof text !== 'string') return undefined;
  const [line = ''] = text.trim().split('\n', 1);
  if (line === '') return undefined;
  // A character may be two units of the text, which must not be torn apart.
  const start = [...line.slice(0, 2 * longestLabel + 2)];
  if (start.length <= longestLabel) return line.trimEnd();
  const kept = start.slice(0, longestLabel - 1).join('');
  return `${kept.trimEnd()}…`;
}

/** Files are shown by their path: such an input gets `_display`. Others stay as they are. */
export function withDisplay(input: JsonValue): JsonValue {
  if (!isJsonMap(input)) return input;
  const { _type: type, _display: display, path } = input;
  const isFile = type === 'FileInfo' || type === 'FileRecord';
  return isFile && display === undefined && typeof path === 'string' ? { ...input, _display: path } : input;
}

function nameIn(input: { readonly [key: string]: JsonValue }): JsonValue | undefined {
  return nameKeys.map((key) => input[key]).find((value) => typeof value === 'string');
}
