/**
 * What the engine and a worker that runs scripts say to each other.
 */
import type { MessagePort } from 'node:worker_threads';
import type { ErrorRecord } from '../base/engine-error.ts';
import type { HostCallName } from './host-calls.ts';
import type { MachineScript, ScriptOutcome } from './vm/machine.ts';

/** What a worker is started with. */
export interface WorkerSetup {
  /** Lua, compiled. */
  readonly module: WebAssembly.Module;
  /** Where answers to host calls arrive. */
  readonly answers: MessagePort;
  /** Four bytes: 1 = an answer is there. The worker sleeps on them. */
  readonly flag: SharedArrayBuffer;
}

/** To a worker. It runs one script at a time. */
export type WorkerOrder = MachineScript;

/** From a worker. */
export type WorkerReport =
  | { readonly type: 'ready' }
  | { readonly type: 'call'; readonly name: HostCallName; readonly params: unknown }
  | {
      readonly type: 'done';
      readonly outcome: ScriptOutcome;
      /** Bytes that the worker's Lua memory takes by now. */
      readonly memoryBytes: number;
    };

export type HostAnswer =
  | { readonly isOk: true; readonly value: unknown }
  | { readonly isOk: false; readonly error: ErrorRecord };
