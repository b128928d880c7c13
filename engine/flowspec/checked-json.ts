/**
 * What somebody else's code gives is not always what its types promise, and it may change it later: what there is in a value
 * that JSON could not hold, found before a history breaks on it, and copies that are JSON for sure and that nobody can change.
 */
import type { JsonValue } from './json-value.ts';
import { isPlain, JsonWalk, longestEscape, longestNumber, type NonJson, tooLong, type WalkKind } from './json-walk.ts';

/** The longest text that there can be on any of the machines that the program runs on, in UTF-16 units. */
const longestPossible = 2 ** 29 - 25;

/** A value of so many parts is looked at within a few milliseconds. */
const mostPartsAtOnce = 10_000;

/** Parts of a larger value that are looked at within about a millisecond. */
const partsOfPiece = 2500;

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
  const checked = check(value, 'look', longest);
  return checked.ok ? undefined : checked.problem;
}

/**
 * Copies a value, frozen at every depth. Each part of it is looked at once, so that a getter or a proxy cannot say one thing here
 * and another one later. A key whose value is undefined counts as absent, and -0 as 0, as in JSON text. Never throws.
 * @param longest how many bytes the value's text may have in UTF-8
 */
export function frozenCopy(value: unknown, longest = longestPossible): JsonCopy {
  const flat = flatCopy(value, longest);
  return flat === undefined ? check(value, 'copy', longest) : { ok: true, value: flat };
}

/**
 * As `frozenCopy`, and a large value is copied in pieces of about a millisecond. Small ones are there at once.
 * @param pause called after each piece, to give others a turn when it is time; what it throws ends the copying, and is thrown on
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

/** The parts of a map that are copied without a walk. */
const mostFlatParts = 16;

/**
 * Copies a small map of scalars, such as the output of most nodes and each piece of text, several times as fast as the walk.
 * Undefined for everything else, which is left to the walk with all that may be wrong with it.
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
    // A getter, or a proxy, that fails.
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
 * At least so many bytes has the JSON text of a value, which may be several times as long; counting ends at `most`.
 * @param value known to be JSON
 */
export function leastBytes(value: JsonValue, most: number): number {
  const walk = new JsonWalk(value, 'look', most);
  walk.advance(Number.POSITIVE_INFINITY);
  return walk.least;
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

function check(value: unknown, kind: WalkKind, longest: number): JsonCopy {
  const walk = new JsonWalk(value, kind, longest);
  walk.advance(Number.POSITIVE_INFINITY);
  if (isSurelyWithin(walk, longest)) return outcomeOf(walk);
  const count = countOf(walk, longest);
  count.advance(Number.POSITIVE_INFINITY);
  return outcomeOf(walk, count);
}

/** False where only counting byte by byte can tell. */
function isSurelyWithin({ most, problem }: JsonWalk, longest: number): boolean {
  return most <= longest || problem !== undefined;
}

/** The text itself is not written out for that: it may be as long as all that there is room for. */
function countOf({ seen }: JsonWalk, longest: number): JsonWalk {
  return new JsonWalk(seen, 'count', longest);
}

/** @param count of the bytes, where that was needed */
function outcomeOf({ problem, seen }: JsonWalk, count?: JsonWalk): JsonCopy {
  if (problem !== undefined || seen === undefined) return { ok: false, problem: problem ?? tooLong };
  return count?.problem === undefined ? { ok: true, value: seen } : { ok: false, problem: tooLong };
}
