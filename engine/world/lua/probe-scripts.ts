/**
 * Checks scripts with Lua without running them: whether they compile and which functions exist.
 */
import { EngineError } from '../../base/engine-error.ts';
import { isJsonList, isJsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { ScriptHost } from './host-calls.ts';
import type { LuaRuntime } from './lua-runtime.ts';

/** A script's syntax error. */
interface SyntaxProblem {
  readonly line: number;
  readonly message: string;
}

/** The result for `ProbedScripts`: one entry per script, and one per name under `aip`. */
interface ScriptProbe {
  readonly syntax: readonly (SyntaxProblem | null)[];
  readonly names: readonly ({ readonly part: 'module' | 'member'; readonly known: readonly string[] } | null)[];
}

/** A script that compiles others without running them. Lists contain `false` where there is nothing to report. */
const probing = `
local function names_of(module)
  local found = {}
  for name in pairs(module) do found[#found + 1] = name end
  table.sort(found)
  return found
end
local syntax, names = {}, {}
for at, code in ipairs(scripts) do
  local chunk, problem = load(code, "=script", "t")
  syntax[at] = chunk == nil and problem
end
for at, name in ipairs(wanted) do
  local module = rawget(aip, name[1])
  if module == nil then names[at] = { part = "module", known = names_of(aip) }
  elseif name[2] == nil or rawget(module, name[2]) ~= nil then names[at] = false
  else names[at] = { part = "member", known = names_of(module) } end
end
return { syntax = syntax, names = names }
`;

/** Compute limit in milliseconds. Compiling the longest agent file takes a few milliseconds. */
const longest = 5_000;

/** A host that performs no work. */
const noHost = new Proxy({} as ScriptHost, {
  get: (_host, name) => () =>
    Promise.reject(new EngineError({ code: 'lua.error', message: `Scripts cannot call ${String(name)} here` })),
});

/**
 * Compiles scripts and looks up names. Each line of a script must have the line number it has in its file.
 * @param isPure looks up the names as a script of an agent with the pure contract would
 * @throws EngineError the errors of `LuaRuntime.run`, but not for errors in the scripts
 */
export async function probeScripts(
  lua: Pick<LuaRuntime, 'run'>,
  scripts: readonly string[],
  names: readonly (readonly [module: string, member?: string])[],
  isPure = false,
): Promise<ScriptProbe> {
  const wanted = names.map((name) => [...name] as string[]);
  const globals = { scripts: [...scripts], wanted };
  const script = {
    ...{ code: probing, chunkName: 'check', globals, scriptContext: {} },
    ...(isPure ? { isPure: true as const } : {}),
  };
  const result = await lua.run(script, noHost, {
    signal: new AbortController().signal,
    timeoutMs: null,
    computeMs: longest,
  });
  const listOf = (key: string): readonly JsonValue[] => {
    const list = isJsonMap(result) ? result[key] : undefined;
    return isJsonList(list) ? list : [];
  };
  return {
    syntax: listOf('syntax').map((entry) => (typeof entry === 'string' ? readProblem(entry) : null)),
    names: listOf('names').map(readMissing),
  };
}

function readMissing(entry: JsonValue): ScriptProbe['names'][number] {
  if (!isJsonMap(entry)) return null;
  const { part, known } = entry;
  return { part: part === 'module' ? 'module' : 'member', known: isJsonList(known) ? known.map(String) : [] };
}

/** Splits `script:12: unexpected symbol near '}'` into its line and the rest. */
function readProblem(message: string): SyntaxProblem {
  const [, line = '1', rest = message] = /^script:(\d+): ([\s\S]*)$/.exec(message) ?? [];
  return { line: Number(line), message: rest };
}
