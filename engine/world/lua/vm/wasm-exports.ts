/**
 * The C API of Lua 5.4 as exported by the WebAssembly module of the `wasmoon` package. Addresses and indexes are
 * numbers; `lua_Integer` is a bigint. For semantics see https://www.lua.org/manual/5.4/manual.html#4
 */

/** Address of a `lua_State`. */
export type LuaState = number;

/** Value types, as returned by `lua_type`. */
export const luaType = {
  nil: 0,
  boolean: 1,
  lightUserdata: 2,
  number: 3,
  string: 4,
  table: 5,
  function: 6,
  userdata: 7,
  thread: 8,
} as const;

/** Status codes of calls and loads. */
export const luaStatus = { ok: 0, runtime: 2, syntax: 3, memory: 4, handler: 5 } as const;

/** Pseudo index of the registry. */
export const registryIndex = -1_001_000;

/** Returns the pseudo index of a C function's upvalue, from 1. */
export function upvalueIndex(index: number): number {
  return registryIndex - index;
}

export interface LuaExports {
  readonly memory: WebAssembly.Memory;
  readonly __indirect_function_table: WebAssembly.Table;
  __wasm_call_ctors(): void;
  emscripten_stack_init(): void;
  emscripten_stack_get_free(): number;
  /** Start of the stack, which grows toward lower addresses. */
  emscripten_stack_get_base(): number;
  emscripten_stack_get_end(): number;
  stackSave(): number;
  stackRestore(address: number): void;
  setThrew(threw: number, value: number): void;
  malloc(bytes: number): number;
  free(address: number): void;

  luaL_newstate(): LuaState;
  lua_close(L: LuaState): void;
  luaopen_base(L: LuaState): number;
  luaopen_coroutine(L: LuaState): number;
  luaopen_debug(L: LuaState): number;
  luaopen_math(L: LuaState): number;
  luaopen_os(L: LuaState): number;
  luaopen_string(L: LuaState): number;
  luaopen_table(L: LuaState): number;
  luaopen_utf8(L: LuaState): number;

  lua_gettop(L: LuaState): number;
  lua_settop(L: LuaState, index: number): void;
  lua_checkstack(L: LuaState, extra: number): number;
  lua_absindex(L: LuaState, index: number): number;
  lua_pushvalue(L: LuaState, index: number): void;
  lua_rotate(L: LuaState, index: number, count: number): void;

  lua_type(L: LuaState, index: number): number;
  lua_isinteger(L: LuaState, index: number): number;
  lua_toboolean(L: LuaState, index: number): number;
  lua_tonumberx(L: LuaState, index: number, isNumber: number): number;
  lua_tointegerx(L: LuaState, index: number, isNumber: number): bigint;
  lua_tolstring(L: LuaState, index: number, lengthAddress: number): number;
  lua_topointer(L: LuaState, index: number): number;
  lua_rawequal(L: LuaState, left: number, right: number): number;
  lua_rawlen(L: LuaState, index: number): bigint;
  lua_next(L: LuaState, index: number): number;
  luaL_tolstring(L: LuaState, index: number, lengthAddress: number): number;

  lua_pushnil(L: LuaState): void;
  lua_pushboolean(L: LuaState, value: number): void;
  lua_pushnumber(L: LuaState, value: number): void;
  lua_pushinteger(L: LuaState, value: bigint): void;
  lua_pushlstring(L: LuaState, address: number, bytes: number): number;
  lua_pushlightuserdata(L: LuaState, address: number): void;
  lua_pushcclosure(L: LuaState, functionIndex: number, upvalues: number): void;
  lua_newuserdatauv(L: LuaState, bytes: number, userValues: number): number;
  lua_setiuservalue(L: LuaState, index: number, userValue: number): number;
  lua_getiuservalue(L: LuaState, index: number, userValue: number): number;

  lua_createtable(L: LuaState, listSize: number, mapSize: number): void;
  lua_rawgetp(L: LuaState, index: number, key: number): number;
  lua_rawsetp(L: LuaState, index: number, key: number): void;
  lua_rawget(L: LuaState, index: number): number;
  lua_rawset(L: LuaState, index: number): void;
  lua_rawseti(L: LuaState, index: number, key: bigint): void;
  lua_rawgeti(L: LuaState, index: number, key: bigint): number;
  lua_getmetatable(L: LuaState, index: number): number;
  lua_setmetatable(L: LuaState, index: number): number;
  lua_setupvalue(L: LuaState, functionIndex: number, upvalue: number): number;

  luaL_loadbufferx(L: LuaState, code: number, bytes: number, name: number, mode: number): number;
  lua_callk(L: LuaState, args: number, results: number, context: number, continuation: number): void;
  lua_pcallk(
    ...call: [L: LuaState, args: number, results: number, handler: number, context: number, continuation: number]
  ): number;
  lua_error(L: LuaState): number;
  lua_getstack(L: LuaState, level: number, record: number): number;
  lua_getinfo(L: LuaState, what: number, record: number): number;
}
