/**
 * What somebody else's code gives is not always what its types promise, and it may change it later: a copy that is JSON for
 * sure and that nobody can change, or what there is in it that JSON could not hold.
 */
import { toErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from './json-value.ts';
import {
  canBeWritten,
  classNameOf,
  isPlain,
  longestEscape,
  longestPossible,
  maxDepth,
  type NonJson,
  tooLong,
} from './non-json.ts';

/** A copy, or why there is none. */
export type JsonCopy =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: NonJson };

/**
 * Copies a value, frozen at every depth. Each part of it is looked at once, so that a getter or a proxy cannot say one thing here
 * and another one later. A key whose value is undefined counts as absent, and -0 as 0, as in JSON text. Never throws.
 * @param longest how many bytes the value's text may have in UTF-8
 */
export function frozenCopy(value: unknown, longest = longestPossible): JsonCopy {
  const search: Search = { unitsLeft: longest, around: [], path: [], message: undefined };
  const copy = copyOf(value, search);
  if (copy === undefined) return refusal(search);
  const units = longest - search.unitsLeft;
  // Only now and then it has to be written out to know how long it is.
  return units * longestEscape > longest && !canBeWritten(copy, longest)
    ? { ok: false, problem: tooLong }
    : { ok: true, value: copy };
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
  /** The lists and maps around the present place, from the outside in. */
  readonly around: object[];
  /** Of what was found, from the inside out. */
  readonly path: (string | number)[];
  message: string | undefined;
}

const missing = 'is missing';

function refusal({ path, message = missing, unitsLeft }: Search): JsonCopy {
  const place = { path: path.reverse(), message };
  return { ok: false, problem: unitsLeft < 0 ? { ...place, isTooLong: true } : place };
}

/** Undefined where JSON cannot hold it; the search then says why. */
function copyOf(value: unknown, search: Search): JsonValue | undefined {
  search.unitsLeft -= typeof value === 'string' ? value.length + 2 : 1;
  if (search.unitsLeft < 0) return refuse(search, tooLong.message);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value + 0 : refuse(search, nonJson(`is ${value}`));
    case 'object':
      return value === null ? null : copyInside(value, search);
    case 'undefined':
      return refuse(search, missing);
    default:
      return refuse(search, nonJson(`is a ${typeof value}`));
  }
}

function copyInside(container: object, search: Search): JsonValue | undefined {
  const { around } = search;
  if (around.includes(container)) return refuse(search, nonJson('holds itself'));
  if (around.length >= maxDepth) return refuse(search, nonJson(`is more than ${maxDepth} lists and maps deep`));
  around.push(container);
  const depth = around.length;
  try {
    return Array.isArray(container) ? copyOfList(container, search) : copyOfMap(container, search);
  } catch (thrown) {
    // A getter, or a proxy, that fails.
    around.length = depth;
    return refuse(search, `cannot be read: ${toErrorRecord(thrown).message}`);
  } finally {
    around.pop();
  }
}

function copyOfList(items: readonly unknown[], search: Search): JsonValue | undefined {
  const copy: JsonValue[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = copyOf(items[index], search);
    if (item === undefined) return refuseAt(search, index);
    copy.push(item);
  }
  return Object.freeze(copy);
}

function copyOfMap(map: object, search: Search): JsonValue | undefined {
  if (!isPlain(map)) return refuse(search, nonJson(`is an object of the class ${classNameOf(map)}`));
  const copy: Record<string, JsonValue> = {};
  for (const key of Object.keys(map)) {
    const item = readKey(map, key, search);
    if (item === undefined) return refuseAt(search, key);
    search.unitsLeft -= key.length + 3;
    if (item.value === undefined) continue;
    const copied = copyOf(item.value, search);
    if (copied === undefined) return refuseAt(search, key);
    // Assigning to this key would set the prototype instead.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: copied, enumerable: true });
    else copy[key] = copied;
  }
  return Object.freeze(copy);
}

/** Undefined when it cannot be read. */
function readKey(map: object, key: string, search: Search): { readonly value: unknown } | undefined {
  try {
    return { value: (map as Record<string, unknown>)[key] };
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
