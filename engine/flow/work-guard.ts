/**
 * Bounds on somebody else's work: it is asked to stop by its signal, and not waited for when it does not listen.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import { type CancelScope, createCancelScope, stopReason } from '../kernel/cancel-scope.ts';

export interface WorkLimit {
  /** Milliseconds after which the work's own signal aborts; null = no limit. */
  readonly timeoutMs: number | null;
  /** The work bounds what is in it by itself, and is always waited for. */
  readonly isTrusted: boolean;
}

/** Work that goes on this long in milliseconds after it was cancelled is abandoned. */
const abandonAfterMs = 1000;

/** Guards all work under one signal with one listener: thousands of short pieces of work would each pay for theirs. */
export class WorkGuard {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly #running = new Set<GuardedWork<unknown>>();
  readonly #onAbort = (): void => {
    for (const work of this.#running) work.abandonSoon();
  };

  constructor(signal: AbortSignal, clock: Clock) {
    this.signal = signal;
    this.clock = clock;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /**
   * Starts `work` with a signal and waits for its end, at most as long as the limit says.
   * @throws EngineError `node.timeout` when time is up, whatever the work gives later; the reason of the guard's signal
   *   when the work was abandoned; else what the work throws
   */
  run<T>(work: (signal: AbortSignal) => Promise<T>, limit: WorkLimit): Promise<T> {
    return new Promise((resolve, reject) => {
      const guarded = new GuardedWork<T>({ resolve, reject }, limit, this);
      this.#running.add(guarded as GuardedWork<unknown>);
      guarded.start(work);
    });
  }

  /** The work is over; to be called by itself. */
  release(work: object): void {
    this.#running.delete(work as GuardedWork<unknown>);
  }

  /** Lets go of the signal; to be called when no more work will come. */
  close(): void {
    this.signal.removeEventListener('abort', this.#onAbort);
  }
}

interface Settlement<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (thrown: unknown) => void;
}

class GuardedWork<T> {
  readonly #settlement: Settlement<T>;
  readonly #limit: WorkLimit;
  readonly #guard: WorkGuard;
  /** Only work with a time-out needs a signal of its own. */
  #scope: CancelScope | undefined;
  #endTimer: (() => void) | undefined;
  #timeout: EngineError | undefined;

  constructor(settlement: Settlement<T>, limit: WorkLimit, guard: WorkGuard) {
    this.#settlement = settlement;
    this.#limit = limit;
    this.#guard = guard;
  }

  start(work: (signal: AbortSignal) => Promise<T>): void {
    const { signal } = this.#guard;
    const { timeoutMs } = this.#limit;
    if (timeoutMs !== null) {
      this.#scope = createCancelScope(signal);
      this.#setTimer(() => this.#expire(timeoutMs), timeoutMs);
    }
    begin(work, this.#scope?.signal ?? signal).then(
      (value) => this.#succeed(value),
      (thrown: unknown) => this.#fail(thrown),
    );
  }

  /** The guard's signal has aborted: work that ends soon still counts as it ended. */
  abandonSoon(): void {
    if (this.#limit.isTrusted) return;
    this.#setTimer(() => this.#fail(stopReason(this.#guard.signal)), abandonAfterMs);
  }

  #expire(timeoutMs: number): void {
    const timeout = new EngineError({
      code: 'node.timeout',
      message: `Node execution timed out after ${timeoutMs}ms`,
      recoverable: true,
    });
    this.#timeout = timeout;
    this.#scope?.cancel(timeout);
    // One turn of the event loop for the work to say that it stopped; more would stretch the limit.
    if (!this.#limit.isTrusted) this.#setTimer(() => this.#fail(timeout), 0);
  }

  #succeed(value: T): void {
    this.#end();
    if (this.#timeout === undefined) this.#settlement.resolve(value);
    else this.#settlement.reject(this.#timeout);
  }

  #fail(thrown: unknown): void {
    this.#end();
    this.#settlement.reject(this.#timeout ?? thrown);
  }

  #setTimer(callback: () => void, delayMs: number): void {
    this.#endTimer?.();
    this.#endTimer = this.#guard.clock.setTimer(callback, delayMs);
  }

  #end(): void {
    this.#endTimer?.();
    this.#endTimer = undefined;
    this.#guard.release(this);
    this.#scope?.close();
  }
}

/** Work that throws at once, or gives no promise, fails or ends like any other. */
function begin<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return Promise.resolve(work(signal));
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}
