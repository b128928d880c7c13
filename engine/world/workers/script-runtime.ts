/**
 * Runs scripts of one language, each in a new interpreter inside a worker, with limits that scripts cannot bypass.
 */

import { availableParallelism } from 'node:os';
import { type Clock, longestDelayMs, systemClock } from '../../base/clock.ts';
import { EngineError, fromErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { WorkerKind } from './worker-kind.ts';
import { type WorkerJob, WorkerPool } from './worker-pool.ts';
import type { HostAnswer, ScriptOutcome, ScriptReport, WorkerProgram } from './worker-protocol.ts';
import type { OrderInWork } from './worker-thread.ts';

export interface ScriptRuntimeOptions {
  /**
   * Maximum number of scripts that compute at once; scripts that wait for the engine do not count. Default: the number
   * of processors, at least 2.
   */
  readonly poolSize?: number;
  /** Milliseconds after which an idle worker is stopped. Default 30,000. */
  readonly idleMs?: number;
  /** Clock for timeouts. Default: the system clock. */
  readonly clock?: Clock;
}

interface ScriptLimits {
  readonly signal: AbortSignal;
  /** Timeout in milliseconds, including time waiting for the engine; null for none. */
  readonly timeoutMs: number | null;
  /** Limit on computing time in milliseconds, regardless of the load on the machine; absent for none. */
  readonly computeMs?: number;
  /** Memory limit of the interpreter in bytes. Default 256 MiB. */
  readonly memoryBytes?: number;
}

/** Engine calls that scripts can make, by name. The signal aborts when the script is stopped. */
type HostFunctions = Readonly<Record<string, (params: never, signal: AbortSignal) => Promise<unknown>>>;

/** @typeParam Script input of the language's interpreter, except the memory limit */
export interface ScriptRuntime<Script, Host extends HostFunctions = HostFunctions> {
  /**
   * Runs a script and returns its result.
   * @throws EngineError the interpreter's error, `<area>.timeout`, `<area>.memory`, `<area>.crashed` (its worker
   * died), `<area>.closed`, where the area is the language's; or the signal's reason if it aborts
   */
  run(script: Script, host: Host, limits: ScriptLimits): Promise<JsonValue>;
  /** Stops all scripts and workers. */
  close(): Promise<void>;
  /** Number of workers, busy and idle. */
  readonly workerCount: number;
}

const defaultMemoryBytes = 256 * 2 ** 20;
const defaultIdleMs = 30_000;
/** A call that takes longer than this many milliseconds gives up its place among the computing scripts. */
const shortCallMs = 20;
/**
 * Minimum number of workers kept on any machine, because scripts that wait for scripts they called hold their workers.
 */
const leastKept = 8;
/** Above these limits, the fault is in the worker's own JavaScript, not in the script. */
const resourceLimits = { maxOldGenerationSizeMb: 1024, stackSizeMb: 4 };
/** An interpreter's memory never shrinks, so a worker above this size is not reused. */
const reusableBytes = 64 * 2 ** 20;

class Runtime<Script extends object, Host extends HostFunctions> implements ScriptRuntime<Script, Host> {
  readonly #language: ScriptLanguage;
  readonly #pool: WorkerPool;
  readonly #clock: Clock;

  constructor(language: ScriptLanguage, { poolSize, idleMs, clock = systemClock }: ScriptRuntimeOptions) {
    this.#language = language;
    this.#pool = new WorkerPool(
      scriptKind(language, { size: poolSize ?? Math.max(2, availableParallelism()), idleMs }),
    );
    this.#clock = clock;
  }

  get workerCount(): number {
    return this.#pool.workerCount;
  }

  async run(script: Script, host: Host, limits: ScriptLimits): Promise<JsonValue> {
    const { signal, timeoutMs, computeMs, memoryBytes = defaultMemoryBytes } = limits;
    const outcome = await this.#pool.run(signal, async (job) => {
      const endTimer = timeoutMs === null ? undefined : this.#startTimer(timeoutMs, job);
      if (computeMs !== undefined) {
        job.limitComputing(computeMs, () => this.#tooLong(`computed for more than ${durationText(computeMs)}`));
      }
      try {
        return await this.#runIn(job, { ...script, memoryBytes }, host);
      } finally {
        endTimer?.();
      }
    });
    if (outcome.isOk) return outcome.value;
    throw fromErrorRecord(outcome.error);
  }

  close(): Promise<void> {
    return this.#pool.close(closedError(this.#language));
  }

  #runIn(job: WorkerJob, script: Script, host: Host): Promise<ScriptOutcome> {
    return job.worker.run<ScriptReport, ScriptOutcome>(script, (report, order) => {
      if (report.type === 'call') {
        const { name, params } = report;
        void answerTo(
          order,
          this.#pausing(job, name, () => callHost(host, job.signal, [name, params])),
        );
        return;
      }
      if (report.memoryBytes > reusableBytes) job.worker.retire();
      order.end(report.outcome);
    });
  }

  #startTimer(timeoutMs: number, job: WorkerJob): () => void {
    const expire = (): void => job.cancel(this.#tooLong(`took longer than ${durationText(timeoutMs)}`));
    return this.#clock.setTimer(expire, Math.min(timeoutMs, longestDelayMs));
  }

  #tooLong(what: string): EngineError {
    const { name, area } = this.#language;
    const message = `${name} error:\nThe script was stopped because it ${what}`;
    return new EngineError({ code: `${area}.timeout`, message });
  }

  /**
   * Gives up the script's place while a call takes long. A call that runs other scripts gives it up immediately,
   * because the waiting times of nested calls would add up.
   */
  async #pausing<T>(job: WorkerJob, name: string, call: () => Promise<T>): Promise<T> {
    const pause = (): void => job.pause();
    const timer = this.#language.longCalls?.has(name) ? pause() : setTimeout(pause, shortCallMs);
    try {
      return await call();
    } finally {
      clearTimeout(timer ?? undefined);
      job.resume();
    }
  }
}

function scriptKind(
  language: ScriptLanguage,
  { size, idleMs = defaultIdleMs }: { size: number; idleMs: number | undefined },
): WorkerKind {
  const { name, loadProgram } = language;
  const kept = Math.max(size, leastKept);
  const failureOf = (error: Error | undefined): EngineError => workerFailure(error, language);
  return { name, loadProgram, resourceLimits, size, kept, idleMs, failureOf };
}

function workerFailure(error: Error | undefined, { area, name }: ScriptLanguage): EngineError {
  const crashed = `${area}.crashed`;
  if (error === undefined) {
    return new EngineError({ code: crashed, message: 'The worker that ran the script ended unexpectedly' });
  }
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY' || code === `${area}.memory`)
    return new EngineError({ code: `${area}.memory`, message: `${name} error:\nnot enough memory`, cause: error });
  if (error instanceof RangeError || error.name === 'RangeError') {
    return new EngineError({
      code: `${area}.error`,
      message: `${name} error:\nstack overflow (${error.message})`,
      cause: error,
    });
  }
  const message = `The worker that ran the script failed: ${error.message}`;
  return new EngineError({ code: crashed, message, cause: error });
}

function durationText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} seconds`;
}

function closedError({ area }: ScriptLanguage): EngineError {
  return new EngineError({ code: `${area}.closed`, message: 'The engine that ran the script was closed' });
}

function callHost(host: HostFunctions, signal: AbortSignal, [name, params]: [string, unknown]): Promise<unknown> {
  const call = host[name] as (params: unknown, signal: AbortSignal) => Promise<unknown>;
  return call(params, signal);
}

/** Sends a script its call's value or error. */
async function answerTo(order: OrderInWork<ScriptOutcome>, call: Promise<unknown>): Promise<void> {
  try {
    order.send({ isOk: true, value: await call } satisfies HostAnswer);
  } catch (thrown) {
    // The call failed, or its value cannot be sent.
    order.send({ isOk: false, error: toErrorRecord(thrown) } satisfies HostAnswer);
  }
}

/** Creates a runtime. Starts no worker and loads nothing before the first script. */
export function createScriptRuntime<Script extends object, Host extends HostFunctions = HostFunctions>(
  language: ScriptLanguage,
  options: ScriptRuntimeOptions = {},
): ScriptRuntime<Script, Host> {
  return new Runtime<Script, Host>(language, options);
}

/** A script language. */
export interface ScriptLanguage {
  /** Display name; messages begin with it. */
  readonly name: string;
  /** Prefix of its error codes, such as `lua` in `lua.timeout`. */
  readonly area: string;
  /** Loads the program of its workers. It is large, so it is loaded when the first script starts. */
  readonly loadProgram: () => Promise<Required<WorkerProgram>>;
  /** Host calls that run other scripts, so the worker gives up its place immediately. */
  readonly longCalls?: ReadonlySet<string>;
}
