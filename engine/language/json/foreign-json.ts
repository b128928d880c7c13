/**
 * Parses third-party JSON: request bodies, program outputs, tool results, model responses. A number that would change
 * is kept as text, so that it does not make the other values unreadable.
 */
import { endOfString, isDeeperThan, MAX_JSON_DEPTH, tooDeepText } from '../../base/json-limits.ts';
import { pathText } from '../bindings/binding-path.ts';
import { isUnsafeNumber } from './exact-json.ts';
import type { JsonValue } from './json-value.ts';

/** Notes for people about a parsed JSON text. */
export interface JsonNotes {
  /** Paths of numbers that were kept as text; empty for the entire value. */
  readonly asText: readonly string[];
  /** Paths of duplicate keys; the last one counts. */
  readonly repeated: readonly string[];
}

export type ForeignJson =
  | { readonly kind: 'value'; readonly value: JsonValue; readonly notes?: JsonNotes }
  | { readonly kind: 'too-deep' | 'no-json'; readonly problem: string };

/**
 * Parses JSON text. Never throws.
 * @param mostDepth maximum nesting of lists and maps
 */
export function readForeignJson(text: string, mostDepth = MAX_JSON_DEPTH): ForeignJson {
  let value: JsonValue;
  // Recursive code would later run out of stack.
  if (/^\s*[[{]/.test(text) && isDeeperThan(text, mostDepth)) return { kind: 'too-deep', problem: `It ${tooDeepText}` };
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    return { kind: 'no-json', problem: error instanceof Error ? error.message : String(error) };
  }
  const isSuspicious = mayChange.test(text) || countKeys(value) !== countWrittenKeys(text);
  const found = isSuspicious ? new Scan(text).run() : undefined;
  if (found === undefined || (found.asText.length === 0 && found.repeated.length === 0))
    return { kind: 'value', value };
  const { numbers, ...notes } = found;
  return {
    kind: 'value',
    value: numbers.length === 0 ? value : (JSON.parse(quoted(text, numbers)) as JsonValue),
    notes,
  };
}

/** Returns a sentence about a duplicate key in handwritten JSON: one of the values would be lost. */
export function repeatedKeyProblem(text: string): string | undefined {
  const read = readForeignJson(text);
  const [path] = read.kind === 'value' ? (read.notes?.repeated ?? []) : [];
  return path === undefined ? undefined : `The key ${path} occurs more than once in a map. Keep one of them.`;
}

/**
 * Text without a match cannot contain a number that changes: sixteen digits, possibly with a decimal point, or a
 * three-digit exponent.
 */
const mayChange = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/**
 * Whether a JSON number would change when it is serialized again: one for which `isUnsafeNumber` is true, or a fraction
 * with too many digits.
 */
export function isChangingNumber(text: string): boolean {
  if (isUnsafeNumber(text)) return true;
  if (/^-?\d+$/.test(text)) return false;
  const digits = significantDigits(text);
  // Every number with this many digits can be represented.
  if (digits.length <= 15) return digits !== '' && Number(text) === 0;
  // It is the same when it is serialized again.
  if (significantDigits(String(Number(text))) === digits) return false;
  // More digits than can be printed are never preserved.
  return digits.length > 100 || significantDigits(Number(text).toPrecision(digits.length)) !== digits;
}

/** Returns a number's digits without leading and trailing zeros, decimal point, sign and exponent; empty for zero. */
function significantDigits(text: string): string {
  const mantissa = text.replace(/[eE].*$/, '').replace(/[-.]/g, '');
  return mantissa.replace(/^0+/, '').replace(/0+$/, '');
}

type NumberSpan = readonly [start: number, end: number];

function quoted(text: string, numbers: readonly NumberSpan[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const [start, stop] of numbers) {
    parts.push(text.slice(end, start), '"', text.slice(start, stop), '"');
    end = stop;
  }
  return parts.join('') + text.slice(end);
}

function countKeys(root: JsonValue): number {
  let count = 0;
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value) as JsonValue[];
    if (!Array.isArray(value)) count += members.length;
    for (const member of members) if (typeof member === 'object') open.push(member);
  }
  return count;
}

const afterKey = /\s*:/y;

function countWrittenKeys(text: string): number {
  let count = 0;
  for (let quote = text.indexOf('"'); quote !== -1; ) {
    const end = endOfString(text, quote + 1);
    afterKey.lastIndex = end;
    if (afterKey.test(text)) count += 1;
    quote = text.indexOf('"', end);
  }
  return count;
}

/** An open list or map, and the position of the scan in it. */
interface JsonScanLevel {
  /** A map's keys; undefined for a list. */
  readonly keys: Set<string> | undefined;
  at: string;
}

const number = /-?\d[\d.]*(?:[eE][+-]?\d+)?/y;

/** A single pass over JSON text. */
class Scan {
  readonly #text: string;
  readonly #levels: JsonScanLevel[] = [];
  readonly #asText: string[] = [];
  readonly #repeated: string[] = [];
  readonly #numbers: NumberSpan[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  run(): JsonNotes & { readonly numbers: readonly NumberSpan[] } {
    for (let at = 0; at < this.#text.length; ) at = this.#step(at);
    return { asText: this.#asText, repeated: this.#repeated, numbers: this.#numbers };
  }

  /** Returns the start of the next part. */
  #step(at: number): number {
    const level = this.#levels.at(-1);
    switch (this.#text[at]) {
      case '{':
        this.#levels.push({ keys: new Set(), at: '' });
        return at + 1;
      case '[':
        this.#levels.push({ keys: undefined, at: '0' });
        return at + 1;
      case '}':
      case ']':
        this.#levels.pop();
        return at + 1;
      case ',':
        if (level?.keys === undefined && level !== undefined) level.at = String(Number(level.at) + 1);
        return at + 1;
      case '"':
        return this.#string(at, level);
      default:
        return this.#other(at);
    }
  }

  #string(at: number, level: JsonScanLevel | undefined): number {
    const end = endOfString(this.#text, at + 1);
    afterKey.lastIndex = end;
    if (level?.keys === undefined || !afterKey.test(this.#text)) return end;
    level.at = JSON.parse(this.#text.slice(at, end)) as string;
    if (level.keys.has(level.at)) this.#repeated.push(this.#path());
    level.keys.add(level.at);
    return afterKey.lastIndex;
  }

  #other(at: number): number {
    number.lastIndex = at;
    const [found] = number.exec(this.#text) ?? [];
    if (found === undefined) return at + 1;
    if (isChangingNumber(found)) {
      this.#numbers.push([at, at + found.length]);
      this.#asText.push(this.#path());
    }
    return at + found.length;
  }

  #path(): string {
    return pathText(this.#levels.map(({ at }) => at));
  }
}

const mostNamed = 5;

/** Returns warnings for display. @param what the subject, such as `The answer` */
export function jsonWarningTexts(what: string, { asText, repeated }: JsonNotes): readonly string[] {
  const texts = `${what} contains numbers that cannot be represented exactly, so they become text: ${named(asText)}. Compare them and pass them on as text.`;
  const keys = `${what} contains keys that occur more than once in a map: ${named(repeated)}. The last value is used.`;
  return [...(asText.length === 0 ? [] : [texts]), ...(repeated.length === 0 ? [] : [keys])];
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, mostNamed).map((path) => (path === '' ? 'the whole value' : path));
  return paths.length > mostNamed ? `${shown.join(', ')} and ${paths.length - mostNamed} more` : shown.join(', ');
}
