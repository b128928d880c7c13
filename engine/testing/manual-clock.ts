/**
 * Time that stands still until a test moves it.
 */
import type { Clock } from '../base/clock.ts';

export interface ManualClock extends Clock {
  /** Timers that are set and have neither fired nor been ended. */
  readonly openTimers: number;
  /** Delays of all timers ever set, in order. */
  readonly delays: readonly number[];
  /** Moves time on; timers that fall due run in order, and what they set off settles before the next one. */
  advance(ms: number): Promise<void>;
  /** Puts the time forward or back, as people do; timers know nothing of it. */
  put(ms: number): void;
  /** Lets everything run that waits for no timer. */
  settle(): Promise<void>;
}

interface Timer {
  readonly dueAt: number;
  readonly callback: () => void;
}

/** Makes a clock that begins at `startAt` (epoch milliseconds). */
export function createManualClock(startAt = 1_700_000_000_000): ManualClock {
  let now = startAt;
  let shift = 0;
  const timers = new Set<Timer>();
  const delays: number[] = [];
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const nextDueBy = (target: number): Timer | undefined => {
    const due = [...timers].filter(({ dueAt }) => dueAt <= target);
    // `sort` is stable, so timers that fall due together run in the order they were set.
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
