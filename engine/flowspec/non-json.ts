/**
 * What somebody else's code gives is not always what its types promise: finding what JSON could not hold, before a
 * history breaks on it.
 */
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
export const maxDepth = 1000;

/** The longest text that there can be on any of the machines that the program runs on, in UTF-16 units. */
export const longestPossible = 2 ** 29 - 25;

/** One UTF-16 unit becomes at most so many bytes, when it has to be escaped. */
export const longestEscape = 6;

/**
 * The first part of a value that JSON cannot hold; undefined when it holds all of it. A key whose value is undefined counts
 * as absent.
 * @param longest how many bytes the value's text may have in UTF-8
 */
export function findNonJson(value: unknown, longest = longestPossible): NonJson | undefined {
  const search: Search = { unitsLeft: longest, around: [] };
  const found = searchIn(value, search);
  if (found !== undefined) return found;
  const units = longest - search.unitsLeft;
  // Only now and then it has to be written out to know how long it is.
  return units * longestEscape > longest && !canBeWritten(value, longest) ? tooLong : undefined;
}

/**
 * At least so many bytes has the JSON text of a value, which may be six times as long; counting ends at `most`.
 * @param value known to be JSON
 */
export function leastBytes(value: JsonValue, most: number): number {
  const search: Search = { unitsLeft: most, around: [] };
  searchIn(value, search);
  return most - search.unitsLeft;
}

interface Search {
  unitsLeft: number;
  /** The lists and maps around the present place, from the outside in. */
  readonly around: object[];
}

/** Found where nothing else is wrong. */
export const tooLong: NonJson = {
  path: [],
  message: 'is longer than any text can be, which is 512 MB',
  isTooLong: true,
};

function searchIn(value: unknown, search: Search): NonJson | undefined {
  search.unitsLeft -= typeof value === 'string' ? value.length + 2 : 1;
  if (search.unitsLeft < 0) return tooLong;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : nonJson(`is ${value}`);
    case 'object':
      return value === null ? undefined : searchInside(value, search);
    case 'undefined':
      return { path: [], message: 'is missing' };
    default:
      return nonJson(`is a ${typeof value}`);
  }
}

function searchInside(container: object, search: Search): NonJson | undefined {
  const { around } = search;
  if (around.includes(container)) return nonJson('holds itself');
  if (around.length >= maxDepth) return nonJson(`is more than ${maxDepth} lists and maps deep`);
  around.push(container);
  const found = Array.isArray(container) ? searchList(container, search) : searchMap(container, search);
  around.pop();
  return found;
}

function searchList(items: readonly unknown[], search: Search): NonJson | undefined {
  for (let index = 0; index < items.length; index++) {
    const found = searchIn(items[index], search);
    if (found !== undefined) return { ...found, path: [index, ...found.path] };
  }
  return undefined;
}

function searchMap(map: object, search: Search): NonJson | undefined {
  if (!isPlain(map)) return nonJson(`is an object of the class ${classNameOf(map)}`);
  for (const key in map) {
    // What is plain has its keys from itself.
    const item = (map as Record<string, unknown>)[key];
    search.unitsLeft -= key.length + 3;
    if (item === undefined) continue;
    const found = searchIn(item, search);
    if (found !== undefined) return { ...found, path: [key, ...found.path] };
  }
  return undefined;
}

/** Whether a map is no object of a class. Also an object of another realm, such as one that a sandbox has made. */
export function isPlain(map: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(map);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** For messages. */
export function classNameOf(map: object): string {
  return typeof map.constructor === 'function' ? map.constructor.name : 'unknown';
}

/** Whether the JSON text of a value has at most so many bytes. */
export function canBeWritten(value: unknown, longest: number): boolean {
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

function nonJson(what: string): NonJson {
  return { path: [], message: `${what}, which JSON cannot hold` };
}
