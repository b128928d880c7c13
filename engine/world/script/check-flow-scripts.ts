/**
 * Compiles flow scripts in the interpreters that would run them, without running them.
 */
import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import type { FlowDoc } from '../../language/flow/flow-doc.ts';
import { findScriptProblems } from '../../language/flow/flow-scripts.ts';
import { isJsonMap } from '../../language/json/json-value.ts';
import type { NodeTypeCatalog } from '../../language/types/node-type-spec.ts';
import type { FlowScript, ScriptProblem } from '../../runtime/kernel/capabilities/code-capability.ts';
import { createJsRuntime, type JsRuntime } from '../js/js-runtime.ts';
import { createLuaRuntime, type LuaRuntime } from '../lua/lua-runtime.ts';
import { probeScripts } from '../lua/probe-scripts.ts';

/** Time limit in milliseconds; compiling takes a few milliseconds. */
const longestCheck = 5_000;

/** A script to compile without running it. */
type CheckedScript = Pick<FlowScript, 'language' | 'code'>;

interface Runtimes {
  readonly javascript: Pick<JsRuntime, 'run'>;
  readonly lua: LuaRuntime;
}

/** Returns the problems in a flow's scripts without an engine. Starts an interpreter only if there are scripts. */
export async function checkFlowScripts(
  flow: { readonly doc: FlowDoc | null; readonly text: string },
  catalog: NodeTypeCatalog,
): Promise<readonly Diagnostic[]> {
  const runtimes = { javascript: createJsRuntime(), lua: createLuaRuntime() };
  try {
    return await findScriptProblems(flow, catalog, (scripts) => compileScripts(scripts, runtimes));
  } finally {
    await Promise.all([runtimes.javascript.close(), runtimes.lua.close()]);
  }
}

/** Returns the compile error of each script, or null if it compiles. */
export async function compileScripts(
  scripts: readonly CheckedScript[],
  { javascript, lua }: Runtimes,
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

async function checkJavaScript(check: string[], javascript: Runtimes['javascript']): Promise<(ScriptProblem | null)[]> {
  if (check.length === 0) return [];
  const limits = { signal: new AbortController().signal, timeoutMs: null, computeMs: longestCheck };
  const found = await javascript.run({ check }, { log: async () => null }, limits);
  return (Array.isArray(found) ? found : []).map((problem) =>
    isJsonMap(problem) ? { line: Number(problem['line']), message: String(problem['message']) } : null,
  );
}

async function checkLua(codes: string[], lua: LuaRuntime): Promise<readonly (ScriptProblem | null)[]> {
  return codes.length === 0 ? [] : (await probeScripts(lua, codes, [])).syntax;
}
