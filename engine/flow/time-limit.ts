/**
 * Bounds on somebody else's work: it is asked to stop by its signal, and not waited for when it does not listen.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import { type CancelScope, createCancelScope, stopReason } from '../kernel/cancel-scope.ts';

export interface TimeLimit {
  readonly clock: Clock;
  /** Asks to stop. Work that ends soon after that still counts as it ended. */
  readonly signal: AbortSignal;
  /** Milliseconds after which the work's own signal aborts; null = no limit. */
  readonly timeoutMs: number | null;
}

/** Work that goes on this long in milliseconds after it was cancelled is abandoned. */
const abandonAfterMs = 1000;

/**
 * Starts `work` with a signal and waits for its end, at most as long as the limit says.
 * @throws EngineError `node.timeout` when time is up, whatever the work gives later; the reason of the limit's signal
 *   when the work was abandoned; else what the work throws
 */
export function withTimeLimit<T>(work: (signal: AbortSignal) => Promise<T>, limit: TimeLimit): Promise<T> {
  return new Promise((resolve, reject) => new LimitedWork({ resolve, reject }, limit).start(work));
}

interface Settlement<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (thrown: unknown) => void;
}

class LimitedWork<T> {
  readonly #settlement: Settlement<T>;
  readonly #limit: TimeLimit;
  readonly #abandonSoon = (): void => this.#setTimer(() => this.#fail(stopReason(this.#limit.signal)), abandonAfterMs);
  /** Only work with a time-out needs a signal of its own. */
  #scope: CancelScope | undefined;
  #endTimer: (() => void) | undefined;
  #timeout: EngineError | undefined;

  constructor(settlement: Settlement<T>, limit: TimeLimit) {
    this.#settlement = settlement;
    this.#limit = limit;
  }

  start(work: (signal: AbortSignal) => Promise<T>): void {
    const { signal, timeoutMs } = this.#limit;
    signal.addEventListener('abort', this.#abandonSoon, { once: true });
    if (timeoutMs !== null) {
      this.#scope = createCancelScope(signal);
      this.#setTimer(() => this.#expire(timeoutMs), timeoutMs);
    }
    work(this.#scope?.signal ?? signal).then(
      (value) => this.#succeed(value),
      (thrown: unknown) => this.#fail(thrown),
    );
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
    this.#setTimer(() => this.#fail(timeout), 0);
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
    this.#endTimer = this.#limit.clock.setTimer(callback, delayMs);
  }

  #end(): void {
    this.#endTimer?.();
    this.#endTimer = undefined;
    this.#limit.signal.removeEventListener('abort', this.#abandonSoon);
    this.#scope?.close();
  }
}
