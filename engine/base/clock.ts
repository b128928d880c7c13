/**
 * Time as a dependency: code that waits or stamps takes a `Clock`, so tests own time.
 */
import { onAbort } from './on-abort.ts';

/** Source of time. All durations and stamps are milliseconds. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `callback` once after `delayMs`; the returned function ends the timer (harmless when it has fired). */
  setTimer(callback: () => void, delayMs: number): () => void;
  /**
   * Calls `callback` as soon as timers, messages and answers that are there already have had their turn. Without it, a timer of
   * 0 ms does, which takes longer.
   */
  setTurn?(callback: () => void): void;
  /**
   * From now on until `release`, `now` gives the time of this call. While the time is held already, nothing changes. Only for code that
   * neither waits nor calls code of others: reading the machine's time costs as much as an event, and each node would read it six times.
   */
  hold?(): void;
  /** Ends `hold`. To be called before code of others runs, and at the end. */
  release?(): void;
}

/** The longest delay in milliseconds that timers can hold, over 24 days. A longer one would fire at once. */
export const longestDelayMs = 2_147_483_647;

/** Only Node has it. */
const { setImmediate } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown };

/** Epoch milliseconds while time is held, else 0. */
let heldAt = 0;

/** The machine's own time. */
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

/** Epoch milliseconds as ISO 8601 has them, in UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Reads a date as programs write it, in milliseconds since 1970; undefined if it is none. */
export function timeOf(text: string): number | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Milliseconds since an earlier time of the clock; 0 when somebody has put the clock back behind it. */
export function elapsedSince(startedAt: number, clock: Clock): number {
  return Math.max(0, clock.now() - startedAt);
}

/**
 * Waits `delayMs`, or less when `signal` aborts.
 * @throws the signal's reason, at once when it is aborted already
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
