/**
 * Limits third-party work: stops it through its scope, and abandons it if it does not react.
 */
import type { Clock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';
import type { CancelScope } from '../../kernel/hub/cancel-scope.ts';
import type { StillTime } from '../run-activity.ts';

/** Work, its limits, and the callbacks for its end. */
export interface GuardedCall<T> {
  /** Starts the work. A synchronous error counts as a rejection. */
  begin(scope: CancelScope): Promise<T>;
  /** Called once with the work's result, unless `fail` is called. Must not throw. */
  succeed(value: T): void;
  /**
   * Called once: with EngineError `node.timeout` after a timeout, whatever the work returns later; with the cancel
   * reason of the guard's scope if the work was abandoned; otherwise with the work's error. Must not throw.
   */
  fail(thrown: unknown): void;
  /** Milliseconds after which the work's own scope is canceled; null for no limit. */
  readonly timeoutMs: number | null;
  /** Whether the work limits its own content. If so, it is never abandoned. */
  readonly isTrusted: boolean;
  /** Time without activity in the work does not count; absent if all time counts. */
  readonly activity?: StillTime | undefined;
  /** What the work waits for, if it has reported this. Used in timeout messages. */
  readonly waitsFor?: string | undefined;
  /** Clock for the limits; defaults to the guard's clock. */
  readonly limitClock?: Clock;
}

/** Work is abandoned if it continues for this many milliseconds after cancellation. */
export const abandonAfterMs = 1000;

/** Timeout errors of work that ignored the request to stop. */
const deaf = new WeakSet<object>();

/** Whether this is the timeout error of work that ignored the request to stop. Accepts any thrown value. */
export function isDeafTimeout(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && deaf.has(thrown);
}

/**
 * Guards all work in one scope with one listener, because a listener for each of thousands of short calls would be
 * expensive.
 */
export class WorkGuard {
  readonly scope: CancelScope;
  readonly clock: Clock;
  /** Each call stores its index here, because a set would be rebuilt every few calls. */
  readonly #running: GuardedWork<unknown>[] = [];
  readonly #stopListening: () => void;

  constructor(scope: CancelScope, clock: Clock) {
    this.scope = scope;
    this.clock = clock;
    this.#stopListening = scope.onCancel(() => {
      for (const work of [...this.#running]) work.abandonSoon();
    });
  }

  /** Starts the work, with its own scope if it has a timeout, and calls back when it ends or reaches a limit. */
  start<T>(call: GuardedCall<T>): void {
    const guarded = new GuardedWork<T>(call, this, this.#running.length);
    this.#running.push(guarded as GuardedWork<unknown>);
    guarded.start();
  }

  /** Removes the work at an index. Called by the work itself when it has ended. */
  release(place: number): void {
    const last = this.#running.pop();
    if (last === undefined || last.place === place) return;
    last.place = place;
    this.#running[place] = last;
  }

  /** Detaches from the scope. Must be called when no more work will be started. */
  close(): void {
    this.#stopListening();
  }
}

class GuardedWork<T> {
  /** The work's index in its guard's list. */
  place: number;
  readonly #call: GuardedCall<T>;
  readonly #guard: WorkGuard;
  /** Only work with a timeout needs its own scope. */
  #scope: CancelScope | undefined;
  #endTimer: (() => void) | undefined;
  #timeout: EngineError | undefined;
  #isOver = false;

  constructor(call: GuardedCall<T>, guard: WorkGuard, place: number) {
    this.#call = call;
    this.place = place;
    this.#guard = guard;
  }

  start(): void {
    const { scope } = this.#guard;
    const { timeoutMs } = this.#call;
    if (timeoutMs !== null) {
      this.#scope = scope.child();
      this.#setTimer(() => this.#lookAtTime(timeoutMs), timeoutMs);
    }
    begin(this.#call, this.#scope ?? scope).then(
      (value) => this.#succeed(value),
      (thrown: unknown) => this.#fail(thrown),
    );
  }

  /** Called when the guard's scope was canceled. Work that ends soon afterward still counts as ended. */
  abandonSoon(): void {
    if (this.#call.isTrusted) return;
    this.#setTimer(() => this.#fail(this.#guard.scope.reason), abandonAfterMs);
  }

  /** Extends the timer by the time without activity. */
  #lookAtTime(timeoutMs: number): void {
    const { activity } = this.#call;
    const stillMs = activity?.takeStillMs() ?? 0;
    if (activity === undefined || stillMs <= 0) this.#expire(timeoutMs);
    else activity.whenGoing(() => this.#keepCounting(timeoutMs, stillMs));
  }

  #keepCounting(timeoutMs: number, leftMs: number): void {
    if (this.#isOver) return;
    this.#call.activity?.takeStillMs();
    this.#setTimer(() => this.#lookAtTime(timeoutMs), leftMs);
  }

  #expire(timeoutMs: number): void {
    const waitsFor = this.#call.waitsFor;
    const timeout = new EngineError({
      code: 'node.timeout',
      message: `Node execution timed out after ${timeoutMs}ms${waitsFor === undefined ? '' : `. ${waitsFor}`}`,
      recoverable: true,
    });
    this.#timeout = timeout;
    this.#scope?.cancel(timeout);
    // Gives the work one event loop turn to react. More turns would extend the limit.
    if (this.#call.isTrusted) return;
    this.#setTimer(() => {
      deaf.add(timeout);
      this.#fail(timeout);
    }, 0);
  }

  #succeed(value: T): void {
    if (this.#timeout !== undefined) this.#fail(this.#timeout);
    else if (this.#end()) this.#call.succeed(value);
  }

  #fail(thrown: unknown): void {
    if (this.#end()) this.#call.fail(this.#timeout ?? thrown);
  }

  #setTimer(callback: () => void, delayMs: number): void {
    this.#endTimer?.();
    this.#endTimer = (this.#call.limitClock ?? this.#guard.clock).setTimer(callback, delayMs);
  }

  /** Returns false if it has already ended. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#endTimer?.();
    this.#endTimer = undefined;
    this.#guard.release(this.place);
    this.#scope?.close();
    return true;
  }
}

/** Treats work that throws synchronously or returns no promise like any other work. */
function begin<T>(call: GuardedCall<T>, scope: CancelScope): Promise<T> {
  try {
    return Promise.resolve(call.begin(scope));
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}
