/**
 * What functions of `aip.*` make of their arguments, and how they refuse them.
 */
import { unsafeNumberError } from '../flowspec/exact-json.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { LuaData, LuaMap, LuaValue } from './api-module.ts';
import { isLuaNumber, LuaFloat, nearestNumber } from './lua-number.ts';
import { scriptError } from './script-error.ts';

/** What Lua calls the type of a value. */
export function luaTypeOf(value: LuaValue): string {
  if (value === undefined) return 'nil';
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (value instanceof LuaFloat) return 'number';
  return typeof value === 'object' ? 'table' : typeof value;
}

/** Whether a value is nil, or the `null` that stands for it within tables. */
export function isNil(value: LuaValue): value is undefined | null {
  return value === undefined || value === null;
}

/** True for a list, also for the empty table. */
export function isLuaList(value: LuaValue): value is readonly LuaData[] {
  return Array.isArray(value);
}

/** True for a table with names. */
export function isLuaMap(value: LuaValue): value is LuaMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LuaFloat);
}

/** A table with names; an empty table counts as one. Undefined for a list and for whatever is no table. */
export function asMap(value: LuaValue): LuaMap | undefined {
  if (isLuaMap(value)) return value;
  return isLuaList(value) && value.length === 0 ? {} : undefined;
}

/** The number that is nearest to a value of Lua; undefined when that is no number. */
export function asNumber(value: LuaValue): number | undefined {
  return isLuaNumber(value) ? nearestNumber(value) : undefined;
}

/**
 * A string that must be there; a number becomes its text, as everywhere in Lua.
 * @param position of the argument, from 1
 */
export function requiredString(value: LuaValue, position: number): string {
  if (typeof value === 'string') return value;
  if (isLuaNumber(value)) return String(value);
  throw scriptError(
    `bad argument #${position}: error converting Lua ${luaTypeOf(value)} to String (expected string or number)`,
  );
}

/**
 * A string, or undefined for nil.
 * @param name of the function, for example `aip.web.parse_url`
 */
export function optionalString(value: LuaValue, name: string): string | undefined {
  if (typeof value === 'string') return value;
  if (isNil(value)) return undefined;
  throw scriptError(`${name} - accepted argument types are String or Nil, but was ${luaTypeOf(value)}`);
}

/**
 * A string, or a list of strings.
 * @param name of the function, for the error
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
 * The items 1, 2, 3 … of a table, up to the first that is missing, as `ipairs` gives them; undefined when the value is no
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
 * A table of named options; nil and the empty table are none.
 * @param functionName as scripts call it, for example `aip.csv.parse`
 * @throws EngineError `lua.refused-argument` for anything else
 */
export function optionsTable(functionName: string, value: LuaValue): LuaMap {
  if (isLuaMap(value)) return value;
  if (isNil(value) || (isLuaList(value) && value.length === 0)) return {};
  throw scriptError(`${functionName} - the options must be a table with names, but were ${luaTypeOf(value)}`);
}

/** True when the options ask for the rest of the text beside what is extracted: `extrude = "content"`. */
export function wantsRest(functionName: string, options: LuaMap): boolean {
  const extrude = options['extrude'];
  if (isNil(extrude)) return false;
  if (extrude === 'content') return true;
  throw scriptError(`${functionName} - the option 'extrude' can only be "content"`);
}

/** The value with `{}` for each empty table, as wherever tables become JSON other than by `aip.json`. */
export function withEmptyMaps(value: LuaData): LuaData {
  if (isLuaList(value)) return value.length === 0 ? {} : value.map(withEmptyMaps);
  if (!isLuaMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withEmptyMaps(entry)]));
}

/**
 * A value for the engine, which has the numbers of JSON: a float without a fraction becomes a whole number.
 * @param place where the value stands, for the error
 * @throws EngineError `json.unsafe-number` for an integer that would be rounded
 */
export function asJson(value: LuaData, place: string): JsonValue {
  if (typeof value === 'bigint') throw unsafeNumberError(place, String(value), passAsText);
  if (isLuaNumber(value)) return nearestNumber(value);
  if (isLuaList(value)) return value.map((item, at) => asJson(item, `${place}[${at + 1}]`));
  if (!isLuaMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asJson(item, `${place}.${key}`)]));
}

/** What a script can do about an integer that the engine would round. */
export const passAsText = 'Pass it on as text: tostring(value).';
