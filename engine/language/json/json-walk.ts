/**
 * Walks through a value from third-party code: reads each part once, optionally copies it, measures its JSON text, and
 * can pause between parts. `checked-json.ts` interprets the result.
 */
import { toErrorRecord } from '../../base/engine-error.ts';
import { MAX_VALUE_DEPTH } from '../../base/json-limits.ts';
import type { ValuePath } from '../schema/schema-problems.ts';
import type { JsonValue } from './json-value.ts';

/** A part that JSON cannot represent or that exceeds the maximum length. */
export interface NonJson {
  /** The part's path in the value. */
  readonly path: ValuePath;
  /** `is a function, which JSON cannot represent` */
  readonly message: string;
  /** The value can be represented, but exceeds the maximum length. */
  readonly isTooLong?: true;
}

/** Reported only if nothing else is wrong. */
export const tooLong: NonJson = {
  path: [],
  message: 'exceeds the maximum length of a text, which is 512 MB',
  isTooLong: true,
};

/** Maximum number of bytes for one UTF-16 unit that must be escaped. */
export const longestEscape = 6;

/** Maximum length of a number: `-1.2345678901234567e-100`, rounded up. */
export const longestNumber = 25;

/** Number of characters that take as long to count as one part takes to read. */
const unitsPerPart = 64;

/** The kind of walk: only reads; makes a frozen copy; or reads and counts each byte of strings, which takes longer. */
export type WalkKind = 'look' | 'copy' | 'count';

const isPaused: unique symbol = Symbol('paused');

/** Represents a key with an undefined value. */
const isAbsent: unique symbol = Symbol('absent');

/** A part's result: the copy, or the part itself if no copy is made. Undefined if JSON cannot represent it. */
type VisitedPart = JsonValue | undefined | typeof isPaused;

/** A list or map in which the walk has paused. */
interface Paused {
  readonly container: object;
  /** Keys of a map. */
  readonly keys?: readonly string[];
  readonly copy: JsonValue;
  /** Index of the next part, or of the part in which the walk has also paused. */
  readonly next: number;
  /** Whether none of a map's entries has been counted yet. */
  readonly isEmpty: boolean;
}

export class JsonWalk {
  readonly #kind: WalkKind;
  readonly #longest: number;
  readonly #value: unknown;
  /** The lists and maps around the current part, outermost first. */
  readonly #around: object[] = [];
  #partsLeft = 0;
  #least = 0;
  #uncounted = 0;
  /** Where the walk has paused, innermost first. */
  #paused: Paused[] | undefined;
  /** Path of the finding, innermost segment first. */
  #path: (string | number)[] | undefined;
  #message: string | undefined;
  #seen: VisitedPart = isPaused;

  /** @param longest maximum size of the value's text in UTF-8 bytes */
  constructor(value: unknown, kind: WalkKind, longest: number) {
    this.#value = value;
    this.#kind = kind;
    this.#longest = longest;
  }

  /** Lower bound, in bytes, for the text of the parts read so far. */
  get least(): number {
    return this.#least;
  }

  /** Upper bound, in bytes. */
  get most(): number {
    return this.#least + this.#uncounted;
  }

  /** A part that JSON cannot represent, if the walk has found one; the walk ends there. */
  get problem(): NonJson | undefined {
    const isTooLong = this.#least > this.#longest;
    if (this.#message === undefined && !isTooLong) return undefined;
    const found = { path: [...(this.#path ?? [])].reverse(), message: this.#message ?? tooLong.message };
    return isTooLong ? { ...found, isTooLong } : found;
  }

  /** The copy, or the value itself if no copy is made, after the walk has ended without a problem. */
  get seen(): JsonValue | undefined {
    return this.#seen === isPaused ? undefined : this.#seen;
  }

  /** Reads approximately this many more parts. Returns true when the walk is over. */
  advance(parts: number): boolean {
    if (this.#seen !== isPaused) return true;
    this.#partsLeft = parts;
    const inside = this.#paused?.pop();
    this.#seen = inside === undefined ? this.#look(this.#value) : this.#lookInside(inside.container, inside);
    return this.#seen !== isPaused;
  }

  #look(value: unknown): VisitedPart {
    this.#partsLeft--;
    if (this.#least > this.#longest) return this.#refuse(tooLong.message);
    switch (typeof value) {
      case 'string':
        this.#countText(value);
        return value;
      case 'boolean':
        this.#least += value ? 4 : 5;
        return value;
      case 'number':
        return this.#lookAtNumber(value);
      case 'object':
        if (value !== null) return this.#lookInside(value, undefined);
        this.#least += 4;
        return null;
      case 'undefined':
        return this.#refuse('is missing');
      default:
        return this.#refuse(nonJson(`is a ${typeof value}`));
    }
  }

  #lookAtNumber(value: number): VisitedPart {
    if (!Number.isFinite(value)) return this.#refuse(nonJson(`is ${value}`));
    this.#least += this.#kind === 'count' ? String(value + 0).length : 1;
    this.#uncounted += longestNumber - 1;
    return value + 0;
  }

  /** @param paused where the walk has paused in it, to continue there */
  #lookInside(container: object, paused: Paused | undefined): VisitedPart {
    const around = this.#around;
    if (around.includes(container)) return this.#refuse(nonJson('contains itself'));
    if (around.length >= MAX_VALUE_DEPTH)
      return this.#refuse(nonJson(`is nested more than ${MAX_VALUE_DEPTH} levels deep`));
    around.push(container);
    const depth = around.length;
    try {
      if (Array.isArray(container)) return this.#lookAtList(container, paused);
      if (isPlain(container)) return this.#lookAtMap(container, paused);
      return this.#refuse(nonJson(`is an object of the class ${classNameOf(container)}`));
    } catch (thrown) {
      // A getter or a proxy that throws.
      around.length = depth;
      return this.#refuse(`cannot be read: ${toErrorRecord(thrown).message}`);
    } finally {
      around.pop();
    }
  }

  #lookAtList(items: readonly unknown[], paused: Paused | undefined): VisitedPart {
    const copy = (paused?.copy ?? []) as JsonValue[];
    if (paused === undefined) this.#least += 2;
    for (let index = paused?.next ?? 0; index < items.length; index++) {
      const item = this.#proceed() ?? this.#lookAtItem(items, index);
      if (item === undefined) return this.#refuseAt(index);
      if (item === isPaused) return this.#pause({ container: items, copy, next: index, isEmpty: false });
      if (this.#kind === 'copy') copy.push(item);
    }
    return this.#whole(items as readonly JsonValue[], copy);
  }

  #lookAtItem(items: readonly unknown[], index: number): VisitedPart {
    if (index > 0) this.#least += 1;
    return this.#look(items[index]);
  }

  #lookAtMap(map: object, paused: Paused | undefined): VisitedPart {
    const copy = (paused?.copy ?? {}) as Record<string, JsonValue>;
    const keys = paused?.keys ?? Object.keys(map);
    let isEmpty = paused?.isEmpty ?? true;
    if (paused === undefined) this.#least += 2;
    for (let index = paused?.next ?? 0; index < keys.length; index++) {
      const key = keys[index] as string;
      const item = this.#proceed() ?? this.#lookAtKey(map, key, isEmpty);
      if (item === isAbsent) continue;
      if (item === undefined) return this.#refuseAt(key);
      if (item === isPaused) return this.#pause({ container: map, keys, copy, next: index, isEmpty });
      isEmpty = false;
      if (this.#kind === 'copy') setKey(copy, key, item);
    }
    return this.#whole(map as JsonValue, copy);
  }

  #lookAtKey(map: object, key: string, isFirst: boolean): VisitedPart | typeof isAbsent {
    let value: unknown;
    try {
      value = (map as Record<string, unknown>)[key];
    } catch (thrown) {
      return this.#refuse(`cannot be read: ${toErrorRecord(thrown).message}`);
    }
    if (value === undefined) return isAbsent;
    this.#countText(key);
    // A colon, and a comma before all entries but the first.
    this.#least += isFirst ? 1 : 2;
    return this.#look(value);
  }

  #whole(container: JsonValue, copy: JsonValue): JsonValue {
    return this.#kind === 'copy' ? Object.freeze(copy) : container;
  }

  /**
   * Returns the result of the part in which the walk had paused; a pause if one is due; undefined if the next part is
   * due.
   */
  #proceed(): VisitedPart {
    if (this.#partsLeft <= 0) return isPaused;
    const inside = this.#paused?.pop();
    return inside && this.#lookInside(inside.container, inside);
  }

  #pause(paused: Paused): typeof isPaused {
    this.#paused ??= [];
    this.#paused.push(paused);
    return isPaused;
  }

  #countText(text: string): void {
    const { length } = text;
    if (length > unitsPerPart) this.#partsLeft -= Math.floor(length / unitsPerPart);
    this.#least += 2 + (this.#kind === 'count' ? bytesOf(text, this.#longest) : length);
    this.#uncounted += length * (longestEscape - 1);
  }

  #refuse(message: string): undefined {
    this.#message = message;
  }

  #refuseAt(place: string | number): undefined {
    this.#path ??= [];
    this.#path.push(place);
  }
}

function nonJson(what: string): string {
  return `${what}, which JSON cannot represent`;
}

function setKey(copy: Record<string, JsonValue>, key: string, value: JsonValue): void {
  // Assigning to this key would set the prototype instead.
  if (key === '__proto__') Object.defineProperty(copy, key, { value, enumerable: true });
  else copy[key] = value;
}

/** Whether a map is not an instance of a class. Also accepts objects from another realm, such as a sandbox. */
export function isPlain(map: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(map);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns the class name, for messages. */
function classNameOf(map: object): string {
  return typeof map.constructor === 'function' ? map.constructor.name : 'unknown';
}

/** Returns a string's number of bytes in JSON and UTF-8, without the quotes; stops counting beyond `most`. */
function bytesOf(text: string, most: number): number {
  let bytes = text.length;
  // Most strings are plain ASCII, which a regular expression detects several times faster than counting.
  const firstOdd = text.search(/[^ !#-[\]-~]/);
  for (let index = firstOdd < 0 ? text.length : firstOdd; index < text.length && bytes <= most; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) bytes += furtherBytesOf(text, index);
    else if (unit < 0x20) bytes += unit >= 8 && unit <= 13 && unit !== 11 ? 1 : 5;
    // Quotes and backslashes.
    else if (unit === 0x22 || unit === 0x5c) bytes += 1;
  }
  return bytes;
}

/** Returns the number of additional bytes, beyond the first, of a non-ASCII unit in a string. */
function furtherBytesOf(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x800) return 1;
  if (unit < 0xd800 || unit > 0xdfff) return 2;
  // The two halves of a surrogate pair take four bytes together; a lone half is escaped.
  const isPair = unit < 0xdc00 ? isLow(text.charCodeAt(index + 1)) : isHigh(text.charCodeAt(index - 1));
  return isPair ? 1 : 5;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
