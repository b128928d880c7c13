/**
 * The Lua runtime, made when the first script runs: most runs have none.
 */
import type { LuaRuntime } from '../lua/lua-runtime.ts';

export interface LazyLua {
  readonly get: () => Promise<LuaRuntime>;
  /** Ends what was made; harmless when nothing was. */
  readonly close: () => Promise<void>;
}

/** Nothing is loaded before `get` is called. */
export function createLazyLua(): LazyLua {
  let runtime: Promise<LuaRuntime> | undefined;
  return {
    get() {
      runtime ??= import('../lua/lua-runtime.ts').then(({ createLuaRuntime }) => createLuaRuntime());
      return runtime;
    },
    async close() {
      await (await runtime)?.close();
    },
  };
}
