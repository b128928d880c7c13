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
  /** Set if waits take no time. A timeout or another limit never uses it. */
  readonly shortWaits?: ShortWaits;
  /**
   * Makes `now` return the current time until `release` is called. Has no effect if the time is already held. Only for
   * code that neither waits nor calls third-party code. Reading the system time costs as much as an event, and each
   * node would read it six times.
   */
  hold?(): void;
  /** Ends `hold`. Call this before third-party code runs, and at the end. */
  release?(): void;
}

/** Waits that pass at once, in the order in which they would end. */
export interface ShortWaits {
  /** Milliseconds by which waits have been shortened so far. */
  readonly shortenedMs: number;
  /** Calls `callback` soon. Returns a function that ends the wait. */
  setWait(callback: () => void, delayMs: number): () => void;
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
  return untilCalled((callback) => clock.setTimer(callback, delayMs), signal);
}

/**
 * Waits like `sleep` where the wait belongs to the work, such as the pause before a retry. It passes at once if waits of
 * the clock take no time. Returns how long it waited or would have waited, in milliseconds.
 * @throws the signal's reason, immediately if it has already aborted
 */
export async function passTime(clock: Clock, delayMs: number, signal: AbortSignal): Promise<number> {
  const { shortWaits } = clock;
  const startedAt = clock.now();
  if (shortWaits === undefined) await sleep(clock, delayMs, signal);
  else await untilCalled((callback) => shortWaits.setWait(callback, delayMs), signal);
  return shortWaits === undefined ? elapsedSince(startedAt, clock) : delayMs;
}

/** Returns the time including waits that took no time. It decides whether enough time has passed since an earlier call. */
export function timeWithWaits(clock: Clock): number {
  return clock.now() + (clock.shortWaits?.shortenedMs ?? 0);
}

function untilCalled(set: (callback: () => void) => () => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      endTimer();
      reject(signal.reason);
    };
    const endTimer = set(() => {
      stopListening();
      resolve();
    });
    const stopListening = onAbort(signal, stop);
  });
}
