/**
 * What the engine and a worker that runs scripts say to each other, whatever language the scripts are in.
 */
import type { MessagePort } from 'node:worker_threads';
import type { ErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';

/** The program that workers run. */
export interface WorkerProgram {
  /** CommonJS, for `new Worker(code, { eval: true })`. */
  readonly code: string;
  /** The language's machine, compiled. */
  readonly module: WebAssembly.Module;
}

/** What a worker is started with. */
export interface WorkerSetup {
  readonly module: WebAssembly.Module;
  /** Where scripts arrive, one at a time, and answers to their calls. */
  readonly answers: MessagePort;
  /** Four bytes: 1 = a script or an answer is there. The worker sleeps on them. */
  readonly flag: SharedArrayBuffer;
}

/** How a script ended. */
export type ScriptOutcome =
  | { readonly isOk: true; readonly value: JsonValue }
  | { readonly isOk: false; readonly error: ErrorRecord };

/** From a worker. To it go scripts, one at a time. */
export type WorkerReport =
  /** With the number of the worker's thread, where the system has one. */
  | { readonly type: 'ready'; readonly thread?: number | undefined }
  | { readonly type: 'call'; readonly name: string; readonly params: unknown }
  | {
      readonly type: 'done';
      readonly outcome: ScriptOutcome;
      /** Bytes that the worker's machine takes by now. */
      readonly memoryBytes: number;
    };

export type HostAnswer =
  | { readonly isOk: true; readonly value: unknown }
  | { readonly isOk: false; readonly error: ErrorRecord };
