/**
 * Runs Lua scripts, each in a new machine inside of a worker, with limits that no script can escape.
 */
import { availableParallelism } from 'node:os';
import { type Clock, longestDelayMs, systemClock } from '../base/clock.ts';
import { EngineError, fromErrorRecord } from '../base/engine-error.ts';
import { onAbort } from '../base/on-abort.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { HostCallName, ScriptHost } from './host-calls.ts';
import type { ScriptOutcome } from './vm/machine.ts';
import { type Seat, WorkerPool } from './worker-pool.ts';

export interface LuaRuntimeOptions {
  /** How many scripts may compute at once; scripts that wait for the engine do not count. Default: processors, at least 2. */
  readonly poolSize?: number;
  /** Milliseconds after which a worker without work is ended. Default 30,000. */
  readonly idleMs?: number;
  /** For time-outs. Default: the machine's. */
  readonly clock?: Clock;
}

interface LuaScript {
  /** Lua, each line where it stands in the file. */
  readonly code: string;
  /** The file, as errors name it. */
  readonly chunkName: string;
  /** Variables of the script. `null` becomes nil, inside of tables it stays `null`. `CTX` among them is passed over. */
  readonly globals: JsonMap;
  /** `CTX`. */
  readonly scriptContext: JsonMap;
}

interface LuaLimits {
  readonly signal: AbortSignal;
  /** Milliseconds from its start, waiting for the engine included; null = none. */
  readonly timeoutMs: number | null;
  /** For Lua's memory. Default 256 MiB. */
  readonly memoryBytes?: number;
}

export interface LuaRuntime {
  /**
   * Runs a script. Gives its first value: nil is `null`, an empty table `{}`.
   * @throws EngineError `lua.error` (what it raised; `line` of the file; `details.cause` when the engine refused a call),
   *   `lua.syntax`, `lua.timeout`, `lua.memory`, `lua.bad-value`, `lua.crashed` (its worker died), `lua.closed`; or the
   *   signal's reason when that aborts
   */
  run(script: LuaScript, host: ScriptHost, limits: LuaLimits): Promise<JsonValue>;
  /** Stops all scripts and ends all workers. */
  close(): Promise<void>;
  /** Workers that there are, with and without work. */
  readonly workerCount: number;
}

const defaultMemoryBytes = 256 * 2 ** 20;
const defaultIdleMs = 30_000;
/** A call that takes longer than this many milliseconds gives its place among the computing scripts to another. */
const shortCallMs = 20;
/** Calls that run scripts themselves: to wait for the time above at each level would add up. */
const longCalls: ReadonlySet<HostCallName> = new Set(['agent.run']);

class Runtime implements LuaRuntime {
  readonly #pool: WorkerPool;
  readonly #clock: Clock;
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  constructor({ poolSize, idleMs = defaultIdleMs, clock = systemClock }: LuaRuntimeOptions) {
    this.#pool = new WorkerPool({ size: poolSize ?? Math.max(2, availableParallelism()), idleMs });
    this.#clock = clock;
  }

  get workerCount(): number {
    return this.#pool.workerCount;
  }

  async run(script: LuaScript, host: ScriptHost, limits: LuaLimits): Promise<JsonValue> {
    if (this.#isClosed) throw closedError();
    const stop = new AbortController();
    this.#running.add(stop);
    const unlink = [linkSignal(limits.signal, stop)];
    try {
      const seat = await this.#pool.take(stop.signal);
      unlink.push(this.#startTimer(limits.timeoutMs, stop));
      const { memoryBytes = defaultMemoryBytes } = limits;
      const outcome = await runInSeat(seat, stop.signal, () =>
        seat.worker.run({ ...script, memoryBytes }, (name, params) =>
          pausing(seat, name, () => answerCall(host, stop.signal, [name, params])),
        ),
      );
      if (outcome.isOk) return outcome.value;
      throw fromErrorRecord(outcome.error);
    } finally {
      this.#running.delete(stop);
      for (const end of unlink) end();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#running) stop.abort(closedError());
    await this.#pool.close();
  }

  #startTimer(timeoutMs: number | null, stop: AbortController): () => void {
    if (timeoutMs === null) return () => undefined;
    const time = timeoutMs < 1000 ? `${timeoutMs} ms` : `${timeoutMs / 1000} seconds`;
    const message = `Lua error:\nThe script was stopped because it took longer than ${time}`;
    const expire = (): void => stop.abort(new EngineError({ code: 'lua.timeout', message }));
    return this.#clock.setTimer(expire, Math.min(timeoutMs, longestDelayMs));
  }
}

function closedError(): EngineError {
  return new EngineError({ code: 'lua.closed', message: 'The engine that ran the script was closed' });
}

/** Aborts `target` when `signal` does, with the same reason. Gives what unties them. */
function linkSignal(signal: AbortSignal, target: AbortController): () => void {
  const pass = (): void => target.abort(signal.reason);
  if (signal.aborted) pass();
  return onAbort(signal, pass);
}

/** Waits for the script, or kills its worker when the signal aborts. */
function runInSeat(seat: Seat, signal: AbortSignal, run: () => Promise<ScriptOutcome>): Promise<ScriptOutcome> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      seat.kill();
      reject(signal.reason);
    };
    const end = (): void => {
      signal.removeEventListener('abort', stop);
      seat.leave();
    };
    if (signal.aborted) {
      stop();
      return;
    }
    signal.addEventListener('abort', stop, { once: true });
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

function answerCall(host: ScriptHost, signal: AbortSignal, [name, params]: [HostCallName, unknown]): Promise<unknown> {
  const call = host[name] as (params: unknown, signal: AbortSignal) => Promise<unknown>;
  return call(params, signal);
}

/** Gives up the seat's place while a call takes long. */
async function pausing<T>(seat: Seat, name: HostCallName, call: () => Promise<T>): Promise<T> {
  const timer = longCalls.has(name) ? seat.pause() : setTimeout(seat.pause, shortCallMs);
  try {
    return await call();
  } finally {
    clearTimeout(timer ?? undefined);
    seat.resume();
  }
}

/** Makes a runtime. It starts no worker and loads nothing before the first script. */
export function createLuaRuntime(options: LuaRuntimeOptions = {}): LuaRuntime {
  return new Runtime(options);
}
