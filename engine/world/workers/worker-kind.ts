/**
 * The differences between kinds of workers, as data.
 */
import type { ResourceLimits } from 'node:worker_threads';
import type { EngineError } from '../../base/engine-error.ts';
import type { WorkerProgram } from './worker-protocol.ts';

/** A kind of worker: its program and its limits. */
export interface WorkerKind {
  /** The thread's name in debuggers and process lists. */
  readonly name: string;
  /** Called for each worker. Programs are large, so they are loaded when the first worker starts. */
  readonly loadProgram: () => Promise<WorkerProgram>;
  /** Limits on the worker's own JavaScript. */
  readonly resourceLimits: ResourceLimits;
  /** Maximum number of jobs that compute at once; jobs that wait for the engine do not count. */
  readonly size: number;
  /** Maximum number of idle workers kept for later jobs; 0 if each job starts a new worker. */
  readonly kept: number;
  /** Milliseconds after which an idle worker is ended; absent to keep it until the pool is closed. */
  readonly idleMs?: number;
  /** Creates a job's error after its worker died. @param error undefined if the worker ended without an error */
  readonly failureOf: (error: Error | undefined) => EngineError;
}
