/**
 * Any value in one box of text: text stands as it is, everything else as JSON.
 */
import { type JsonValue, readExactJson, unsafeNumberMessage } from '../../../engine/isomorphic.ts';

/** Text that begins like a list or a map, bindings aside. */
const looksLikeJson = /^\s*(?:\[|\{(?!\{))/;

/** What a person would type for a value; text that reads like JSON gets quotes. `typedValue` gives the value back. */
export function valueText(value: JsonValue): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  const isPlain = readExactJson(value).kind === 'no-json' && value !== '' && !looksLikeJson.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/** JSON where it is some, else the text itself. @param text without a `typedProblem` */
export function typedValue(text: string): JsonValue {
  const read = readExactJson(text);
  return read.kind === 'value' ? read.value : text;
}

/** Why text cannot be taken as it is; undefined = it can. */
export function typedProblem(text: string): string | undefined {
  const read = readExactJson(text);
  if (read.kind === 'unsafe-number') return unsafeNumberMessage('This', read.number);
  if (read.kind === 'value' || !looksLikeJson.test(text)) return undefined;
  return `Not JSON yet, so it was not taken: ${read.problem}. Text that begins with a bracket needs quotes.`;
}
