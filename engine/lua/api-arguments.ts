/**
 * What functions of `aip.*` make of their arguments, and how they refuse them.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import type { LuaValue } from './api-module.ts';
import { scriptError } from './script-error.ts';

/** What Lua calls the type of a value. */
export function luaTypeOf(value: LuaValue): string {
  if (value === undefined) return 'nil';
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'object' ? 'table' : typeof value;
}

/** Whether a value is nil, or the `null` that stands for it within tables. */
export function isNil(value: LuaValue): value is undefined | null {
  return value === undefined || value === null;
}

/** A table with names; an empty table counts as one. Undefined for a list and for whatever is no table. */
export function asMap(value: LuaValue): JsonMap | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return value as JsonMap;
  return value.length === 0 ? {} : undefined;
}

/**
 * A string that must be there; a number becomes its text, as everywhere in Lua.
 * @param position of the argument, from 1
 */
export function requiredString(value: LuaValue, position: number): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
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
  if (!Array.isArray(value)) throw scriptError(`${name} - Expected a string or a list of strings`);
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
  if (isJsonList(value)) return value;
  if (!isJsonMap(value)) return undefined;
  const items: LuaValue[] = [];
  for (let at = 1; Object.hasOwn(value, String(at)); at++) items.push(value[String(at)]);
  return items;
}

/**
 * A table of named options; nil and the empty table are none.
 * @param functionName as scripts call it, for example `aip.csv.parse`
 * @throws EngineError `lua.refused-argument` for anything else
 */
export function optionsTable(functionName: string, value: LuaValue): JsonMap {
  if (isJsonMap(value)) return value;
  if (isNil(value) || (isJsonList(value) && value.length === 0)) return {};
  throw scriptError(`${functionName} - the options must be a table with names, but were ${luaTypeOf(value)}`);
}

/** True when the options ask for the rest of the text beside what is extracted: `extrude = "content"`. */
export function wantsRest(functionName: string, options: JsonMap): boolean {
  const extrude = options['extrude'];
  if (isNil(extrude)) return false;
  if (extrude === 'content') return true;
  throw scriptError(`${functionName} - the option 'extrude' can only be "content"`);
}

/** The value with `{}` for each empty table, as wherever tables become JSON other than by `aip.json`. */
export function withEmptyMaps(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? {} : value.map(withEmptyMaps);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withEmptyMaps(entry)]));
}
