/**
 * What the engine and a worker of any kind send each other.
 */
import type { ErrorRecord } from '../../base/engine-error.ts';
import type { JsonValue } from '../../language/json/json-value.ts';

/** The program of a worker. */
export interface WorkerProgram {
  /** CommonJS, as one text. */
  readonly code: string;
  /** The WebAssembly that it runs, compiled. */
  readonly module?: WebAssembly.Module;
}

/** Data with which a worker is started. */
export interface WorkerSetup {
  readonly module: WebAssembly.Module | undefined;
  /** Four bytes: 1 = the engine has sent something. The worker sleeps on them. */
  readonly flag: SharedArrayBuffer;
}

/** A worker's first message: it waits for its first order. */
export interface WorkerReady {
  /** The number of its thread, where the system has one. */
  readonly thread: number | undefined;
}

/** The outcome of a script. */
export type ScriptOutcome =
  | { readonly isOk: true; readonly value: JsonValue }
  | { readonly isOk: false; readonly error: ErrorRecord };

/** From a worker that runs a script. */
export type ScriptReport =
  | { readonly type: 'call'; readonly name: string; readonly params: unknown }
  | {
      readonly type: 'done';
      readonly outcome: ScriptOutcome;
      /** Current memory of the worker's interpreter in bytes. */
      readonly memoryBytes: number;
    };

/** To a worker, for each call of its script. */
export type HostAnswer =
  | { readonly isOk: true; readonly value: unknown }
  | { readonly isOk: false; readonly error: ErrorRecord };
