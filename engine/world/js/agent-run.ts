/**
 * Runs an agent written as a class. Its modules are read as they are imported. Whenever it has nothing else to do, all
 * its model requests are sent at once, so that concurrent requests are answered together.
 */
import { posix } from 'node:path';
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import { EngineError, type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import type { ScriptOutcome } from '../workers/worker-protocol.ts';
import { agentDriverCode, libraryCode, libraryName } from './agent-code.ts';
import type { ThrownError } from './js-failure.ts';

/** An agent in a module to run, or a module whose agents to list. */
export interface JsAgent {
  /** The module's file, relative to the agent folder, with `/`. */
  readonly module: string;
  /** The agent's name; empty to list all of the module's agents as `{ export, name, kind, problem }`. */
  readonly agent: string;
  /** The step as JSON text. */
  readonly inputText: string;
  /** Maximum size of the result as JSON, in bytes. */
  readonly maxResultBytes: number;
  readonly memoryBytes: number;
}

/** Calls the engine and waits for the result. */
export type CallEngine = (name: 'module' | 'ask' | 'trace', params: unknown) => unknown;

/** Prefix of modules that may not be imported. Rejecting the name itself would not produce a useful error. */
const refusedPrefix = 'refused:';

/** Resolves the modules that a module may import: other modules in its folder, and the library. */
export class ModuleSource {
  #call: CallEngine | undefined;

  /** Sets how modules are read from now on; undefined if imports are not allowed. */
  readBy(call: CallEngine | undefined): void {
    this.#call = call;
  }

  /** Resolves a module name relative to the importing module. */
  nameOf(importer: string, name: string): string {
    if (name === libraryName) return name;
    const isRelative = name.startsWith('./') || name.startsWith('../');
    const found = posix.normalize(posix.join(posix.dirname(importer), name));
    return isRelative && !found.startsWith('..') ? found : refusedPrefix + name;
  }

  /** Returns a module's text by its resolved name. */
  read(name: string): string | { readonly error: Error } {
    const call = this.#call;
    if (call === undefined) return { error: new ReferenceError('Imports are not available here') };
    if (name === libraryName) return libraryCode;
    if (name.startsWith(refusedPrefix)) return { error: refused(name.slice(refusedPrefix.length)) };
    try {
      return String(call('module', { path: name }));
    } catch (thrown) {
      return { error: new ReferenceError(toErrorRecord(thrown).message) };
    }
  }
}

function refused(name: string): Error {
  return new ReferenceError(
    `An agent can only import "${libraryName}" and files in its own folder, such as "./words.mjs". "${name}" is neither`,
  );
}

/** The sandbox in which an agent starts. */
export interface AgentSandbox {
  readonly context: QuickJSContext;
  /** Starts a run, and returns its driver, like the prelude's function. */
  begin(): QuickJSHandle;
  /** Returns how the run ended; undefined while it waits. */
  read(end: QuickJSHandle): ScriptOutcome;
  readonly traceFunction: QuickJSHandle;
  /** Converts a thrown value to an engine error. */
  record(thrown: ThrownError): ErrorRecord;
}

/** A value thrown in the sandbox; its handle is the cause. */
class Thrown extends Error {
  readonly handle: QuickJSHandle;

  constructor(handle: QuickJSHandle) {
    super('The sandbox threw a value');
    this.handle = handle;
  }
}

/** @param dump converts a thrown value to text */
export function runAgent(
  order: JsAgent,
  sandbox: AgentSandbox,
  { call, dump }: { readonly call: CallEngine; readonly dump: (error: QuickJSHandle) => ThrownError },
): ScriptOutcome {
  try {
    return new JsAgentRun(order, sandbox, call).outcome();
  } catch (thrown) {
    if (!(thrown instanceof Thrown)) return { isOk: false, error: toErrorRecord(thrown) };
    return { isOk: false, error: sandbox.record(dump(thrown.handle)) };
  }
}

class JsAgentRun {
  readonly #order: JsAgent;
  readonly #sandbox: AgentSandbox;
  readonly #call: CallEngine;

  constructor(order: JsAgent, sandbox: AgentSandbox, call: CallEngine) {
    this.#order = order;
    this.#sandbox = sandbox;
    this.#call = call;
  }

  outcome(): ScriptOutcome {
    const { context, traceFunction, begin } = this.#sandbox;
    const around = begin();
    const driver = this.#do(() => context.evalCode(agentDriverCode, 'prelude'));
    const bind = this.#do(() => context.callFunction(driver, context.undefined, traceFunction));
    const library = this.#module(`export * from ${JSON.stringify(libraryName)};`, 'prelude');
    const source = String(this.#call('module', { path: this.#order.module }));
    const exported = this.#module(source, this.#order.module);
    const wanted = context.newString(this.#order.agent);
    const agent = this.#do(() => context.callFunction(bind, context.undefined, exported, library, wanted));
    this.#invoke(around, 'run', context.getProp(agent, 'run'));
    return this.#untilEnded(around, agent);
  }

  #untilEnded(around: QuickJSHandle, agent: QuickJSHandle): ScriptOutcome {
    const { context, read } = this.#sandbox;
    for (;;) {
      this.#do(() => context.runtime.executePendingJobs() as ReturnType<QuickJSContext['evalCode']>);
      const end = this.#invoke(around, 'end');
      if (context.typeof(end) !== 'undefined') return read(end);
      const asked = context.getString(this.#invoke(agent, 'take'));
      if (asked === '') return read(end);
      const answers = this.#call('ask', { requests: JSON.parse(asked) });
      this.#invoke(agent, 'give', context.newString(JSON.stringify(answers)));
    }
  }

  /** Returns a module's exports once its top-level await has completed. */
  #module(source: string, name: string): QuickJSHandle {
    const { context } = this.#sandbox;
    const evaluated = this.#do(() => context.evalCode(source, name, { type: 'module' }));
    this.#do(() => context.runtime.executePendingJobs() as ReturnType<QuickJSContext['evalCode']>);
    const state = context.getPromiseState(evaluated);
    if (state.type === 'fulfilled') return state.value;
    if (state.type === 'rejected') throw new Thrown(state.error);
    throw new EngineError({
      code: 'js.error',
      message: `JavaScript error:\nThe module ${name} waits for a promise that can never settle`,
    });
  }

  #invoke(owner: QuickJSHandle, name: string, ...args: QuickJSHandle[]): QuickJSHandle {
    const { context } = this.#sandbox;
    return this.#do(() => context.callFunction(context.getProp(owner, name), owner, ...args));
  }

  #do(work: () => ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    const done = work();
    if (done.error !== undefined) throw new Thrown(done.error);
    return done.value;
  }
}
