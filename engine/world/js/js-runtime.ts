/**
 * Runs JavaScript in workers.
 */
import type { JsonValue } from '../../language/json/json-value.ts';
import { createScriptRuntime, type ScriptRuntime, type ScriptRuntimeOptions } from '../workers/script-runtime.ts';
import type { WorkerProgram } from '../workers/worker-protocol.ts';
import type { JsAgent } from './agent-run.ts';
import type { JsOrder } from './js-machine.ts';

export type JsRuntimeOptions = ScriptRuntimeOptions;

/** A line logged by a script. */
interface LogLine {
  readonly level: 'print' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** All host functions that scripts can call. */
type JsHost = { readonly log: (line: LogLine) => Promise<null> };

/** Additional host functions for agents. */
type JsAgentHost = JsHost & {
  /** Returns the text of a module in the agents' folder. @throws EngineError if no such module may be read */
  readonly module: (params: { readonly path: string }) => Promise<string>;
  /** Answers model requests, which may be any value, in order. */
  readonly ask: (params: { readonly requests: readonly unknown[] }) => Promise<readonly JsonValue[]>;
  readonly trace: (params: { readonly name: string; readonly data: JsonValue }) => Promise<null>;
};

/** An order without the memory limit. */
type Unlimited<Order> = Order extends unknown ? Omit<Order, 'memoryBytes'> : never;

/**
 * Runs scripts. A script returns a JSON value. Throws, in addition to the errors of all runtimes: `js.error` (what it
 * threw; lines of the code as `line` and `details.lines`), `js.syntax`, `node.bad-output`, `node.output-too-large`. An
 * order to check returns a list with null, or `{ line, message }`, for each text.
 */
export type JsRuntime = ScriptRuntime<Unlimited<Exclude<JsOrder, JsAgent>>, JsHost>;

/**
 * The same workers, for agents: returns `{ result }`, or `{ gave: 'nothing' }`; or the list of a module's agents. An
 * error thrown by its modules is `js.error` or `js.syntax` with `details.places`.
 */
export type JsAgentRuntime = ScriptRuntime<Unlimited<JsAgent>, JsAgentHost>;

let loading: Promise<Required<WorkerProgram>> | undefined;

async function load(): Promise<Required<WorkerProgram>> {
  const { code, wasm } = await import('virtual:js-worker');
  return { code, module: await WebAssembly.compile(Buffer.from(wasm, 'base64')) };
}

/** Loads the worker code, which all of a process's runtimes share. */
function loadProgram(): Promise<Required<WorkerProgram>> {
  loading ??= load();
  return loading;
}

/** Creates a runtime. No worker is started and nothing is loaded before the first script. */
export function createJsRuntime(options: JsRuntimeOptions = {}): JsRuntime & JsAgentRuntime {
  return createScriptRuntime({ name: 'JavaScript', area: 'js', loadProgram }, options) as JsRuntime & JsAgentRuntime;
}
