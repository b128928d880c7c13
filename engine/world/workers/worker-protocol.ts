/**
 * Messages between the engine and workers of any kind.
 */
import type { ErrorRecord } from '../../base/engine-error.ts';
import type { JsonValue } from '../../language/json/json-value.ts';

/** A worker's program. */
export interface WorkerProgram {
  /** A single CommonJS module as text. */
  readonly code: string;
  /** The compiled WebAssembly that the program runs. */
  readonly module?: WebAssembly.Module;
}

/** Data that a worker receives when it starts. */
export interface WorkerSetup {
  readonly module: WebAssembly.Module | undefined;
  /** Four bytes on which the worker sleeps; 1 if the engine has sent a message. */
  readonly flag: SharedArrayBuffer;
}

/** A worker's first message: it is ready for its first order. */
export interface WorkerReady {
  /** The worker's thread number; undefined if the system does not number threads. */
  readonly thread: number | undefined;
}

/** The outcome of a script. */
export type ScriptOutcome =
  | { readonly isOk: true; readonly value: JsonValue }
  | { readonly isOk: false; readonly error: ErrorRecord };

/** A message from a worker that runs a script. */
export type ScriptReport =
  | { readonly type: 'call'; readonly name: string; readonly params: unknown }
  | {
      readonly type: 'done';
      readonly outcome: ScriptOutcome;
      /** Current memory usage of the worker's interpreter, in bytes. */
      readonly memoryBytes: number;
    };

/** A message to a worker, sent for each call that its script makes. */
export type HostAnswer =
  | { readonly isOk: true; readonly value: unknown }
  | { readonly isOk: false; readonly error: ErrorRecord };
