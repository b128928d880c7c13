/**
 * Runs JavaScript in QuickJS, each script in a machine of its own, one after the other. One for each thread.
 */
import { randomBytes } from 'node:crypto';
import quickJs from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten-core';
import type { ErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { ScriptOutcome } from '../workers/worker-protocol.ts';
import { type CallEngine, type JsAgent, ModuleSource, runAgent } from './agent-run.ts';
import {
  badResult,
  largeResult,
  neverEnds,
  recordModule,
  recordSyntax,
  recordThrown,
  syntaxProblem,
  type ThrownError,
} from './js-failure.ts';
import { preludeCode } from './prelude.ts';

/** What a machine is given. */
export type JsOrder = JsScript | JsCheck | JsAgent;

/** Texts that are to be compiled and not run. */
interface JsCheck {
  readonly check: readonly string[];
  readonly memoryBytes: number;
}

interface JsScript {
  /** The body of a function. */
  readonly code: string;
  /** JSON text of what the script knows as `input`. */
  readonly inputText: string;
  /** That the JSON text of the result may have. */
  readonly maxResultBytes: number;
  readonly memoryBytes: number;
}

/** Tells a line of the script's log. */
type Log = (level: string, text: string) => void;

interface JsMachine {
  /** @param call asks the engine, for agents */
  run(order: JsOrder, log: Log, call: CallEngine): ScriptOutcome;
  /** Bytes that its memory takes; it never shrinks. */
  memorySize(): number;
}

/** Of QuickJS's own stack, in bytes: what it computes with less than the thread has for it. */
const stackBytes = 256 * 1024;

/** Of WebAssembly's memory. */
const pageBytes = 64 * 1024;

/** What the memory holds before any script. */
const baseMemory = 16 * 2 ** 20;

/** As stacks name the script. */
const fileName = 'script';

/** In its first line, so that all others stand where they stood. */
const opening = '(async function(input){"use strict";';
/** In a line of its own, because the last one may end in a comment. */
const closing = '\n})';

/**
 * Makes the machine once and keeps an image of its memory, to which each script begins anew.
 * @param module the compiled WebAssembly of QuickJS
 */
export async function createJsMachine(module: WebAssembly.Module): Promise<JsMachine> {
  const engine = await newQuickJSWASMModuleFromVariant(newVariant(quickJs, { wasmModule: module }));
  const memory = engine.getWasmMemory();
  const limit = limiterOf(memory);
  const runtime = engine.newRuntime();
  runtime.setMaxStackSize(stackBytes);
  const modules = new ModuleSource();
  runtime.setModuleLoader(
    (name) => modules.read(name),
    (importer, name) => modules.nameOf(importer, name),
  );
  const context = runtime.newContext();
  let log: Log = () => undefined;
  const logFunction = context.newFunction('log', (level, text) =>
    log(context.getString(level), context.getString(text)),
  );
  let ask: CallEngine = () => undefined;
  const traceFunction = context.newFunction('trace', (name, data) => {
    ask('trace', { name: context.getString(name), data: JSON.parse(context.getString(data)) });
  });
  const prelude = context.unwrapResult(context.evalCode(preludeCode, 'prelude'));
  const beginScript = context.unwrapResult(context.callFunction(prelude, context.undefined, logFunction));
  const image = takeImage(memory);
  const sandbox = { context, beginScript, traceFunction, isFull: limit.isReached };
  return {
    run(order, tell, call) {
      image.restore();
      limit.set(baseMemory + order.memoryBytes);
      log = tell;
      ask = call;
      modules.readBy('agent' in order ? call : undefined);
      if ('check' in order) return checkCode(order, sandbox, image);
      return 'agent' in order ? agentOutcome(order, sandbox, call) : new Run(order, sandbox).outcome();
    },
    memorySize: () => memory.buffer.byteLength,
  };
}

interface MemoryImage {
  restore(): void;
}

/**
 * Takes an image, outside of all calls. The longest stretch of empty pages is the stack, on which nothing lies now; what lies behind
 * the last page is not taken yet.
 */
function takeImage(memory: WebAssembly.Memory): MemoryImage {
  const bytes = new Uint8Array(memory.buffer);
  const pages = Array.from({ length: bytes.length / pageBytes }, (_, page) =>
    bytes.subarray(page * pageBytes, (page + 1) * pageBytes).some((byte) => byte !== 0),
  );
  const used = pages.slice(0, pages.lastIndexOf(true) + 1);
  const stack = longestGap(used);
  const parts = [
    [0, stack.start],
    [stack.end, used.length],
  ].map(([start = 0, end = 0]) => ({ at: start * pageBytes, held: bytes.slice(start * pageBytes, end * pageBytes) }));
  return {
    restore() {
      const present = new Uint8Array(memory.buffer);
      for (const { at, held } of parts) present.set(held, at);
    },
  };
}

function longestGap(used: readonly boolean[]): { readonly start: number; readonly end: number } {
  let longest = { start: 0, end: 0 };
  for (let start = 0; start < used.length; start++) {
    let end = start;
    while (used[end] === false) end++;
    if (end - start > longest.end - longest.start) longest = { start, end };
    start = end;
  }
  return longest;
}

interface MemoryLimit {
  /** How many bytes there may be from now on. */
  set(bytes: number): void;
  /** Whether more was asked for since then. */
  isReached(): boolean;
}

/** Limits a memory from outside, since QuickJS does not know here how much it has taken. */
function limiterOf(memory: WebAssembly.Memory): MemoryLimit {
  const grow = memory.grow.bind(memory);
  let most = Number.POSITIVE_INFINITY;
  let isReached = false;
  const growWithin = (pages: number): number => {
    isReached ||= memory.buffer.byteLength + pages * pageBytes > most;
    if (memory.buffer.byteLength + pages * pageBytes > most) throw new RangeError('The memory has reached its limit');
    return grow(pages);
  };
  Object.defineProperty(memory, 'grow', { value: growWithin });
  return {
    set(bytes) {
      most = bytes;
      isReached = false;
    },
    isReached: () => isReached,
  };
}

/** What a script begins with. Handles need not be freed: the memory is what it was before the next one. */
interface Sandbox {
  readonly context: QuickJSContext;
  /** Prepares the input, and returns what runs the script; see `preludeCode`. */
  readonly beginScript: QuickJSHandle;
  /** For agents. */
  readonly traceFunction: QuickJSHandle;
  /** Whether there was no more memory at some time. */
  isFull(): boolean;
}

/** For each text why it does not compile, with the line; null = it does. */
function checkCode({ check }: JsCheck, { context }: Sandbox, image: MemoryImage): ScriptOutcome {
  const problems = check.map((code): JsonValue => {
    image.restore();
    const { error } = context.evalCode(opening + code + closing, fileName, { compileOnly: true });
    if (error === undefined) return null;
    const { line = 1, message } = syntaxProblem(dumped(context, error), code);
    return { line, message };
  });
  return { isOk: true, value: problems };
}

/** An agent has what is around a script as well. */
function agentOutcome(order: JsAgent, sandbox: Sandbox, call: CallEngine): ScriptOutcome {
  const { context } = sandbox;
  const run = new Run({ ...order, code: '' }, sandbox);
  const begin = () => context.unwrapResult(run.begin());
  const record = (thrown: ThrownError): ErrorRecord =>
    recordModule(thrown, { memoryBytes: order.memoryBytes, isFull: sandbox.isFull() });
  const own = { begin, record, read: (end: QuickJSHandle) => run.read(end, record) };
  return runAgent(order, { ...sandbox, ...own }, { call, dump: (error) => dumped(context, error) });
}

type Called = ReturnType<QuickJSContext['callFunction']>;

class Run {
  readonly #script: JsScript;
  readonly #sandbox: Sandbox;

  constructor(script: JsScript, sandbox: Sandbox) {
    this.#script = script;
    this.#sandbox = sandbox;
  }

  outcome(): ScriptOutcome {
    const { context } = this.#sandbox;
    const { code } = this.#script;
    const compiled = context.evalCode(opening + code + closing, fileName);
    if (compiled.error !== undefined) return this.#uncompiled(compiled.error);
    const script = compiled.value;
    const begun = this.begin();
    if (begun.error !== undefined) return this.#broken(begun.error);
    const around = begun.value;
    const started = this.#call(around, 'run', script);
    if (started.error !== undefined) return this.#broken(started.error);
    const jobs = context.runtime.executePendingJobs();
    if (jobs.error !== undefined) return this.#broken(jobs.error);
    const ended = this.#call(around, 'end');
    if (ended.error !== undefined) return this.#broken(ended.error);
    return this.read(ended.value);
  }

  begin(): Called {
    const { context, beginScript } = this.#sandbox;
    const { inputText, maxResultBytes } = this.#script;
    const seed = new Uint32Array(new Uint8Array(randomBytes(16)).buffer);
    const numbers = [maxResultBytes, ...seed].map((value) => context.newNumber(value));
    return context.callFunction(beginScript, context.undefined, context.newString(inputText), ...numbers);
  }

  #call(around: QuickJSHandle, name: string, ...args: QuickJSHandle[]): Called {
    const { context } = this.#sandbox;
    return context.callFunction(context.getProp(around, name), context.undefined, ...args);
  }

  #uncompiled(error: QuickJSHandle): ScriptOutcome {
    return failed(recordSyntax(dumped(this.#sandbox.context, error), this.#told()));
  }

  /** What the sandbox itself could not do, above all for want of memory. */
  #broken(error: QuickJSHandle): ScriptOutcome {
    const { context } = this.#sandbox;
    return failed(recordThrown(dumped(context, error), this.#told()));
  }

  /** How it has ended. @param record what the engine makes of what was thrown */
  read(
    end: QuickJSHandle,
    record = (thrown: ThrownError): ErrorRecord => recordThrown(thrown, this.#told()),
  ): ScriptOutcome {
    const { context } = this.#sandbox;
    const { maxResultBytes } = this.#script;
    if (context.typeof(end) === 'undefined') return failed(neverEnds());
    const part = (at: number): string => context.getString(context.getProp(end, at));
    switch (part(0)) {
      case 'value':
        return { isOk: true, value: JSON.parse(part(1)) as JsonValue };
      case 'culprit':
        return failed(badResult(JSON.parse(part(1)) as (string | number)[], part(2)));
      case 'large':
        return failed(largeResult(maxResultBytes));
      default:
        return failed(record({ name: part(1), message: part(2), stack: part(3) }));
    }
  }

  #told(): Parameters<typeof recordThrown>[1] {
    const { code, memoryBytes } = this.#script;
    return { code, memoryBytes, isFull: this.#sandbox.isFull() };
  }
}

function failed(error: ErrorRecord): ScriptOutcome {
  return { isOk: false, error };
}

/** An error of the sandbox's own making, which is what it seems. */
function dumped(context: QuickJSContext, error: QuickJSHandle): ThrownError {
  const found: unknown = context.dump(error);
  const { name, message, stack } = Object(found) as Readonly<Record<string, unknown>>;
  return { name: String(name ?? ''), message: String(message ?? found), stack: String(stack ?? '') };
}
