/** Repeats an operation of the shared history while the database is unreachable. */
import { sleep, systemClock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';

const firstPauseMs = 100;
const longestPauseMs = 5000;

/** Returns the result of `work`. Calls it again after each recoverable error. @throws other errors of `work` */
export async function untilReachable<T>(work: () => Promise<T>, signal = new AbortController().signal): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!EngineError.is(error) || !error.recoverable) throw error;
    }
    await sleep(systemClock, pauseMs, signal);
  }
}
