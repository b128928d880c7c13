/**
 * Tables among the arguments of `aip.*`: lists, and options with names.
 */
import { isJsonList, isJsonMap, type JsonMap } from '../flowspec/json-value.ts';
import { isNil, luaTypeOf } from './api-arguments.ts';
import type { LuaValue } from './api-module.ts';
import { scriptError } from './script-error.ts';

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
