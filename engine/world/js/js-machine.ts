/**
 * Runs JavaScript in QuickJS, each script in a fresh interpreter, one after the other. There is one instance per
 * thread.
 */
import { randomBytes } from 'node:crypto';
import quickJs from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten-core';
import type { ErrorRecord } from '../../base/engine-error.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
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

/** An interpreter's input. */
export type JsOrder = JsScript | JsCheck | JsAgent;

/** Text to compile without running it. */
interface JsCheck {
  readonly check: readonly string[];
  readonly memoryBytes: number;
}

interface JsScript {
  /** A function body. */
  readonly code: string;
  /** The script's `input` as JSON text. */
  readonly inputText: string;
  /** Maximum size of the result as JSON, in bytes. */
  readonly maxResultBytes: number;
  readonly memoryBytes: number;
}

/** Receives a line of the script's log. */
type WriteScriptLog = (level: string, text: string) => void;

interface JsMachine {
  /** @param call calls the engine, for agents */
  run(order: JsOrder, log: WriteScriptLog, call: CallEngine): ScriptOutcome;
  /** Returns the size of its memory in bytes, which never shrinks. */
  memorySize(): number;
}

/** QuickJS stack size in bytes. Must be smaller than the thread's stack. */
const stackBytes = 256 * 1024;

/** Page size of WebAssembly memory. */
const pageBytes = 64 * 1024;

/** Memory size before any script runs, in bytes. */
const baseMemory = 16 * 2 ** 20;

/** The script's file name in stack traces. */
const fileName = 'script';

/** On the first line, so that line numbers do not change. */
const opening = '(async function(input){"use strict";';
/** On a separate line, because the last line may end in a comment. */
const closing = '\n})';

/**
 * Creates the interpreter once and keeps an image of its memory, from which each script starts.
 * @param module QuickJS as compiled WebAssembly
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
  let log: WriteScriptLog = () => undefined;
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
      return 'agent' in order ? agentOutcome(order, sandbox, call) : new JsScriptRun(order, sandbox).outcome();
    },
    memorySize: () => memory.buffer.byteLength,
  };
}

interface JsMemoryImage {
  restore(): void;
}

/**
 * Takes a memory image while no call is active. The longest range of empty pages is the stack, which is empty now.
 * Pages past the end are not allocated yet.
 */
function takeImage(memory: WebAssembly.Memory): JsMemoryImage {
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
  /** Sets the maximum number of bytes from now on. */
  set(bytes: number): void;
  /** Returns whether the limit was exceeded since then. */
  isReached(): boolean;
}

/** Limits memory from outside, because QuickJS does not track its memory usage here. */
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

/** A script's environment. Handles do not have to be freed, because the memory is reset before the next script. */
interface Sandbox {
  readonly context: QuickJSContext;
  /** Prepares the input, and returns the function that runs the script; see `preludeCode`. */
  readonly beginScript: QuickJSHandle;
  /** For agents. */
  readonly traceFunction: QuickJSHandle;
  /** Returns whether it ran out of memory at some point. */
  isFull(): boolean;
}

/** Returns the compile error of each text, with the line; null if it compiles. */
function checkCode({ check }: JsCheck, { context }: Sandbox, image: JsMemoryImage): ScriptOutcome {
  const problems = check.map((code): JsonValue => {
    image.restore();
    const { error } = context.evalCode(opening + code + closing, fileName, { compileOnly: true });
    if (error === undefined) return null;
    const { line = 1, message } = syntaxProblem(dumped(context, error), code);
    return { line, message };
  });
  return { isOk: true, value: problems };
}

/** An agent has the same environment as a script. */
function agentOutcome(order: JsAgent, sandbox: Sandbox, call: CallEngine): ScriptOutcome {
  const { context } = sandbox;
  const run = new JsScriptRun({ ...order, code: '' }, sandbox);
  const begin = () => context.unwrapResult(run.begin());
  const record = (thrown: ThrownError): ErrorRecord =>
    recordModule(thrown, { memoryBytes: order.memoryBytes, isFull: sandbox.isFull() });
  const own = { begin, record, read: (end: QuickJSHandle) => run.read(end, record) };
  return runAgent(order, { ...sandbox, ...own }, { call, dump: (error) => dumped(context, error) });
}

type Called = ReturnType<QuickJSContext['callFunction']>;

class JsScriptRun {
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

  /** Returns the outcome of a failure of the sandbox itself, usually because it ran out of memory. */
  #broken(error: QuickJSHandle): ScriptOutcome {
    const { context } = this.#sandbox;
    return failed(recordThrown(dumped(context, error), this.#told()));
  }

  /** Returns how it has ended. @param record converts a thrown value */
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

/** Reads an error created by the sandbox itself, which is trustworthy. */
function dumped(context: QuickJSContext, error: QuickJSHandle): ThrownError {
  const found: unknown = context.dump(error);
  const { name, message, stack } = Object(found) as Readonly<Record<string, unknown>>;
  return { name: String(name ?? ''), message: String(message ?? found), stack: String(stack ?? '') };
}
