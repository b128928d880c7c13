/**
 * Lua numbers: 64-bit integers and floats, which are different types even if their values are equal. Numbers that a
 * JavaScript number cannot distinguish have their own types here.
 */
import { isExactInteger } from '../../language/json/exact-json.ts';

/** A float without a fraction, such as 3.0. For plain numbers see `isPlainInteger`. */
export class LuaFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  /** Returns the notation used in JSON, TOML and YAML: `3.0`, `1e300`. */
  toString(): string {
    if (Object.is(this.value, -0)) return '-0.0';
    if (Math.abs(this.value) < 1e16) return `${this.value}.0`;
    return this.value.toExponential().replace('+', '');
  }

  /** `JSON.stringify` has no notation that distinguishes this float from an integer; use `jsonText`. */
  toJSON(): never {
    throw new TypeError('A float cannot be written by JSON.stringify');
  }
}

/** A number of any Lua type. An integer that would be rounded as a plain number is a bigint. */
export type LuaNumber = number | bigint | LuaFloat;

/** Whether a value is a Lua number. */
export function isLuaNumber(value: unknown): value is LuaNumber {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof LuaFloat;
}

/** Returns the JavaScript number nearest to a Lua number. */
export function nearestNumber(number: LuaNumber): number {
  return number instanceof LuaFloat ? number.value : Number(number);
}

/** Converts a number to a Lua float. Infinities and NaN stay plain numbers. */
export function luaFloat(value: number): number | LuaFloat {
  return Number.isInteger(value) ? new LuaFloat(value) : value;
}

/** Whether a plain number is an integer in Lua: its decimal text is a 64-bit integer. All others are floats. */
export function isPlainInteger(value: number): boolean {
  if (Number.isSafeInteger(value)) return !Object.is(value, -0);
  return Math.abs(value) < 2 ** 63 && Number.isInteger(value) && isExactInteger(BigInt(value));
}

/**
 * Converts a bigint to an integer. Returns undefined for more than 64 bits, unless a float has exactly the same value
 * and text.
 */
export function luaInteger(value: bigint): number | bigint | undefined {
  if (isExactInteger(value)) return Number(value);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Replaces all floats in a value with plain numbers, for consumers with a single number type. */
export function withPlainFloats(value: unknown): unknown {
  if (value instanceof LuaFloat) return value.value;
  if (Array.isArray(value)) return value.map(withPlainFloats);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPlainFloats(item)]));
}
