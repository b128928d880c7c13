/**
 * Converts and checks the arguments of `aip.*` functions.
 */
import { unsafeNumberError } from '../../language/json/exact-json.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { LuaData, LuaMap, LuaValue } from './api-module.ts';
import { isLuaNumber, LuaFloat, nearestNumber } from './lua-number.ts';
import { scriptError } from './script-error.ts';

/** Returns a value's Lua type name. */
export function luaTypeOf(value: LuaValue): string {
  if (value === undefined) return 'nil';
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (value instanceof LuaFloat) return 'number';
  return typeof value === 'object' ? 'table' : typeof value;
}

/** Whether a value is nil or the `null` sentinel that represents nil in tables. */
export function isNil(value: LuaValue): value is undefined | null {
  return value === undefined || value === null;
}

/** Whether a value is a list, including the empty table. */
export function isLuaList(value: LuaValue): value is readonly LuaData[] {
  return Array.isArray(value);
}

/** Whether a value is a table with string keys. */
export function isLuaMap(value: LuaValue): value is LuaMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LuaFloat);
}

/**
 * Returns a table with string keys; an empty table counts as one. Returns undefined for lists and for values that are
 * not tables.
 */
export function asMap(value: LuaValue): LuaMap | undefined {
  if (isLuaMap(value)) return value;
  return isLuaList(value) && value.length === 0 ? {} : undefined;
}

/** Converts a Lua value to the nearest number; undefined if it is not a number. */
export function asNumber(value: LuaValue): number | undefined {
  return isLuaNumber(value) ? nearestNumber(value) : undefined;
}

/**
 * Returns a required string argument. A number is converted to text, as is usual in Lua.
 * @param position argument position, from 1
 */
export function requiredString(value: LuaValue, position: number): string {
  if (typeof value === 'string') return value;
  if (isLuaNumber(value)) return String(value);
  throw scriptError(
    `bad argument #${position}: error converting Lua ${luaTypeOf(value)} to String (expected string or number)`,
  );
}

/**
 * Returns a string, or undefined for nil.
 * @param name function name, for example `aip.web.parse_url`
 */
export function optionalString(value: LuaValue, name: string): string | undefined {
  if (typeof value === 'string') return value;
  if (isNil(value)) return undefined;
  throw scriptError(`${name} - accepted argument types are String or Nil, but was ${luaTypeOf(value)}`);
}

/**
 * Returns a string or a list of strings as a list.
 * @param name function name, for the error
 */
export function stringList(value: LuaValue, name: string): readonly string[] {
  if (typeof value === 'string') return [value];
  if (!isLuaList(value)) throw scriptError(`${name} - Expected a string or a list of strings`);
  return value.map((item) => {
    if (typeof item !== 'string') throw scriptError(`${name} - Table contains non-string values`);
    return item;
  });
}

/**
 * Returns the items 1, 2, 3 … of a table up to the first missing one, like `ipairs`; undefined if the value is not a
 * table.
 */
export function luaSequence(value: LuaValue): readonly LuaValue[] | undefined {
  if (isLuaList(value)) return value;
  if (!isLuaMap(value)) return undefined;
  const items: LuaValue[] = [];
  for (let at = 1; Object.hasOwn(value, String(at)); at++) items.push(value[String(at)]);
  return items;
}

/**
 * Returns a table of named options. Nil and the empty table mean no options.
 * @param functionName as scripts call it, for example `aip.csv.parse`
 * @throws EngineError `lua.refused-argument` for any other value
 */
export function optionsTable(functionName: string, value: LuaValue): LuaMap {
  if (isLuaMap(value)) return value;
  if (isNil(value) || (isLuaList(value) && value.length === 0)) return {};
  throw scriptError(`${functionName} - the options must be a table with string keys, but were ${luaTypeOf(value)}`);
}

/** Whether the options request the remaining text in addition to what is extracted: `extrude = "content"`. */
export function wantsRest(functionName: string, options: LuaMap): boolean {
  const extrude = options['extrude'];
  if (isNil(extrude)) return false;
  if (extrude === 'content') return true;
  throw scriptError(`${functionName} - the option 'extrude' can only be "content"`);
}

/** Replaces each empty table with `{}`, the rule for converting tables to JSON everywhere except in `aip.json`. */
export function withEmptyMaps(value: LuaData): LuaData {
  if (isLuaList(value)) return value.length === 0 ? {} : value.map(withEmptyMaps);
  if (!isLuaMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withEmptyMaps(entry)]));
}

/**
 * Converts a value to the JSON numbers of the engine: a float without a fraction becomes an integer.
 * @param place the value's position, for the error
 * @throws EngineError `json.unsafe-number` for an integer that would be rounded
 */
export function asJson(value: LuaData, place: string): JsonValue {
  if (typeof value === 'bigint') throw unsafeNumberError(place, String(value), passAsText);
  if (isLuaNumber(value)) return nearestNumber(value);
  if (isLuaList(value)) return value.map((item, at) => asJson(item, `${place}[${at + 1}]`));
  if (!isLuaMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asJson(item, `${place}.${key}`)]));
}

/** Advice to scripts about an integer that the engine would round. */
export const passAsText = 'Pass it as text: tostring(value).';
