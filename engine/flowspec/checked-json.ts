/**
 * What somebody else's code gives is not always what its types promise, and it may change it later: what there is in a value
 * that JSON could not hold, found before a history breaks on it, and copies that are JSON for sure and that nobody can change.
 */
import { toErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from './json-value.ts';
import type { ValuePath } from './schema-problems.ts';

/** What JSON cannot hold, or not in the length that is allowed. */
export interface NonJson {
  /** Where it stands in the value. */
  readonly path: ValuePath;
  /** `is a function, which JSON cannot hold` */
  readonly message: string;
  /** It could be held, but is longer than was allowed. */
  readonly isTooLong?: true;
}

/** Deeper values would exhaust the stack of whoever walks through them. */
const maxDepth = 1000;

/** The longest text that there can be on any of the machines that the program runs on, in UTF-16 units. */
const longestPossible = 2 ** 29 - 25;

/** One UTF-16 unit becomes at most so many bytes, when it has to be escaped. */
const longestEscape = 6;

/** A copy, or why there is none. */
export type JsonCopy =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: NonJson };

/**
 * The first part of a value that JSON cannot hold; undefined when it holds all of it. A key whose value is undefined counts
 * as absent. Never throws.
 * @param longest how many bytes the value's text may have in UTF-8
 */
export function findNonJson(value: unknown, longest = longestPossible): NonJson | undefined {
  const checked = check(value, longest, false);
  return checked.ok ? undefined : checked.problem;
}

/**
 * Copies a value, frozen at every depth. Each part of it is looked at once, so that a getter or a proxy cannot say one thing here
 * and another one later. A key whose value is undefined counts as absent, and -0 as 0, as in JSON text. Never throws.
 * @param longest how many bytes the value's text may have in UTF-8
 */
export function frozenCopy(value: unknown, longest = longestPossible): JsonCopy {
  return check(value, longest, true);
}

/**
 * At least so many bytes has the JSON text of a value, which may be six times as long; counting ends at `most`.
 * @param value known to be JSON
 */
export function leastBytes(value: JsonValue, most: number): number {
  const search: Search = { unitsLeft: most, copies: false, around: [], path: [], message: undefined };
  look(value, search);
  return most - search.unitsLeft;
}

/**
 * Freezes a value that is JSON, or made of it by a schema, at every depth, and gives it back. What is frozen already counts as
 * frozen throughout.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) for (const item of value) deepFreeze(item);
  else if (isPlain(value)) for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
  // What a schema has made of it is its own affair.
  else return value;
  return Object.freeze(value);
}

interface Search {
  unitsLeft: number;
  /** Whether what is looked at is copied. */
  readonly copies: boolean;
  /** The lists and maps around the present place, from the outside in. */
  readonly around: object[];
  /** Of what was found, from the inside out. */
  readonly path: (string | number)[];
  message: string | undefined;
}

function check(value: unknown, longest: number, copies: boolean): JsonCopy {
  const search: Search = { unitsLeft: longest, copies, around: [], path: [], message: undefined };
  const seen = look(value, search);
  if (seen === undefined) return refusal(search);
  const units = longest - search.unitsLeft;
  // Only now and then it has to be written out to know how long it is.
  return units * longestEscape > longest && !canBeWritten(seen, longest)
    ? { ok: false, problem: tooLong }
    : { ok: true, value: seen };
}

const missing = 'is missing';

function refusal({ path, message = missing, unitsLeft }: Search): JsonCopy {
  const place = { path: path.reverse(), message };
  return { ok: false, problem: unitsLeft < 0 ? { ...place, isTooLong: true } : place };
}

/** The copy, or the value itself where none is wanted. Undefined where JSON cannot hold it; the search then says why. */
function look(value: unknown, search: Search): JsonValue | undefined {
  search.unitsLeft -= typeof value === 'string' ? value.length + 2 : 1;
  if (search.unitsLeft < 0) return refuse(search, tooLong.message);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value + 0 : refuse(search, nonJson(`is ${value}`));
    case 'object':
      return value === null ? null : lookInside(value, search);
    case 'undefined':
      return refuse(search, missing);
    default:
      return refuse(search, nonJson(`is a ${typeof value}`));
  }
}

function lookInside(container: object, search: Search): JsonValue | undefined {
  const { around } = search;
  if (around.includes(container)) return refuse(search, nonJson('holds itself'));
  if (around.length >= maxDepth) return refuse(search, nonJson(`is more than ${maxDepth} lists and maps deep`));
  around.push(container);
  const depth = around.length;
  try {
    return Array.isArray(container) ? lookAtList(container, search) : lookAtMap(container, search);
  } catch (thrown) {
    // A getter, or a proxy, that fails.
    around.length = depth;
    return refuse(search, `cannot be read: ${toErrorRecord(thrown).message}`);
  } finally {
    around.pop();
  }
}

function lookAtList(items: readonly unknown[], search: Search): JsonValue | undefined {
  const copy: JsonValue[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = look(items[index], search);
    if (item === undefined) return refuseAt(search, index);
    if (search.copies) copy.push(item);
  }
  return search.copies ? Object.freeze(copy) : (items as readonly JsonValue[]);
}

function lookAtMap(map: object, search: Search): JsonValue | undefined {
  if (!isPlain(map)) return refuse(search, nonJson(`is an object of the class ${classNameOf(map)}`));
  const copy: Record<string, JsonValue> = {};
  for (const key of Object.keys(map)) {
    const item = readKey(map, key, search);
    if (search.message !== undefined) return refuseAt(search, key);
    search.unitsLeft -= key.length + 3;
    if (item === undefined) continue;
    const seen = look(item, search);
    if (seen === undefined) return refuseAt(search, key);
    if (search.copies) setKey(copy, key, seen);
  }
  return search.copies ? Object.freeze(copy) : (map as JsonValue);
}

function setKey(copy: Record<string, JsonValue>, key: string, value: JsonValue): void {
  // Assigning to this key would set the prototype instead.
  if (key === '__proto__') Object.defineProperty(copy, key, { value, enumerable: true });
  else copy[key] = value;
}

/** Where it cannot be read, the search says why. */
function readKey(map: object, key: string, search: Search): unknown {
  try {
    return (map as Record<string, unknown>)[key];
  } catch (thrown) {
    search.message = `cannot be read: ${toErrorRecord(thrown).message}`;
    return undefined;
  }
}

function refuse(search: Search, message: string): undefined {
  search.message = message;
}

function refuseAt(search: Search, place: string | number): undefined {
  search.path.push(place);
}

function nonJson(what: string): string {
  return `${what}, which JSON cannot hold`;
}

/** Found where nothing else is wrong. */
const tooLong: NonJson = {
  path: [],
  message: 'is longer than any text can be, which is 512 MB',
  isTooLong: true,
};

/** Whether a map is no object of a class. Also an object of another realm, such as one that a sandbox has made. */
function isPlain(map: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(map);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** For messages. */
function classNameOf(map: object): string {
  return typeof map.constructor === 'function' ? map.constructor.name : 'unknown';
}

/** Whether the JSON text of a value has at most so many bytes. */
function canBeWritten(value: unknown, longest: number): boolean {
  try {
    return isWithin(JSON.stringify(value), longest);
  } catch {
    return false;
  }
}

/** Whether a text has at most so many bytes in UTF-8. */
function isWithin(text: string, most: number): boolean {
  let left = most - text.length;
  // Most text needs no counting: it is short enough whatever it holds, or holds nothing but ASCII.
  if (left < 0 || left >= 2 * text.length || !/[^\0-\x7f]/.test(text)) return left >= 0;
  for (let index = 0; index < text.length && left >= 0; index++) {
    const unit = text.charCodeAt(index);
    // Each half of a pair stands for two of its four bytes.
    if (unit > 0x7f) left -= unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return left >= 0;
}
