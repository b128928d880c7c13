/**
 * Runs JavaScript.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import { createScriptRuntime, type ScriptRuntime, type ScriptRuntimeOptions } from '../workers/script-runtime.ts';
import type { WorkerProgram } from '../workers/worker-protocol.ts';
import type { JsAgent } from './agent-run.ts';
import type { JsOrder } from './js-machine.ts';

export type JsRuntimeOptions = ScriptRuntimeOptions;

/** A line that a script logs. */
interface LogLine {
  readonly level: 'print' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** All that scripts can do outside. */
type JsHost = { readonly log: (line: LogLine) => Promise<null> };

/** What agents can do beside. */
type JsAgentHost = JsHost & {
  /** The text of a module of their folder. @throws EngineError when there is none that may be read */
  readonly module: (params: { readonly path: string }) => Promise<string>;
  /** Answers questions to models, which may be anything, in their order. */
  readonly ask: (params: { readonly requests: readonly unknown[] }) => Promise<readonly JsonValue[]>;
  readonly trace: (params: { readonly name: string; readonly data: JsonValue }) => Promise<null>;
};

/** An order without the limit of memory. */
type Unlimited<Order> = Order extends unknown ? Omit<Order, 'memoryBytes'> : never;

/**
 * A script gives what it returned, which is JSON. Beside what all runtimes throw: `js.error` (what it threw; lines of the code as
 * `line` and `details.lines`), `js.syntax`, `node.bad-output`, `node.output-too-large`. An order to check gives a list: null, or
 * `{ line, message }`, for each text.
 */
export type JsRuntime = ScriptRuntime<Unlimited<Exclude<JsOrder, JsAgent>>, JsHost>;

/**
 * The same workers, for agents: gives `{ result }`, or `{ gave: 'nothing' }`; or of a module the list of its agents. What its modules
 * threw is `js.error` or `js.syntax` with `details.places`.
 */
export type JsAgentRuntime = ScriptRuntime<Unlimited<JsAgent>, JsAgentHost>;

let loading: Promise<Required<WorkerProgram>> | undefined;

async function load(): Promise<Required<WorkerProgram>> {
  const { code, wasm } = await import('virtual:js-worker');
  return { code, module: await WebAssembly.compile(Buffer.from(wasm, 'base64')) };
}

/** The program of its workers; the same for all runtimes of a process. */
function loadProgram(): Promise<Required<WorkerProgram>> {
  loading ??= load();
  return loading;
}

/** Makes a runtime. It starts no worker and loads nothing before the first script. */
export function createJsRuntime(options: JsRuntimeOptions = {}): JsRuntime & JsAgentRuntime {
  return createScriptRuntime({ name: 'JavaScript', area: 'js', loadProgram }, options) as JsRuntime & JsAgentRuntime;
}
