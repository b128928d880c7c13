/**
 * Any value in one box of text: text stands as it is, everything else as JSON.
 */
import { type JsonValue, parseJson } from '../../../engine/isomorphic.ts';

/** Text that begins like a list or a map, bindings aside. */
const looksLikeJson = /^\s*(?:\[|\{(?!\{))/;

/** What a person would type for a value; text that reads like JSON gets quotes. `typedValue` gives the value back. */
export function valueText(value: JsonValue): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  const isPlain = parseJson(value) === undefined && value !== '' && !looksLikeJson.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/** JSON where it is some, else the text itself. */
export function typedValue(text: string): JsonValue {
  const parsed = parseJson(text);
  return parsed === undefined ? text : parsed;
}

/** Why text cannot be taken as it is; undefined = it can. */
export function typedProblem(text: string): string | undefined {
  if (!looksLikeJson.test(text)) return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `Not JSON yet, so it is not in the file: ${reason}. Text that begins with a bracket needs quotes.`;
  }
}
