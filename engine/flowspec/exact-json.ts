/**
 * JSON text → value, without a number that changes on the way. JSON's numbers may be written with any number of digits, and ours are
 * those of JavaScript, which keep whole numbers up to 2^53 and round beyond. This file alone decides which texts of numbers
 * cannot be kept.
 */
import { EngineError } from '../base/engine-error.ts';
import { endOfString, isDeeperThan, MAX_JSON_DEPTH, tooDeepText } from '../base/json-limits.ts';
import type { JsonValue } from './json-value.ts';

/** The code of the error for a number that would not stay what it is, wherever it was found. */
export const unsafeNumberCode = 'json.unsafe-number';

/**
 * Whether a number's text would be another number, were it read and written again: a whole number that is rounded, or any that
 * is taken for infinite. Fractions are rounded by their nature, so their last digits do not count.
 * @param text as JSON writes numbers
 */
export function isUnsafeNumber(text: string): boolean {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return false;
  return /^-?\d+$/.test(text) ? !keepsText(value, text) : !Number.isFinite(value);
}

/** Whether a whole number beyond 2^53 is one of those that are not rounded: it is written again as it was. */
export function isExactInteger(value: bigint): boolean {
  return keepsText(Number(value), String(value));
}

function keepsText(value: number, text: string): boolean {
  return String(value) === text;
}

/**
 * Says where such a number stands and how to mend it.
 * @param where the subject of a sentence, for example `--input-file in.json`
 * @param mend what to do, when the number cannot be written as a text there
 */
export function unsafeNumberMessage(where: string, text: string, mend?: string): string {
  const number = shortened(text);
  const reason = Number.isFinite(Number(text)) ? 'would be rounded' : 'is too large';
  return `${where} holds the number ${number}, which ${reason} here. ${mend ?? `Write it as a text, in quotes: "${number}".`}`;
}

function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}

/** The error with the words of `unsafeNumberMessage`. */
export function unsafeNumberError(where: string, text: string, mend?: string): EngineError {
  return new EngineError({
    code: unsafeNumberCode,
    message: unsafeNumberMessage(where, text, mend),
    details: { number: shortened(text) },
  });
}

/** No text without a match has an unsafe number: sixteen digits in a row, or an exponent of three. */
const suspicious = /\d{16}|\d[eE]\+?\d{3}/;
const numbers = /-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/**
 * The first number of a JSON text that cannot be kept; undefined when there is none.
 * @param text JSON; of any other text some number may be found
 */
export function findUnsafeNumber(text: string): string | undefined {
  if (!suspicious.test(text)) return undefined;
  for (let start = 0; start < text.length; ) {
    const quote = text.indexOf('"', start);
    const between = text.slice(start, quote === -1 ? text.length : quote);
    // Most texts that look suspicious have their digits in strings.
    if (suspicious.test(between)) {
      for (const [number] of between.matchAll(numbers)) if (isUnsafeNumber(number)) return number;
    }
    if (quote === -1) return undefined;
    start = endOfString(text, quote + 1);
  }
  return undefined;
}

/** The code of the error for JSON that is nested too deeply, wherever it was found. */
const tooDeepCode = 'json.too-deep';

/** @param where the subject of a sentence, for example `--input-file in.json` */
export function tooDeepError(where: string): EngineError {
  return new EngineError({
    code: tooDeepCode,
    message: `${where} ${tooDeepText}. Nest lists and objects less deeply, or pass the text as a string.`,
  });
}

/** What a text is: a JSON value; JSON with a number that cannot be kept, or nested too deeply; or none, with what the parser says. */
export type ExactJson =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'unsafe-number'; readonly number: string }
  | { readonly kind: 'too-deep'; readonly problem: string }
  | { readonly kind: 'no-json'; readonly problem: string };

/** Reads JSON text. Never throws. */
export function readExactJson(text: string): ExactJson {
  let value: JsonValue;
  // Parsing it takes long, and what walks through the value later would run out of stack.
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

/** The value of JSON text; undefined when it is none, is nested too deeply, or holds a number that cannot be kept. */
export function parseJson(text: string): JsonValue | undefined {
  const read = readExactJson(text);
  return read.kind === 'value' ? read.value : undefined;
}
