/**
 * Time that goes faster than it does, for runs with real files whose waits nobody wants to sit through.
 */
import { type Clock, systemClock } from '../base/clock.ts';

/** Makes a clock on which `factor` milliseconds pass in each real one. */
export function createFastClock(factor: number): Clock {
  const startAt = systemClock.now();
  return {
    now: () => startAt + (systemClock.now() - startAt) * factor,
    setTimer: (callback, delayMs) => systemClock.setTimer(callback, delayMs / factor),
  };
}
