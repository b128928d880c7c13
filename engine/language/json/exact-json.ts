/**
 * Parses JSON and rejects numbers that would change. JSON allows any number of digits, but JavaScript numbers represent
 * integers exactly only up to 2^53. Only this file decides which numbers cannot be represented.
 */
import { EngineError } from '../../base/engine-error.ts';
import { endOfString, isDeeperThan, MAX_JSON_DEPTH, tooDeepText } from '../../base/json-limits.ts';
import type { JsonValue } from './json-value.ts';

/** Error code for a number that would change, wherever it was found. */
export const unsafeNumberCode = 'json.unsafe-number';

/**
 * Whether a number would change when parsed and serialized again: an integer that is rounded, or a number that becomes
 * infinite. Fractions are always rounded, so their last digits do not count.
 * @param text a number in JSON notation
 */
export function isUnsafeNumber(text: string): boolean {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return false;
  return /^-?\d+$/.test(text) ? !keepsText(value, text) : !Number.isFinite(value);
}

/** Whether an integer beyond 2^53 is one of those that are not rounded. */
export function isExactInteger(value: bigint): boolean {
  return keepsText(Number(value), String(value));
}

function keepsText(value: number, text: string): boolean {
  return String(value) === text;
}

/**
 * Returns a message that contains the location of the number and a fix.
 * @param where the subject of a sentence, for example `--input-file in.json`
 * @param mend what to do if the number cannot be written as text there
 */
export function unsafeNumberMessage(where: string, text: string, mend?: string): string {
  const number = shortened(text);
  const reason = Number.isFinite(Number(text)) ? 'would be rounded' : 'is too large';
  return `${where} contains the number ${number}, which ${reason}. ${mend ?? `Write it as text, in quotes: "${number}".`}`;
}

function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}

/** Creates the error with the text of `unsafeNumberMessage`. */
export function unsafeNumberError(where: string, text: string, mend?: string): EngineError {
  return new EngineError({
    code: unsafeNumberCode,
    message: unsafeNumberMessage(where, text, mend),
    details: { number: shortened(text) },
  });
}

/** Text without a match cannot contain an unsafe number: sixteen digits in a row, or a three-digit exponent. */
const suspicious = /\d{16}|\d[eE]\+?\d{3}/;
const numbers = /-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/**
 * Returns the first number of a JSON text that cannot be represented; undefined if there is none.
 * @param text JSON; for other text, the result may be any number in it
 */
export function findUnsafeNumber(text: string): string | undefined {
  if (!suspicious.test(text)) return undefined;
  for (let start = 0; start < text.length; ) {
    const quote = text.indexOf('"', start);
    const between = text.slice(start, quote === -1 ? text.length : quote);
    // Most matching text has these digits in strings.
    if (suspicious.test(between)) {
      for (const [number] of between.matchAll(numbers)) if (isUnsafeNumber(number)) return number;
    }
    if (quote === -1) return undefined;
    start = endOfString(text, quote + 1);
  }
  return undefined;
}

/** Error code for JSON that is nested too deeply, wherever it was found. */
const tooDeepCode = 'json.too-deep';

/** @param where the subject of a sentence, for example `--input-file in.json` */
export function tooDeepError(where: string): EngineError {
  return new EngineError({
    code: tooDeepCode,
    message: `${where} ${tooDeepText}. Nest lists and objects less deeply, or pass the text as a string.`,
  });
}

/**
 * The result of parsing: a JSON value; JSON with a number that cannot be represented, or nested too deeply; or a syntax
 * error with the parser's message.
 */
export type ExactJson =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'unsafe-number'; readonly number: string }
  | { readonly kind: 'too-deep'; readonly problem: string }
  | { readonly kind: 'no-json'; readonly problem: string };

/** Parsing this would take long, and recursive code would later run out of stack. */
export function readExactJson(text: string): ExactJson {
  let value: JsonValue;
  // Parsing it takes long, and recursive code would later run out of stack.
  if (/^\s*[[{]/.test(text) && isDeeperThan(text, MAX_JSON_DEPTH))
    return { kind: 'too-deep', problem: `It ${tooDeepText}` };
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    return { kind: 'no-json', problem: error instanceof Error ? error.message : String(error) };
  }
  const number = findUnsafeNumber(text);
  return number === undefined ? { kind: 'value', value } : { kind: 'unsafe-number', number };
}

/**
 * Returns the value of JSON text; undefined if it is invalid, is nested too deeply, or contains a number that cannot be
 * represented.
 */
export function parseJson(text: string): JsonValue | undefined {
  const read = readExactJson(text);
  return read.kind === 'value' ? read.value : undefined;
}
