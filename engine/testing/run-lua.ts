/**
 * Runs Lua as scripts of agents run: in a worker, with all of `aip`, against a host of the test's.
 */
// The program of the workers is bundled when it is first imported; here that does not count as time of a test.
import 'virtual:lua-worker';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { HostCallName, HostCalls, ScriptHost } from '../lua/host-calls.ts';
import { createLuaRuntime, type LuaRuntime } from '../lua/lua-runtime.ts';

/** What a test offers of the host; a call to anything else raises an error that names it. */
export type TestHost = Partial<ScriptHost>;

export interface RunLuaOptions {
  /** Variables of the script. */
  readonly globals?: JsonMap;
  /** `CTX`. */
  readonly scriptContext?: JsonMap;
  readonly host?: TestHost;
  /** As errors name the script. Default `test.aip`. */
  readonly file?: string;
  readonly signal?: AbortSignal;
  /** Default: none. */
  readonly timeoutMs?: number;
  readonly memoryBytes?: number;
  /** Default: one that all tests of a file share. Its workers end with the process. */
  readonly runtime?: LuaRuntime;
}

let shared: LuaRuntime | undefined;

/** A whole host of which only some calls are there; `print` goes nowhere. */
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
 * Runs a script, for example `await runLua('return aip.text.trim(" a ")')`. Gives what it returned.
 * @throws EngineError what `LuaRuntime.run` throws
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
