/**
 * Any value in a single text field: text as it is, everything else as JSON.
 */
import { type JsonValue, readExactJson, unsafeNumberMessage } from '../../../engine/isomorphic.ts';

/** Matches text that starts like a list or a map, but not like a binding. */
const looksLikeJson = /^\s*(?:\[|\{(?!\{))/;

/** Returns the text to type for a value. Text that looks like JSON is quoted. `typedValue` converts it back. */
export function valueText(value: JsonValue): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  const isPlain = readExactJson(value).kind === 'no-json' && value !== '' && !looksLikeJson.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/** Parses valid JSON, or returns the text itself. @param text a text for which `typedProblem` returns undefined */
export function typedValue(text: string): JsonValue {
  const read = readExactJson(text);
  return read.kind === 'value' ? read.value : text;
}

/** Returns why the text is rejected, or undefined if it is valid. */
export function typedProblem(text: string): string | undefined {
  const read = readExactJson(text);
  if (read.kind === 'unsafe-number') return unsafeNumberMessage('This', read.number);
  if (read.kind === 'value' || !looksLikeJson.test(text)) return undefined;
  return `Not JSON yet, so it was not taken: ${read.problem}. Text that begins with a bracket needs quotes.`;
}
