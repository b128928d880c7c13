/**
 * Lua of our own that every machine runs, compiled once for a thread.
 */
import type { LuaCore } from './lua-core.ts';
import { type LuaState, luaStatus } from './wasm-exports.ts';

/** Pushes the function of the chunk. Raises a Lua error when there is no memory for it. */
export type CompiledChunk = (L: LuaState) => void;

/** The chunk's text as what `string.dump` makes of it, at an address that is never freed. */
function compile({ api, text, wasm, load }: LuaCore, code: string, name: string) {
  const L = api.luaL_newstate();
  api.luaopen_string(L);
  text.push(L, 'dump');
  api.lua_rawget(L, -2);
  if (load(L, code, name) !== luaStatus.ok) throw new Error(`Our own Lua is wrong: ${text.readLossy(L, -1)}`);
  api.lua_callk(L, 1, 1, 0, 0);
  const bytes = Number(api.lua_rawlen(L, -1));
  const address = api.malloc(bytes);
  const source = api.lua_tolstring(L, -1, 0);
  wasm.bytes().copyWithin(address, source, source + bytes);
  api.lua_close(L);
  return { address, bytes };
}

/**
 * Compiles a chunk, so that machines need not: that takes several times as long as loading it.
 * @param name as errors show it, beginning with `=`
 */
export function compileChunk(core: LuaCore, code: string, name: string): CompiledChunk {
  const { api, text } = core;
  const { address, bytes } = compile(core, code, name);
  const nameAddress = text.allocate(name).address;
  const mode = text.allocate('b').address;
  return (L) => {
    if (api.luaL_loadbufferx(L, address, bytes, nameAddress, mode) !== luaStatus.ok) api.lua_error(L);
  };
}
