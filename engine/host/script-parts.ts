/**
 * Scripts of agents with all that they can do: Lua in workers, and the engine as their host.
 */
import { createLuaRuntime } from '../lua/lua-runtime.ts';
import { probeScripts } from '../lua/probe-scripts.ts';
import { createScriptHost } from '../script/script-host.ts';
import type { ScriptWorld } from '../script/script-world.ts';
import { createScripts } from '../script/scripts.ts';
import type { LazyScripts } from './lazy-scripts.ts';

/** Makes them; the first worker is started by the first script. */
export function createScriptParts(world: ScriptWorld): LazyScripts {
  const lua = createLuaRuntime();
  return {
    scripts: createScripts({ lua, hostOf: (scope) => createScriptHost(world, scope) }),
    probe: (scripts, names) => probeScripts(lua, scripts, names),
    close: () => lua.close(),
  };
}
