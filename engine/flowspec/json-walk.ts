/**
 * The one walk through a value of somebody else's: looks at each part once, copies it where that is asked, counts how long its
 * text is, and can pause between two parts. What is said of a value is in `checked-json.ts`.
 */
import { toErrorRecord } from '../base/engine-error.ts';
import { MAX_VALUE_DEPTH } from '../base/json-limits.ts';
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

/** Found where nothing else is wrong. */
export const tooLong: NonJson = {
  path: [],
  message: 'is longer than any text can be, which is 512 MB',
  isTooLong: true,
};

/** One UTF-16 unit becomes at most so many bytes, when it has to be escaped. */
export const longestEscape = 6;

/** The longest text of a number: `-1.2345678901234567e-100`, rounded up. */
export const longestNumber = 25;

/** So many characters take about as long to be counted as one part takes to be looked at. */
const unitsPerPart = 64;

/**
 * How a value is looked at: as it is; while a frozen copy is made; or as it is, and each byte of texts is counted, which takes longer.
 */
export type WalkKind = 'look' | 'copy' | 'count';

const isPaused: unique symbol = Symbol('paused');

/** A key whose value is undefined. */
const isAbsent: unique symbol = Symbol('absent');

/** What came of a part: the copy, or the part itself where none is made. Undefined where JSON cannot hold it. */
type Seen = JsonValue | undefined | typeof isPaused;

/** A list or map that the walk has paused in. */
interface Paused {
  readonly container: object;
  /** Of a map. */
  readonly keys?: readonly string[];
  readonly copy: JsonValue;
  /** Of the part that comes next, or in which the walk has paused as well. */
  readonly next: number;
  /** Whether none of a map's parts has counted yet. */
  readonly isEmpty: boolean;
}

export class JsonWalk {
  readonly #kind: WalkKind;
  readonly #longest: number;
  readonly #value: unknown;
  /** The lists and maps around the present place, from the outside in. */
  readonly #around: object[] = [];
  #partsLeft = 0;
  #least = 0;
  #uncounted = 0;
  /** Where the walk has paused, from the inside out. */
  #paused: Paused[] | undefined;
  /** Of what was found, from the inside out. */
  #path: (string | number)[] | undefined;
  #message: string | undefined;
  #seen: Seen = isPaused;

  /** @param longest how many bytes the value's text may have in UTF-8 */
  constructor(value: unknown, kind: WalkKind, longest: number) {
    this.#value = value;
    this.#kind = kind;
    this.#longest = longest;
  }

  /** Bytes that the text of what was looked at has at least. */
  get least(): number {
    return this.#least;
  }

  /** Bytes that it has at most. */
  get most(): number {
    return this.#least + this.#uncounted;
  }

  /** What JSON cannot hold, when the walk has come upon it; it ends there. */
  get problem(): NonJson | undefined {
    const isTooLong = this.#least > this.#longest;
    if (this.#message === undefined && !isTooLong) return undefined;
    const found = { path: [...(this.#path ?? [])].reverse(), message: this.#message ?? tooLong.message };
    return isTooLong ? { ...found, isTooLong } : found;
  }

  /** The copy, or the value itself where none is made, when the walk has come to its end without a problem. */
  get seen(): JsonValue | undefined {
    return this.#seen === isPaused ? undefined : this.#seen;
  }

  /** Looks at about so many further parts. True when the walk is over. */
  advance(parts: number): boolean {
    if (this.#seen !== isPaused) return true;
    this.#partsLeft = parts;
    const inside = this.#paused?.pop();
    this.#seen = inside === undefined ? this.#look(this.#value) : this.#lookInside(inside.container, inside);
    return this.#seen !== isPaused;
  }

  #look(value: unknown): Seen {
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

  #lookAtNumber(value: number): Seen {
    if (!Number.isFinite(value)) return this.#refuse(nonJson(`is ${value}`));
    this.#least += this.#kind === 'count' ? String(value + 0).length : 1;
    this.#uncounted += longestNumber - 1;
    return value + 0;
  }

  /** @param paused where the walk has paused in it, to go on there */
  #lookInside(container: object, paused: Paused | undefined): Seen {
    const around = this.#around;
    if (around.includes(container)) return this.#refuse(nonJson('holds itself'));
    if (around.length >= MAX_VALUE_DEPTH)
      return this.#refuse(nonJson(`is more than ${MAX_VALUE_DEPTH} lists and maps deep`));
    around.push(container);
    const depth = around.length;
    try {
      if (Array.isArray(container)) return this.#lookAtList(container, paused);
      if (isPlain(container)) return this.#lookAtMap(container, paused);
      return this.#refuse(nonJson(`is an object of the class ${classNameOf(container)}`));
    } catch (thrown) {
      // A getter, or a proxy, that fails.
      around.length = depth;
      return this.#refuse(`cannot be read: ${toErrorRecord(thrown).message}`);
    } finally {
      around.pop();
    }
  }

  #lookAtList(items: readonly unknown[], paused: Paused | undefined): Seen {
    const copy = (paused?.copy ?? []) as JsonValue[];
    if (paused === undefined) this.#least += 2;
    for (let index = paused?.next ?? 0; index < items.length; index++) {
      const item = this.#goOn() ?? this.#lookAtItem(items, index);
      if (item === undefined) return this.#refuseAt(index);
      if (item === isPaused) return this.#pause({ container: items, copy, next: index, isEmpty: false });
      if (this.#kind === 'copy') copy.push(item);
    }
    return this.#whole(items as readonly JsonValue[], copy);
  }

  #lookAtItem(items: readonly unknown[], index: number): Seen {
    if (index > 0) this.#least += 1;
    return this.#look(items[index]);
  }

  #lookAtMap(map: object, paused: Paused | undefined): Seen {
    const copy = (paused?.copy ?? {}) as Record<string, JsonValue>;
    const keys = paused?.keys ?? Object.keys(map);
    let isEmpty = paused?.isEmpty ?? true;
    if (paused === undefined) this.#least += 2;
    for (let index = paused?.next ?? 0; index < keys.length; index++) {
      const key = keys[index] as string;
      const item = this.#goOn() ?? this.#lookAtKey(map, key, isEmpty);
      if (item === isAbsent) continue;
      if (item === undefined) return this.#refuseAt(key);
      if (item === isPaused) return this.#pause({ container: map, keys, copy, next: index, isEmpty });
      isEmpty = false;
      if (this.#kind === 'copy') setKey(copy, key, item);
    }
    return this.#whole(map as JsonValue, copy);
  }

  #lookAtKey(map: object, key: string, isFirst: boolean): Seen | typeof isAbsent {
    let value: unknown;
    try {
      value = (map as Record<string, unknown>)[key];
    } catch (thrown) {
      return this.#refuse(`cannot be read: ${toErrorRecord(thrown).message}`);
    }
    if (value === undefined) return isAbsent;
    this.#countText(key);
    // A colon, and a comma before all but the first.
    this.#least += isFirst ? 1 : 2;
    return this.#look(value);
  }

  #whole(container: JsonValue, copy: JsonValue): JsonValue {
    return this.#kind === 'copy' ? Object.freeze(copy) : container;
  }

  /** What came of the part in which the walk had paused; a pause when it is time for one; undefined when the next part comes. */
  #goOn(): Seen {
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
  return `${what}, which JSON cannot hold`;
}

function setKey(copy: Record<string, JsonValue>, key: string, value: JsonValue): void {
  // Assigning to this key would set the prototype instead.
  if (key === '__proto__') Object.defineProperty(copy, key, { value, enumerable: true });
  else copy[key] = value;
}

/** Whether a map is no object of a class. Also an object of another realm, such as one that a sandbox has made. */
export function isPlain(map: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(map);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** For messages. */
function classNameOf(map: object): string {
  return typeof map.constructor === 'function' ? map.constructor.name : 'unknown';
}

/** How many bytes a text has in JSON and UTF-8, without the quotes; counting ends beyond `most`. */
function bytesOf(text: string, most: number): number {
  let bytes = text.length;
  // Most texts are found to be plain several times as fast as they are counted.
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

/** What the unit of a text that stands there, and is not ASCII, takes beyond one byte. */
function furtherBytesOf(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x800) return 1;
  if (unit < 0xd800 || unit > 0xdfff) return 2;
  // Both halves of a pair take four bytes together; one without the other is escaped.
  const isPair = unit < 0xdc00 ? isLow(text.charCodeAt(index + 1)) : isHigh(text.charCodeAt(index - 1));
  return isPair ? 1 : 5;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
