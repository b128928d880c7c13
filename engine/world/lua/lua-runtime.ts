/**
 * Runs Lua scripts in workers.
 */
import type { JsonMap } from '../../language/json/json-value.ts';
import { createScriptRuntime, type ScriptRuntime, type ScriptRuntimeOptions } from '../workers/script-runtime.ts';
import type { HostCallName, ScriptHost } from './host-calls.ts';
import { loadWorkerProgram } from './worker-program.ts';

export type LuaRuntimeOptions = ScriptRuntimeOptions;

interface LuaScript {
  /** Lua source. Line numbers match those of the file. */
  readonly code: string;
  /** The file's name in error messages. */
  readonly chunkName: string;
  /**
   * Variables of the script. `null` becomes nil at the top level and stays `null` inside tables. A variable named
   * `CTX` is ignored.
   */
  readonly globals: JsonMap;
  /** The value of `CTX`. */
  readonly scriptContext: JsonMap;
  /** Set for agents with the pure contract: no function in `aip` accesses anything outside the script. */
  readonly isPure?: true;
}

/**
 * Runs scripts and returns their first value: nil is `null`, an empty table `{}`. In addition to the errors of all
 * runtimes, throws `lua.error` (the raised error; `line` in the file; `details.cause` if the engine refused a call),
 * `lua.syntax` and `lua.bad-value`.
 */
export type LuaRuntime = ScriptRuntime<LuaScript, ScriptHost>;

const longCalls: ReadonlySet<HostCallName> = new Set(['agent.run']);

/** Creates a runtime. Starts no worker and loads nothing before the first script. */
export function createLuaRuntime(options: LuaRuntimeOptions = {}): LuaRuntime {
  return createScriptRuntime({ name: 'Lua', area: 'lua', loadProgram: loadWorkerProgram, longCalls }, options);
}
