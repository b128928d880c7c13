/**
 * Values into Lua. Inside of tables `null` is the `null` sentinel, the light userdata with address 0.
 */

import { isJsonList, type JsonMap, type JsonValue } from '../../flowspec/json-value.ts';
import type { LuaValue } from '../api-module.ts';
import type { LuaText } from './lua-text.ts';
import type { LuaExports, LuaState } from './wasm-exports.ts';

/**
 * Pushes a value: whole numbers up to 2^53 become integers, all others floats; `undefined` becomes nil.
 * @throws RangeError when it is nested too deep
 */
export type ValuePusher = (L: LuaState, value: LuaValue) => void;

/** How deep values may be nested when they cross the border. */
export const maxDepth = 500;

function isInteger(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

export function createValuePusher(api: LuaExports, text: LuaText): ValuePusher {
  const pushNumber = (L: LuaState, value: number): void => {
    if (isInteger(value)) api.lua_pushinteger(L, BigInt(value));
    else api.lua_pushnumber(L, value);
  };

  const pushList = (L: LuaState, list: readonly JsonValue[], depth: number): void => {
    api.lua_createtable(L, list.length, 0);
    for (let index = 0; index < list.length; index++) {
      pushAt(L, list[index] ?? null, depth);
      api.lua_rawseti(L, -2, BigInt(index + 1));
    }
  };

  const pushMap = (L: LuaState, map: Readonly<Record<string, JsonValue | undefined>>, depth: number): void => {
    const keys = Object.keys(map);
    api.lua_createtable(L, 0, keys.length);
    for (const key of keys) {
      const value = map[key];
      // An absent field is one that is not there.
      if (value === undefined) continue;
      text.push(L, key);
      pushAt(L, value, depth);
      api.lua_rawset(L, -3);
    }
  };

  const pushTable = (L: LuaState, value: readonly JsonValue[] | JsonMap, depth: number): void => {
    if (depth > maxDepth) throw new RangeError(`The value is nested deeper than ${maxDepth} levels`);
    if (api.lua_checkstack(L, 4) === 0) throw new RangeError('stack overflow');
    if (isJsonList(value)) pushList(L, value, depth);
    else pushMap(L, value, depth);
  };

  const pushAt = (L: LuaState, value: LuaValue, depth: number): void => {
    if (typeof value === 'string') text.push(L, value);
    else if (typeof value === 'number') pushNumber(L, value);
    else if (typeof value === 'boolean') api.lua_pushboolean(L, value ? 1 : 0);
    else if (value === undefined) api.lua_pushnil(L);
    else if (value === null) api.lua_pushlightuserdata(L, 0);
    else pushTable(L, value, depth + 1);
  };

  return (L, value) => pushAt(L, value, 0);
}
