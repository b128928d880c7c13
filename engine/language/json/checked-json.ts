/**
 * Validates and copies values from third-party code, which may not match their types and may be changed later. Finds
 * values that JSON cannot represent before they reach a history, and makes frozen copies that are guaranteed to be
 * JSON.
 */
import type { JsonValue } from './json-value.ts';
import { isPlain, JsonWalk, longestEscape, longestNumber, type NonJson, tooLong, type WalkKind } from './json-walk.ts';

/** Maximum string length on all supported systems, in UTF-16 units. */
const longestPossible = 2 ** 29 - 25;

/** Number of parts that can be checked within a few milliseconds. */
const mostPartsAtOnce = 10_000;

/** Number of parts of a larger value that can be checked in about a millisecond. */
const partsOfPiece = 2500;

/** A copy, or the reason why there is none. */
export type JsonCopy =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: NonJson };

/**
 * Returns the first part of a value that JSON cannot represent; undefined if there is none. Keys with an undefined
 * value are ignored. Never throws.
 * @param longest maximum size of the JSON text in UTF-8 bytes
 */
export function findNonJson(value: unknown, longest = longestPossible): NonJson | undefined {
  const checked = check(value, 'look', longest);
  return checked.ok ? undefined : checked.problem;
}

/**
 * Makes a deeply frozen copy of a value. Reads each part once, so that a getter or a proxy cannot return different
 * values. As in JSON text, keys with an undefined value are ignored, and -0 becomes 0. Never throws.
 * @param longest maximum size of the JSON text in UTF-8 bytes
 */
export function frozenCopy(value: unknown, longest = longestPossible): JsonCopy {
  const flat = flatCopy(value, longest);
  return flat === undefined ? check(value, 'copy', longest) : { ok: true, value: flat };
}

/**
 * Like `frozenCopy`, but copies a large value in chunks of about a millisecond. Returns small values synchronously.
 * @param pause called after each chunk to yield to other work; an error that it throws ends the copying and is passed
 * on
 */
export function frozenCopyInPieces(
  value: unknown,
  longest: number,
  pause: () => Promise<void>,
): JsonCopy | Promise<JsonCopy> {
  const flat = flatCopy(value, longest);
  if (flat !== undefined) return { ok: true, value: flat };
  const walk = new JsonWalk(value, 'copy', longest);
  return walk.advance(mostPartsAtOnce) && isSurelyWithin(walk, longest)
    ? outcomeOf(walk)
    : copyOnInPieces(walk, longest, pause);
}

/** Maximum number of entries in a map that is copied without a walk. */
const mostFlatParts = 16;

/**
 * Copies a small map of scalars, such as the output of most nodes and each piece of text, several times faster than the walk. Returns
 * undefined for everything else, which the walk handles, including errors.
 */
function flatCopy(value: unknown, longest: number): JsonValue | undefined {
  try {
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
      return undefined;
    const keys = Object.keys(value);
    if (keys.length > mostFlatParts) return undefined;
    const copy: Record<string, JsonValue> = {};
    let most = 2;
    for (const key of keys) {
      const part = (value as Record<string, unknown>)[key];
      if (!isSafeScalar(part) || key === '__proto__') return undefined;
      most += (key.length + (typeof part === 'string' ? part.length : 0)) * longestEscape + longestNumber;
      copy[key] = typeof part === 'number' ? part + 0 : part;
    }
    return most <= longest ? Object.freeze(copy) : undefined;
  } catch {
    // A getter or a proxy that throws.
    return undefined;
  }
}

function isSafeScalar(value: unknown): value is string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  return typeof value === 'number' && Number.isFinite(value);
}

async function copyOnInPieces(walk: JsonWalk, longest: number, pause: () => Promise<void>): Promise<JsonCopy> {
  while (!walk.advance(partsOfPiece)) await pause();
  if (isSurelyWithin(walk, longest)) return outcomeOf(walk);
  const count = countOf(walk, longest);
  while (!count.advance(partsOfPiece)) await pause();
  return outcomeOf(walk, count);
}

/**
 * Returns a lower bound for the size of a value's JSON text in bytes, which may be several times larger. Stops counting
 * at `most`.
 * @param value must be JSON
 */
export function leastBytes(value: JsonValue, most: number): number {
  const walk = new JsonWalk(value, 'look', most);
  walk.advance(Number.POSITIVE_INFINITY);
  return walk.least;
}

/**
 * Deeply freezes a value, which is JSON or a schema's result, and returns it. Objects that are already frozen are
 * assumed to be frozen throughout.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) for (const item of value) deepFreeze(item);
  else if (isPlain(value)) for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
  // Objects created by a schema are left alone.
  else return value;
  return Object.freeze(value);
}

function check(value: unknown, kind: WalkKind, longest: number): JsonCopy {
  const walk = new JsonWalk(value, kind, longest);
  walk.advance(Number.POSITIVE_INFINITY);
  if (isSurelyWithin(walk, longest)) return outcomeOf(walk);
  const count = countOf(walk, longest);
  count.advance(Number.POSITIVE_INFINITY);
  return outcomeOf(walk, count);
}

/** Returns false if only counting byte by byte can decide. */
function isSurelyWithin({ most, problem }: JsonWalk, longest: number): boolean {
  return most <= longest || problem !== undefined;
}

/** Counts without creating the text, which might use up the available memory. */
function countOf({ seen }: JsonWalk, longest: number): JsonWalk {
  return new JsonWalk(seen, 'count', longest);
}

/** @param count the byte count, if it was needed */
function outcomeOf({ problem, seen }: JsonWalk, count?: JsonWalk): JsonCopy {
  if (problem !== undefined || seen === undefined) return { ok: false, problem: problem ?? tooLong };
  return count?.problem === undefined ? { ok: true, value: seen } : { ok: false, problem: tooLong };
}
