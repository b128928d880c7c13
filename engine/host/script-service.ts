/**
 * Runs scripts of agents with all their functions: Lua in workers, with the engine as their host.
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

/** The interface to scripts for the engine. */
export interface ScriptService {
  readonly scripts: ScriptsCapability;
  /** Runs scripts of flows. */
  readonly code: CodeCapability;
  /** Runs agents written as classes, in the same workers as other JavaScript. */
  readonly runModule: JsAgentRuntime['run'];
  /** Validates scripts without running them. */
  readonly probe: ProbeScripts;
  /** Compiles scripts of flows without running them. */
  readonly check: CompileScripts;
  /** Stops running scripts. Does nothing if none was ever started. */
  readonly close: () => Promise<void>;
}

/** Creates the service. The first script starts the first worker. */
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
