/**
 * Runs JavaScript in QuickJS, each script in a machine of its own, one after the other. One for each thread.
 */
import quickJs from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  Scope,
} from 'quickjs-emscripten-core';
import type { ErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { ScriptOutcome } from '../workers/worker-protocol.ts';
import {
  badResult,
  largeResult,
  neverEnds,
  recordSyntax,
  recordThrown,
  syntaxProblem,
  type ThrownError,
} from './js-failure.ts';
import { preludeCode } from './prelude.ts';

/** What a machine is given. */
export type JsOrder = JsScript | JsCheck;

/** Texts that are to be compiled and not run. */
interface JsCheck {
  readonly check: readonly string[];
  readonly memoryBytes: number;
}

export interface JsScript {
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
  run(order: JsOrder, log: Log): ScriptOutcome;
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

/** @param module the compiled WebAssembly of QuickJS */
export async function createJsMachine(module: WebAssembly.Module): Promise<JsMachine> {
  const engine = await newQuickJSWASMModuleFromVariant(newVariant(quickJs, { wasmModule: module }));
  const limit = limiterOf(engine.getWasmMemory());
  let isBroken = false;
  const inSandbox: InSandbox = (memoryBytes, work) => {
    limit.set(baseMemory + memoryBytes);
    const runtime = engine.newRuntime();
    runtime.setMaxStackSize(stackBytes);
    const scope = new Scope();
    const context = scope.manage(runtime.newContext());
    const outcome = work({ context, keep: (handle) => scope.manage(handle), isFull: limit.isReached });
    try {
      scope.dispose();
      runtime.dispose();
    } catch {
      // What a script has left behind cannot be cleared away; what it gave is good.
      isBroken = true;
    }
    return outcome;
  };
  return {
    run: (order, log) => ('check' in order ? checkCode(order, inSandbox) : runScript(order, log, inSandbox)),
    memorySize: () => (isBroken ? Number.POSITIVE_INFINITY : engine.getWasmMemory().buffer.byteLength),
  };
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

interface Sandbox {
  readonly context: QuickJSContext;
  /** Keeps a handle as long as the sandbox. */
  keep(handle: QuickJSHandle): QuickJSHandle;
  /** Whether there was no more memory at some time. */
  isFull(): boolean;
}

/** Does work in a sandbox of its own. @throws unknown when the machine is broken and must not be used again */
type InSandbox = <T>(memoryBytes: number, work: (sandbox: Sandbox) => T) => T;

function runScript(script: JsScript, log: Log, inSandbox: InSandbox): ScriptOutcome {
  return inSandbox(script.memoryBytes, (sandbox) => new Run(script, log, sandbox).outcome());
}

/** For each text why it does not compile, with the line; null = it does. */
function checkCode({ check, memoryBytes }: JsCheck, inSandbox: InSandbox): ScriptOutcome {
  const problems = check.map((code) =>
    inSandbox(memoryBytes, ({ context, keep }): JsonValue => {
      const compiled = context.evalCode(opening + code + closing, fileName, { compileOnly: true });
      if (compiled.error === undefined) {
        keep(compiled.value);
        return null;
      }
      const { line = 1, message } = syntaxProblem(dumped(context, keep(compiled.error)), code);
      return { line, message };
    }),
  );
  return { isOk: true, value: problems };
}

type Called = ReturnType<QuickJSContext['callFunction']>;

class Run {
  readonly #script: JsScript;
  readonly #sandbox: Sandbox;
  readonly #log: Log;

  constructor(script: JsScript, log: Log, sandbox: Sandbox) {
    this.#script = script;
    this.#sandbox = sandbox;
    this.#log = log;
  }

  outcome(): ScriptOutcome {
    const { context, keep } = this.#sandbox;
    const { code } = this.#script;
    const compiled = context.evalCode(opening + code + closing, fileName);
    if (compiled.error !== undefined) return this.#uncompiled(keep(compiled.error));
    const script = keep(compiled.value);
    const begun = this.#begin();
    if (begun.error !== undefined) return this.#broken(begun.error);
    const around = keep(begun.value);
    const started = this.#call(around, 'run', script);
    if (started.error !== undefined) return this.#broken(started.error);
    keep(started.value);
    const jobs = context.runtime.executePendingJobs();
    if (jobs.error !== undefined) return this.#broken(jobs.error);
    const ended = this.#call(around, 'end');
    if (ended.error !== undefined) return this.#broken(ended.error);
    return this.#read(keep(ended.value));
  }

  #begin(): Called {
    const { context, keep } = this.#sandbox;
    const prelude = context.evalCode(preludeCode, 'prelude');
    if (prelude.error !== undefined) return prelude;
    const log = context.newFunction('log', (level, text) =>
      this.#log(context.getString(level), context.getString(text)),
    );
    const { inputText, maxResultBytes } = this.#script;
    const args = [log, context.newString(inputText), context.newNumber(maxResultBytes)].map(keep);
    return context.callFunction(keep(prelude.value), context.undefined, ...args);
  }

  #call(around: QuickJSHandle, name: string, ...args: QuickJSHandle[]): Called {
    const { context, keep } = this.#sandbox;
    return context.callFunction(keep(context.getProp(around, name)), context.undefined, ...args);
  }

  #uncompiled(error: QuickJSHandle): ScriptOutcome {
    return failed(recordSyntax(dumped(this.#sandbox.context, error), this.#told()));
  }

  /** What the sandbox itself could not do, above all for want of memory. */
  #broken(error: QuickJSHandle): ScriptOutcome {
    const { context, keep } = this.#sandbox;
    return failed(recordThrown(dumped(context, keep(error)), this.#told()));
  }

  #read(end: QuickJSHandle): ScriptOutcome {
    const { context, keep } = this.#sandbox;
    const { maxResultBytes } = this.#script;
    if (context.typeof(end) === 'undefined') return failed(neverEnds());
    const part = (at: number): string => context.getString(keep(context.getProp(end, at)));
    switch (part(0)) {
      case 'value':
        return { isOk: true, value: JSON.parse(part(1)) as JsonValue };
      case 'culprit':
        return failed(badResult(JSON.parse(part(1)) as (string | number)[], part(2)));
      case 'large':
        return failed(largeResult(maxResultBytes));
      default:
        return failed(recordThrown({ name: part(1), message: part(2), stack: part(3) }, this.#told()));
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
