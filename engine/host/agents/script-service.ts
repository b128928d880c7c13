/**
 * Runs agent scripts with all their functions, in Lua workers with the engine as their host.
 */
import type { ProbeScripts } from '../../language/agent/check-agent.ts';
import type { CompileScripts } from '../../language/flow/flow-scripts.ts';
import type { ScriptsCapability } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { CodeCapability } from '../../runtime/kernel/capabilities/code-capability.ts';
import { createJsRuntime, type JsAgentRuntime } from '../../world/js/js-runtime.ts';
import { createLuaRuntime } from '../../world/lua/lua-runtime.ts';
import { probeScripts } from '../../world/lua/probe-scripts.ts';
import { compileScripts } from '../../world/script/check-flow-scripts.ts';
import { createFlowScripts, type FlowScriptsOptions } from '../../world/script/flow-scripts.ts';
import { createScriptHost } from '../../world/script/script-host.ts';
import type { ScriptHostOptions } from '../../world/script/script-host-options.ts';
import { createScripts } from '../../world/script/scripts.ts';

/** The engine's interface to scripts. */
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
  /** Stops running scripts. Has no effect if no script was ever started. */
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
