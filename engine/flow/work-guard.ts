/**
 * Bounds on somebody else's work: it is asked to stop by its scope, and not waited for when it does not listen.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { CancelScope } from '../kernel/cancel-scope.ts';
import type { LoopActivity } from './run-activity.ts';

/** Work, its limits, and who hears of its end. */
export interface GuardedCall<T> {
  /** Starts the work. A throw counts as a rejection. */
  begin(scope: CancelScope): Promise<T>;
  /** Called once with what the work gave, unless `fail` is. Must not throw. */
  succeed(value: T): void;
  /**
   * Called once with EngineError `node.timeout` when time is up, whatever the work gives later; the reason of the guard's scope when
   * the work was abandoned; else what the work throws. Must not throw.
   */
  fail(thrown: unknown): void;
  /** Milliseconds after which the work's own scope is cancelled; null = no limit. */
  readonly timeoutMs: number | null;
  /** The work bounds what is in it by itself, and is always waited for. */
  readonly isTrusted: boolean;
  /** Time in which nothing goes on in the work does not count; absent = all of it does. */
  readonly activity?: LoopActivity | undefined;
  /** What the work waits for, where it has said so; the message of a time-out names it. */
  readonly waitsFor?: string | undefined;
  /** Whose timers bound the work; those of the guard when absent. */
  readonly clock?: Clock;
}

/** Work that goes on this long in milliseconds after it was cancelled is abandoned. */
export const abandonAfterMs = 1000;

/** Time-outs of work that went on although it was asked to stop. */
const deaf = new WeakSet<object>();

/** True for the time-out of work that went on although it was asked to stop. Safe to ask of anything that was thrown. */
export function isDeafTimeout(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && deaf.has(thrown);
}

/** Guards all work in one scope with one listener: thousands of short pieces of work would each pay for theirs. */
export class WorkGuard {
  readonly scope: CancelScope;
  readonly clock: Clock;
  /** Each knows its place here: a set would be rebuilt every few pieces of work. */
  readonly #running: GuardedWork<unknown>[] = [];
  readonly #stopListening: () => void;

  constructor(scope: CancelScope, clock: Clock) {
    this.scope = scope;
    this.clock = clock;
    this.#stopListening = scope.onCancel(() => {
      for (const work of [...this.#running]) work.abandonSoon();
    });
  }

  /** Starts the work, with its own scope when it has a time-out, and calls back when it ends or reaches a limit. */
  start<T>(call: GuardedCall<T>): void {
    const guarded = new GuardedWork<T>(call, this, this.#running.length);
    this.#running.push(guarded as GuardedWork<unknown>);
    guarded.start();
  }

  /** The work at that place is over; to be called by itself. */
  release(place: number): void {
    const last = this.#running.pop();
    if (last === undefined || last.place === place) return;
    last.place = place;
    this.#running[place] = last;
  }

  /** Lets go of the scope; to be called when no more work will come. */
  close(): void {
    this.#stopListening();
  }
}

class GuardedWork<T> {
  /** Of the work in the list of its guard. */
  place: number;
  readonly #call: GuardedCall<T>;
  readonly #guard: WorkGuard;
  /** Only work with a time-out needs a scope of its own. */
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

  /** The guard's scope was cancelled: work that ends soon still counts as it ended. */
  abandonSoon(): void {
    if (this.#call.isTrusted) return;
    this.#setTimer(() => this.#fail(this.#guard.scope.reason), abandonAfterMs);
  }

  /** What stood still before the timer has fired is added to it. */
  #lookAtTime(timeoutMs: number): void {
    const { activity } = this.#call;
    const stillMs = activity?.takeStillMs() ?? 0;
    if (activity === undefined || stillMs <= 0) this.#expire(timeoutMs);
    else activity.whenGoing(() => this.#goOnCounting(timeoutMs, stillMs));
  }

  #goOnCounting(timeoutMs: number, leftMs: number): void {
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
    // One turn of the event loop for the work to say that it stopped; more would stretch the limit.
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
    this.#endTimer = (this.#call.clock ?? this.#guard.clock).setTimer(callback, delayMs);
  }

  /** Returns false when it has ended before. */
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

/** Work that throws at once, or gives no promise, fails or ends like any other. */
function begin<T>(call: GuardedCall<T>, scope: CancelScope): Promise<T> {
  try {
    return Promise.resolve(call.begin(scope));
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}
