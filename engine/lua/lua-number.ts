/**
 * Numbers as Lua has them: integers of 64 bits and floats, which differ even where they have the same size. Those that a number
 * of JavaScript would not keep apart are values of their own here.
 */
import { isExactInteger } from '../flowspec/exact-json.ts';

/** A float without a fraction, such as 3.0; for a plain number see `isPlainInteger`. */
export class LuaFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  /** As JSON, TOML and YAML write it: `3.0`, `1e300`. */
  toString(): string {
    if (Object.is(this.value, -0)) return '-0.0';
    if (Math.abs(this.value) < 1e16) return `${this.value}.0`;
    return this.value.toExponential().replace('+', '');
  }

  /** What has no number like it cannot be written by `JSON.stringify`; see `jsonText`. */
  toJSON(): never {
    throw new TypeError('A float cannot be written by JSON.stringify');
  }
}

/** An integer that would be rounded as a plain number is a bigint. */
export type LuaNumber = number | bigint | LuaFloat;

/** Whether a value is a number of Lua. */
export function isLuaNumber(value: unknown): value is LuaNumber {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof LuaFloat;
}

/** The number of JavaScript that is nearest to a number of Lua. */
export function nearestNumber(number: LuaNumber): number {
  return number instanceof LuaFloat ? number.value : Number(number);
}

/** A float, whole or not. Infinities and NaN stay plain numbers. */
export function luaFloat(value: number): number | LuaFloat {
  return Number.isInteger(value) ? new LuaFloat(value) : value;
}

/** Whether a plain number is an integer in Lua: its text is that of one of 64 bits. All others are floats. */
export function isPlainInteger(value: number): boolean {
  if (Number.isSafeInteger(value)) return !Object.is(value, -0);
  return Math.abs(value) < 2 ** 63 && Number.isInteger(value) && isExactInteger(BigInt(value));
}

/** An integer; undefined for one of more than 64 bits, unless a float has exactly its size and text. */
export function luaInteger(value: bigint): number | bigint | undefined {
  if (isExactInteger(value)) return Number(value);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** A value with plain numbers for all floats, for those who know one kind of number. */
export function withPlainFloats(value: unknown): unknown {
  if (value instanceof LuaFloat) return value.value;
  if (Array.isArray(value)) return value.map(withPlainFloats);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPlainFloats(item)]));
}
