/**
 * Any value in a single text field: text as it is, everything else as JSON.
 */
import { type JsonValue, readExactJson, unsafeNumberMessage } from '../../../engine/isomorphic.ts';
import { text } from './text.ts';

/** Matches text that starts like a list or a map, but not like a binding. */
const looksLikeJson = /^\s*(?:\[|\{(?!\{))/;

/** Returns the text to type for a value. Text that looks like JSON is quoted. `typedValue` converts it back. */
export function valueText(value: JsonValue): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  const isPlain = readExactJson(value).kind === 'no-json' && value !== '' && !looksLikeJson.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/** Parses valid JSON, or returns the text itself. @param typed a text for which `typedProblem` returns undefined */
export function typedValue(typed: string): JsonValue {
  const read = readExactJson(typed);
  return read.kind === 'value' ? read.value : typed;
}

/** Returns why the text is rejected, or undefined if it is valid. */
export function typedProblem(typed: string): string | undefined {
  const read = readExactJson(typed);
  if (read.kind === 'unsafe-number') return unsafeNumberMessage('This', read.number);
  if (read.kind === 'value' || !looksLikeJson.test(typed)) return undefined;
  return text.value.invalidJson({ problem: read.problem });
}
