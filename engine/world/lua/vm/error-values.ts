/**
 * The engine's errors inside Lua: userdata with the message as its text, so that a script that returns an error can be
 * distinguished from one that returns text.
 */
import { EngineError, toErrorRecord } from '../../../base/engine-error.ts';
import type { LuaCore } from './lua-core.ts';
import { type LuaState, luaType, registryIndex } from './wasm-exports.ts';

/** Registry key of the metatable. */
const metatableKey = 1;

export interface ErrorValues {
  /** Makes the table on top of the stack the metatable of all error values in this interpreter, and pops it. */
  setMetatable(L: LuaState): void;
  /** Pushes a thrown error as an error value. */
  push(L: LuaState, thrown: unknown): void;
  /** Returns the thrown error, insofar as Lua preserves it; undefined if the value is not an error value. */
  read(L: LuaState, index: number): ErrorText | undefined;
}

export interface ErrorText {
  readonly message: string;
  /** The error's code, if it has one. All engine errors do. */
  readonly code: string | undefined;
  readonly details?: unknown;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

export function createErrorValues({ api, text }: LuaCore): ErrorValues {
  const readUserValue = (L: LuaState, index: number, userValue: number): string | undefined => {
    const type = api.lua_getiuservalue(L, index, userValue);
    const value = type === luaType.string ? text.readLossy(L, -1) : undefined;
    api.lua_settop(L, -2);
    return value;
  };
  return {
    setMetatable: (L) => api.lua_rawsetp(L, registryIndex, metatableKey),
    push: (L, thrown) => {
      api.lua_newuserdatauv(L, 0, 3);
      text.push(L, messageOf(thrown));
      api.lua_setiuservalue(L, -2, 1);
      if (EngineError.is(thrown)) {
        text.push(L, thrown.code);
        api.lua_setiuservalue(L, -2, 2);
        text.push(L, JSON.stringify(toErrorRecord(thrown).details ?? null));
        api.lua_setiuservalue(L, -2, 3);
      }
      api.lua_rawgetp(L, registryIndex, metatableKey);
      api.lua_setmetatable(L, -2);
    },
    read: (L, index) => {
      if (api.lua_type(L, index) !== luaType.userdata) return undefined;
      const message = readUserValue(L, index, 1);
      if (message === undefined) return undefined;
      const details = JSON.parse(readUserValue(L, index, 3) ?? 'null');
      return { message, code: readUserValue(L, index, 2), ...(details === null ? {} : { details }) };
    },
  };
}
