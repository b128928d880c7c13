/**
 * Scripts of agents with all that they can do: Lua in workers, and the engine as their host.
 */
import type { ProbeScripts } from '../agent/check-agent.ts';
import type { ScriptsCapability } from '../kernel/capabilities.ts';
import { createLuaRuntime } from '../lua/lua-runtime.ts';
import { probeScripts } from '../lua/probe-scripts.ts';
import { createScriptHost } from '../script/script-host.ts';
import type { ScriptHostOptions } from '../script/script-host-options.ts';
import { createScripts } from '../script/scripts.ts';

/** What the engine has of scripts. */
export interface ScriptService {
  readonly scripts: ScriptsCapability;
  /** Checks scripts without running them. */
  readonly probe: ProbeScripts;
  /** Stops scripts that run; harmless when none ever did. */
  readonly close: () => Promise<void>;
}

/** Makes them; the first worker is started by the first script. */
export function createScriptService(options: ScriptHostOptions): ScriptService {
  const lua = createLuaRuntime();
  return {
    scripts: createScripts(lua, (scope) => createScriptHost(options, scope)),
    probe: (scripts, names) => probeScripts(lua, scripts, names),
    close: () => lua.close(),
  };
}
