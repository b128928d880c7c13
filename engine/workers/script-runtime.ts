/**
 * Runs scripts of one language, each in a new machine inside of a worker, with limits that no script can escape.
 */
import { availableParallelism } from 'node:os';
import { type Clock, longestDelayMs, systemClock } from '../base/clock.ts';
import { EngineError, fromErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { limitComputing } from './computing-time.ts';
import type { ScriptLanguage } from './script-language.ts';
import { ScriptStop } from './script-stop.ts';
import { type Seat, WorkerPool } from './worker-pool.ts';
import type { ScriptOutcome } from './worker-protocol.ts';

export interface ScriptRuntimeOptions {
  /** How many scripts may compute at once; scripts that wait for the engine do not count. Default: processors, at least 2. */
  readonly poolSize?: number;
  /** Milliseconds after which a worker without work is ended. Default 30,000. */
  readonly idleMs?: number;
  /** For time-outs. Default: the machine's. */
  readonly clock?: Clock;
}

interface ScriptLimits {
  readonly signal: AbortSignal;
  /** Milliseconds from its start, waiting for the engine included; null = none. */
  readonly timeoutMs: number | null;
  /** Milliseconds that it may compute, whatever else the machine does meanwhile; absent = no limit. */
  readonly computeMs?: number;
  /** For the memory of the machine. Default 256 MiB. */
  readonly memoryBytes?: number;
}

/** What scripts may ask of the engine, by name. The signal aborts when the script is stopped. */
type HostFunctions = Readonly<Record<string, (params: never, signal: AbortSignal) => Promise<unknown>>>;

/** @typeParam Script what a machine of the language is given, but for the limit of its memory */
export interface ScriptRuntime<Script, Host extends HostFunctions = HostFunctions> {
  /**
   * Runs a script and gives what it gave.
   * @throws EngineError what the machine told, `<area>.timeout`, `<area>.memory`, `<area>.crashed` (its worker died),
   *   `<area>.closed`, the area being that of the language; or the signal's reason when that aborts
   */
  run(script: Script, host: Host, limits: ScriptLimits): Promise<JsonValue>;
  /** Stops all scripts and ends all workers. */
  close(): Promise<void>;
  /** Workers that there are, with and without work. */
  readonly workerCount: number;
}

const defaultMemoryBytes = 256 * 2 ** 20;
const defaultIdleMs = 30_000;
/** A call that takes longer than this many milliseconds gives its place among the computing scripts to another. */
const shortCallMs = 20;

class Runtime<Script extends object, Host extends HostFunctions> implements ScriptRuntime<Script, Host> {
  readonly #language: ScriptLanguage;
  readonly #pool: WorkerPool<Script & { readonly memoryBytes: number }>;
  readonly #clock: Clock;
  readonly #running = new Set<ScriptStop>();
  #isClosed = false;

  constructor(
    language: ScriptLanguage,
    { poolSize, idleMs = defaultIdleMs, clock = systemClock }: ScriptRuntimeOptions,
  ) {
    this.#language = language;
    this.#pool = new WorkerPool({ language, size: poolSize ?? Math.max(2, availableParallelism()), idleMs });
    this.#clock = clock;
  }

  get workerCount(): number {
    return this.#pool.workerCount;
  }

  async run(script: Script, host: Host, limits: ScriptLimits): Promise<JsonValue> {
    if (this.#isClosed) throw closedError(this.#language);
    const stop = new ScriptStop(limits.signal);
    this.#running.add(stop);
    let endTimer: (() => void) | undefined;
    let endMeter: (() => void) | undefined;
    try {
      const seat = await this.#pool.take(stop);
      endTimer = this.#startTimer(limits.timeoutMs, stop);
      endMeter = this.#limitComputing(seat, limits.computeMs, stop);
      const { memoryBytes = defaultMemoryBytes } = limits;
      const outcome = await runInSeat(seat, stop, () =>
        seat.worker.run({ ...script, memoryBytes }, (name, params) =>
          this.#pausing(seat, name, () => answerCall(host, stop.signal, [name, params])),
        ),
      );
      if (outcome.isOk) return outcome.value;
      throw fromErrorRecord(outcome.error);
    } finally {
      this.#running.delete(stop);
      stop.close();
      endTimer?.();
      endMeter?.();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#running) stop.stop(closedError(this.#language));
    await this.#pool.close();
  }

  #startTimer(timeoutMs: number | null, stop: ScriptStop): (() => void) | undefined {
    if (timeoutMs === null) return undefined;
    const expire = (): void => stop.stop(this.#tooLong(`took longer than ${durationText(timeoutMs)}`));
    return this.#clock.setTimer(expire, Math.min(timeoutMs, longestDelayMs));
  }

  #limitComputing(seat: Seat<never>, computeMs: number | undefined, stop: ScriptStop): (() => void) | undefined {
    if (computeMs === undefined) return undefined;
    const expire = (): void => stop.stop(this.#tooLong(`computed for more than ${durationText(computeMs)}`));
    return limitComputing(seat.worker.startMeter(), computeMs, expire);
  }

  #tooLong(what: string): EngineError {
    const { name, area } = this.#language;
    const message = `${name} error:\nThe script was stopped because it ${what}`;
    return new EngineError({ code: `${area}.timeout`, message });
  }

  /** Gives up the seat's place while a call takes long: one that runs scripts itself at once, since waiting would add up. */
  async #pausing<T>(seat: Seat<never>, name: string, call: () => Promise<T>): Promise<T> {
    const timer = this.#language.longCalls?.has(name) ? seat.pause() : setTimeout(seat.pause, shortCallMs);
    try {
      return await call();
    } finally {
      clearTimeout(timer ?? undefined);
      seat.resume();
    }
  }
}

function durationText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} seconds`;
}

function closedError({ area }: ScriptLanguage): EngineError {
  return new EngineError({ code: `${area}.closed`, message: 'The engine that ran the script was closed' });
}

/** Waits for the script, or kills its worker when it is stopped. */
function runInSeat(
  seat: Pick<Seat<never>, 'kill' | 'leave'>,
  stop: ScriptStop,
  run: () => Promise<ScriptOutcome>,
): Promise<ScriptOutcome> {
  return new Promise((resolve, reject) => {
    const kill = (): void => {
      seat.kill();
      reject(stop.reason);
    };
    if (stop.isStopped) {
      kill();
      return;
    }
    const stopListening = stop.onStop(kill);
    const end = (): void => {
      stopListening();
      seat.leave();
    };
    run().then(
      (outcome) => {
        end();
        resolve(outcome);
      },
      (thrown: unknown) => {
        end();
        reject(thrown);
      },
    );
  });
}

function answerCall(host: HostFunctions, signal: AbortSignal, [name, params]: [string, unknown]): Promise<unknown> {
  const call = host[name] as (params: unknown, signal: AbortSignal) => Promise<unknown>;
  return call(params, signal);
}

/** Makes a runtime. It starts no worker and loads nothing before the first script. */
export function createScriptRuntime<Script extends object, Host extends HostFunctions = HostFunctions>(
  language: ScriptLanguage,
  options: ScriptRuntimeOptions = {},
): ScriptRuntime<Script, Host> {
  return new Runtime<Script, Host>(language, options);
}
