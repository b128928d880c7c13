/**
 * Scripts of agents with all that they can do: Lua in workers, and the engine as their host.
 */
import type { ProbeScripts } from '../agent/check-agent.ts';
import type { CompileScripts } from '../flowspec/flow-scripts.ts';
import { createJsRuntime, type JsAgentRuntime } from '../js/js-runtime.ts';
import type { ScriptsCapability } from '../kernel/capabilities.ts';
import type { CodeCapability } from '../kernel/code-capability.ts';
import { createLuaRuntime } from '../lua/lua-runtime.ts';
import { probeScripts } from '../lua/probe-scripts.ts';
import { createFlowScripts, type FlowScriptsOptions } from '../script/flow-scripts.ts';
import { createScriptHost } from '../script/script-host.ts';
import type { ScriptHostOptions } from '../script/script-host-options.ts';
import { createScripts } from '../script/scripts.ts';
import { compileScripts } from './check-flow-scripts.ts';

/** What the engine has of scripts. */
export interface ScriptService {
  readonly scripts: ScriptsCapability;
  /** Runs scripts that stand in flows. */
  readonly code: CodeCapability;
  /** Runs agents that are written as classes, in the same workers as other JavaScript. */
  readonly runModule: JsAgentRuntime['run'];
  /** Checks scripts without running them. */
  readonly probe: ProbeScripts;
  /** Compiles scripts of flows without running them. */
  readonly check: CompileScripts;
  /** Stops scripts that run; harmless when none ever did. */
  readonly close: () => Promise<void>;
}

/** Makes them; the first worker is started by the first script. */
export function createScriptService(
  options: ScriptHostOptions,
  ofFlows: Pick<FlowScriptsOptions, 'scriptContext' | 'timeoutMs' | 'openSecrets'>,
): ScriptService {
  const lua = createLuaRuntime();
  const javascript = createJsRuntime();
  const scripts = createScripts(lua, (scope) => createScriptHost(options, scope));
  return {
    scripts,
    code: createFlowScripts({ ...ofFlows, workspace: options.workspace, javascript, lua: scripts }),
    runModule: (...asked) => javascript.run(...asked),
    probe: (...asked) => probeScripts(lua, ...asked),
    check: (texts) => compileScripts(texts, { javascript, lua }),
    async close() {
      await Promise.all([lua.close(), javascript.close()]);
    },
  };
}
