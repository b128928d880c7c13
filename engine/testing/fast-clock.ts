/**
 * An accelerated clock, for runs with real files and long waits.
 */
import { type Clock, systemClock } from '../base/clock.ts';

/** Creates a clock that advances `factor` milliseconds per real millisecond. */
export function createFastClock(factor: number): Clock {
  const startAt = systemClock.now();
  return {
    now: () => startAt + (systemClock.now() - startAt) * factor,
    setTimer: (callback, delayMs) => systemClock.setTimer(callback, delayMs / factor),
  };
}
