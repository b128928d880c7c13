/**
 * Scripts of agents in real Lua without access to the outside: events of their run are emitted, everything else is
 * refused.
 */
import type { ScriptScope, ScriptsCapability } from '../runtime/kernel/capabilities/capabilities.ts';
import type { ScriptHost } from '../world/lua/host-calls.ts';
import { createLuaRuntime, type LuaRuntime } from '../world/lua/lua-runtime.ts';
import { createScripts } from '../world/script/scripts.ts';
import { testHost } from './run-lua.ts';

let shared: LuaRuntime | undefined;

/** Creates the capability. All tests of a file share the workers, which end with the process. */
export function createLuaScripts(): ScriptsCapability {
  shared ??= createLuaRuntime();
  const lua = shared;
  return createScripts(lua, hostOf);
}

function hostOf({ hub, taskId }: ScriptScope): ScriptHost {
  const ofTask = taskId === undefined ? {} : { taskId };
  return testHost({
    async log({ level, text }) {
      hub.emit({ type: 'log', level, text, ...ofTask });
      return null;
    },
    async label({ scope, text }) {
      hub.emit({ type: 'label', text, ...(scope === 'task' ? ofTask : {}) });
      return null;
    },
  });
}
