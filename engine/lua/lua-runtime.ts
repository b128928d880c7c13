/**
 * Runs Lua.
 */
import type { JsonMap } from '../flowspec/json-value.ts';
import { createScriptRuntime, type ScriptRuntime, type ScriptRuntimeOptions } from '../workers/script-runtime.ts';
import type { HostCallName, ScriptHost } from './host-calls.ts';
import { loadWorkerProgram } from './worker-program.ts';

export type LuaRuntimeOptions = ScriptRuntimeOptions;

interface LuaScript {
  /** Lua, each line where it stands in the file. */
  readonly code: string;
  /** The file, as errors name it. */
  readonly chunkName: string;
  /** Variables of the script. `null` becomes nil, inside of tables it stays `null`. `CTX` among them is passed over. */
  readonly globals: JsonMap;
  /** `CTX`. */
  readonly scriptContext: JsonMap;
  /** Of an agent of the contract pure: nothing in `aip` reaches out of the script. */
  readonly isPure?: true;
}

/**
 * A script gives its first value: nil is `null`, an empty table `{}`. Beside what all runtimes throw: `lua.error` (what it raised;
 * `line` of the file; `details.cause` when the engine refused a call), `lua.syntax`, `lua.bad-value`.
 */
export type LuaRuntime = ScriptRuntime<LuaScript, ScriptHost>;

const longCalls: ReadonlySet<HostCallName> = new Set(['agent.run']);

/** Makes a runtime. It starts no worker and loads nothing before the first script. */
export function createLuaRuntime(options: LuaRuntimeOptions = {}): LuaRuntime {
  return createScriptRuntime({ name: 'Lua', area: 'lua', loadProgram: loadWorkerProgram, longCalls }, options);
}
