/**
 * Scripts of agents with all that they can do: Lua in workers, and the engine as their host.
 */
import type { ProbeScripts } from '../agent/check-agent.ts';
import { isJsonMap } from '../flowspec/json-value.ts';
import { createJsRuntime, type JsRuntime } from '../js/js-runtime.ts';
import type { CodeCapability, FlowScript, ScriptProblem, ScriptsCapability } from '../kernel/capabilities.ts';
import { createLuaRuntime, type LuaRuntime } from '../lua/lua-runtime.ts';
import { probeScripts } from '../lua/probe-scripts.ts';
import { createFlowScripts, type FlowScriptsOptions } from '../script/flow-scripts.ts';
import { createScriptHost } from '../script/script-host.ts';
import type { ScriptHostOptions } from '../script/script-host-options.ts';
import { createScripts } from '../script/scripts.ts';

/** Milliseconds; compiling takes a few. */
const longestCheck = 5_000;

/** A script that is to be compiled and not run. */
export type CheckedScript = Pick<FlowScript, 'language' | 'code'>;

/** What the engine has of scripts. */
export interface ScriptService {
  readonly scripts: ScriptsCapability;
  /** Runs scripts that stand in flows. */
  readonly code: CodeCapability;
  /** Checks scripts without running them. */
  readonly probe: ProbeScripts;
  /** Compiles scripts of flows without running them. */
  readonly check: (scripts: readonly CheckedScript[]) => Promise<readonly (ScriptProblem | null)[]>;
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
    probe: (scripts, names) => probeScripts(lua, scripts, names),
    check: (texts) => checkScripts(texts, { javascript, lua }),
    async close() {
      await Promise.all([lua.close(), javascript.close()]);
    },
  };
}

async function checkScripts(
  scripts: readonly CheckedScript[],
  { javascript, lua }: { readonly javascript: JsRuntime; readonly lua: LuaRuntime },
): Promise<readonly (ScriptProblem | null)[]> {
  const codeIn = (wanted: CheckedScript['language']): string[] =>
    scripts.flatMap(({ language, code }) => (language === wanted ? [code] : []));
  const [ofJavaScript, ofLua] = await Promise.all([
    checkJavaScript(codeIn('javascript'), javascript),
    checkLua(codeIn('lua'), lua),
  ]);
  const found = { javascript: ofJavaScript.values(), lua: ofLua.values() };
  return scripts.map(({ language }) => found[language].next().value ?? null);
}

async function checkJavaScript(check: string[], javascript: JsRuntime): Promise<(ScriptProblem | null)[]> {
  if (check.length === 0) return [];
  const limits = { signal: new AbortController().signal, timeoutMs: longestCheck };
  const found = await javascript.run({ check }, { log: async () => null }, limits);
  return (Array.isArray(found) ? found : []).map((problem) =>
    isJsonMap(problem) ? { line: Number(problem['line']), message: String(problem['message']) } : null,
  );
}

async function checkLua(codes: string[], lua: LuaRuntime): Promise<readonly (ScriptProblem | null)[]> {
  return codes.length === 0 ? [] : (await probeScripts(lua, codes, [])).syntax;
}
