/**
 * Dependencies shared by all parts of the interpreter: the C API and value conversion. One instance per thread.
 */
import { createLuaText, type LuaText } from './lua-text.ts';
import { type LuaWasm, startLuaWasm } from './lua-wasm.ts';
import { createValuePusher, createValueReader, type ValuePusher, type ValueReader } from './values.ts';
import type { LuaExports, LuaState } from './wasm-exports.ts';

export interface LuaCore {
  readonly wasm: LuaWasm;
  readonly api: LuaExports;
  readonly text: LuaText;
  readonly push: ValuePusher;
  readonly read: ValueReader;
  /** Loads Lua source and pushes the function, or the error message. Returns the status of `luaL_loadbufferx`. */
  load(L: LuaState, code: string, chunkName: string): number;
}

export function createLuaCore(module: WebAssembly.Module): LuaCore {
  const wasm = startLuaWasm(module);
  const { api } = wasm;
  const text = createLuaText(wasm);
  const mode = text.allocate('t').address;
  return {
    wasm,
    api,
    text,
    push: createValuePusher(api, text),
    read: createValueReader(api, text),
    load: (L, code, chunkName) => {
      const source = text.allocate(code);
      const name = text.allocate(chunkName);
      try {
        return api.luaL_loadbufferx(L, source.address, source.bytes, name.address, mode);
      } finally {
        api.free(source.address);
        api.free(name.address);
      }
    },
  };
}
