/**
 * Runs Lua like scripts of agents: in a worker, with all of `aip`, and with a host provided by the test.
 */
// The worker's program is bundled on first import. Importing it here keeps this out of the test time.
import 'virtual:lua-worker';
import type { JsonMap, JsonValue } from '../language/json/json-value.ts';
import type { HostCallName, HostCalls, ScriptHost } from '../world/lua/host-calls.ts';
import { createLuaRuntime, type LuaRuntime } from '../world/lua/lua-runtime.ts';

/** The host calls that a test provides; any other call raises an error with its name. */
export type TestHost = Partial<ScriptHost>;

export interface RunLuaOptions {
  /** Variables of the script. */
  readonly globals?: JsonMap;
  /** Value of `CTX`. */
  readonly scriptContext?: JsonMap;
  readonly host?: TestHost;
  /** Name of the script in errors; `test.aip` by default. */
  readonly file?: string;
  readonly signal?: AbortSignal;
  /** Timeout in milliseconds; none by default. */
  readonly timeoutMs?: number;
  readonly memoryBytes?: number;
  /** By default, one that all tests of a file share. Its workers end with the process. */
  readonly runtime?: LuaRuntime;
}

let shared: LuaRuntime | undefined;

/** Returns a complete host in which only the provided calls work; `print` is ignored. */
export function testHost(offered: TestHost = {}): ScriptHost {
  const all: TestHost = { log: () => Promise.resolve(null), ...offered };
  return new Proxy(all, {
    get: (target, name: HostCallName) =>
      target[name] ??
      ((_params: HostCalls[HostCallName]['params']) =>
        Promise.reject(new Error(`The script called ${name} of the host, which the test does not offer.`))),
  }) as ScriptHost;
}

/**
 * Runs a script, for example `await runLua('return aip.text.trim(" a ")')`. Returns its result.
 * @throws EngineError the errors of `LuaRuntime.run`
 */
export function runLua(code: string, options: RunLuaOptions = {}): Promise<JsonValue> {
  shared ??= createLuaRuntime();
  const { runtime = shared, globals = {}, scriptContext = {}, file = 'test.aip', host } = options;
  const { signal = new AbortController().signal, timeoutMs = null, memoryBytes } = options;
  return runtime.run({ code, chunkName: file, globals, scriptContext }, testHost(host), {
    signal,
    timeoutMs,
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  });
}
