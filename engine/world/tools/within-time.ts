/**
 * Limits the duration of work, whether or not the work reacts to its signal.
 */
import { type Clock, elapsedSince } from '../../base/clock.ts';
import { onAbort } from '../../base/on-abort.ts';
import type { ToolScope } from '../../runtime/kernel/capabilities/tool-capability.ts';
import { ToolFailure } from './tool-source.ts';

interface TimeLimit {
  readonly tool: string;
  /** Timeout in milliseconds; undefined for none. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Returns the result of a wait that does not count for the timeout. */
type HoldTime = <T>(wait: () => Promise<T>) => Promise<T>;

/** Returns a scope's way to ask such that the time until the answer does not count. */
export function heldAsk({ ask }: Pick<ToolScope, 'ask'>, hold: HoldTime): Pick<ToolScope, 'ask'> {
  return ask === undefined ? {} : { ask: (key, request, options) => hold(() => ask(key, request, options)) };
}

type LimitedWork<T> = (signal: AbortSignal, hold: HoldTime) => Promise<T>;

/**
 * Returns the result of the work. Later results of abandoned work are ignored.
 * @param work receives a signal that aborts with the caller's signal and on timeout
 * @throws ToolFailure `timeout`; the signal's reason; the work's errors
 */
export function withinTime<T>(work: LimitedWork<T>, { tool, timeoutMs, signal, clock }: TimeLimit): Promise<T> {
  return new Promise((resolve, reject) => {
    const own = new AbortController();
    const stopListening = onAbort(signal, () => end(signal.reason));
    const timer = new PausableTimer(timeoutMs, clock, () =>
      end(new ToolFailure('timeout', `${tool} did not finish within ${timeoutMs} ms.`)),
    );
    const settle = (): void => {
      stopListening();
      timer.stop();
    };
    const end = (reason: unknown): void => {
      settle();
      own.abort(reason);
      reject(reason);
    };
    begin(work, own.signal, (wait) => timer.hold(wait)).then(
      (value) => {
        settle();
        resolve(value);
      },
      (thrown: unknown) => {
        settle();
        reject(thrown);
      },
    );
  });
}

/** External code may throw synchronously, or not return a promise. */
async function begin<T>(work: LimitedWork<T>, signal: AbortSignal, hold: HoldTime): Promise<T> {
  return await work(signal, hold);
}

/** Stops while any wait is held. */
class PausableTimer {
  readonly #clock: Clock;
  readonly #onExpired: () => void;
  #leftMs: number | undefined;
  #startedAt = 0;
  #holds = 0;
  #end: (() => void) | undefined;

  /** @param limitMs undefined for no limit */
  constructor(limitMs: number | undefined, clock: Clock, onExpired: () => void) {
    this.#leftMs = limitMs;
    this.#clock = clock;
    this.#onExpired = onExpired;
    this.#start();
  }

  async hold<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#holds++ === 0) this.#pause();
    try {
      return await wait();
    } finally {
      if (--this.#holds === 0) this.#start();
    }
  }

  /** Ends the limit for good. */
  stop(): void {
    this.#pause();
    this.#leftMs = undefined;
  }

  #start(): void {
    if (this.#leftMs === undefined) return;
    this.#startedAt = this.#clock.now();
    this.#end = this.#clock.setTimer(this.#onExpired, this.#leftMs);
  }

  #pause(): void {
    if (this.#end === undefined || this.#leftMs === undefined) return;
    this.#end();
    this.#end = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - elapsedSince(this.#startedAt, this.#clock));
  }
}
