/**
 * Time as a dependency: code that waits or reads the time takes a `Clock`, so that tests can control it.
 */
import { onAbort } from './on-abort.ts';

/** Source of time. All durations and times are in milliseconds. */
export interface Clock {
  /** Returns the current time in epoch milliseconds. */
  now(): number;
  /**
   * Calls `callback` once after `delayMs`. Returns a function that clears the timer and has no effect after it has
   * fired.
   */
  setTimer(callback: () => void, delayMs: number): () => void;
  /**
   * Calls `callback` after pending timers, messages and replies have been processed. If undefined, a timer of 0 ms is
   * used instead, which takes longer.
   */
  setTurn?(callback: () => void): void;
  /**
   * Makes `now` return the current time until `release` is called. Has no effect if the time is already held. Only for
   * code that neither waits nor calls third-party code. Reading the system time costs as much as an event, and each
   * node would read it six times.
   */
  hold?(): void;
  /** Ends `hold`. Call this before third-party code runs, and at the end. */
  release?(): void;
}

/** The maximum timer delay in milliseconds, about 24 days. A timer with a longer delay would fire immediately. */
export const longestDelayMs = 2_147_483_647;

/** Only available in Node. */
const { setImmediate } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown };

/** The held time in epoch milliseconds; 0 if not held. */
let heldAt = 0;

/** The system clock. */
export const systemClock: Clock = {
  now: () => (heldAt === 0 ? Date.now() : heldAt),
  hold() {
    if (heldAt === 0) heldAt = Date.now();
  },
  release() {
    heldAt = 0;
  },
  setTimer(callback, delayMs) {
    const handle = setTimeout(callback, delayMs);
    return () => clearTimeout(handle);
  },
  ...(setImmediate === undefined ? {} : { setTurn: (callback: () => void) => void setImmediate(callback) }),
};

/** Returns the calendar date of epoch milliseconds. */
export function dateAt(ms: number): Date {
  return new Date(ms);
}

/** Returns the epoch milliseconds of a date in UTC. `month` starts at 0, and days beyond a month count on. */
export function utcTime(year: number, month: number, day: number, [hour = 0, minute = 0, second = 0] = [0]): number {
  return Date.UTC(year, month, day, hour, minute, second);
}

/** Formats epoch milliseconds as ISO 8601 in UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Parses a date in a common machine-readable format to epoch milliseconds; undefined if it is invalid. */
export function timeOf(text: string): number | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns the milliseconds since an earlier time; 0 if the clock was set back before it. */
export function elapsedSince(startedAt: number, clock: Clock): number {
  return Math.max(0, clock.now() - startedAt);
}

/**
 * Waits `delayMs`, or less if `signal` aborts.
 * @throws the signal's reason, immediately if it has already aborted
 */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      endTimer();
      reject(signal.reason);
    };
    const endTimer = clock.setTimer(() => {
      stopListening();
      resolve();
    }, delayMs);
    const stopListening = onAbort(signal, stop);
  });
}
