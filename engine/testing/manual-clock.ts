/**
 * A clock that advances only when a test moves it.
 */
import type { Clock } from '../base/clock.ts';

export interface ManualClock extends Clock {
  /** Number of timers that have neither fired nor been cleared. */
  readonly openTimers: number;
  /** Delays of all timers ever set, in order. */
  readonly delays: readonly number[];
  /** Advances the time. Due timers run in order, and the work they start settles before the next one. */
  advance(ms: number): Promise<void>;
  /** Sets the time forward or back, as people do; timers are not affected. */
  put(ms: number): void;
  /** Lets everything run that does not wait for a timer. */
  settle(): Promise<void>;
}

interface Timer {
  readonly dueAt: number;
  readonly callback: () => void;
}

/** Creates a clock that starts at `startAt` (epoch milliseconds). */
export function createManualClock(startAt = 1_700_000_000_000): ManualClock {
  let now = startAt;
  let shift = 0;
  const timers = new Set<Timer>();
  const delays: number[] = [];
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const nextDueBy = (target: number): Timer | undefined => {
    const due = [...timers].filter(({ dueAt }) => dueAt <= target);
    // `sort` is stable, so timers due at the same time run in the order in which they were set.
    return due.sort((left, right) => left.dueAt - right.dueAt)[0];
  };
  return {
    get openTimers() {
      return timers.size;
    },
    delays,
    now: () => now + shift,
    setTimer(callback, delayMs) {
      const timer = { dueAt: now + delayMs, callback };
      delays.push(delayMs);
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    put(ms) {
      shift += ms;
    },
    settle,
    async advance(ms) {
      const target = now + ms;
      await settle();
      for (let timer = nextDueBy(target); timer !== undefined; timer = nextDueBy(target)) {
        now = Math.max(now, timer.dueAt);
        timers.delete(timer);
        timer.callback();
        await settle();
      }
      now = target;
    },
  };
}
