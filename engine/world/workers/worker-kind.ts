/**
 * What differs between kinds of workers, as data.
 */
import type { ResourceLimits } from 'node:worker_threads';
import type { EngineError } from '../../base/engine-error.ts';
import type { WorkerProgram } from './worker-protocol.ts';

/** A kind of workers: what they run, and how much of it at once. */
export interface WorkerKind {
  /** For people who look at the threads of a process. */
  readonly name: string;
  /** Called for each worker. Programs are large, so they are loaded when the first worker starts. */
  readonly loadProgram: () => Promise<WorkerProgram>;
  /** Of the worker's own JavaScript. */
  readonly resourceLimits: ResourceLimits;
  /** How many jobs may compute at once; those that wait for the engine do not count. */
  readonly size: number;
  /** How many workers without work are kept for later jobs. If none is, each job has a worker of its own. */
  readonly kept: number;
  /** Milliseconds after which a worker without work is ended; absent = it is kept until the pool is closed. */
  readonly idleMs?: number;
  /** What a job fails with when its worker died of it. @param error undefined when the worker ended without one */
  readonly failureOf: (error: Error | undefined) => EngineError;
}
