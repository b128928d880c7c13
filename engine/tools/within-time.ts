/**
 * Work that gets so much time and no more, whether it listens or not.
 */
import type { Clock } from '../base/clock.ts';
import { onAbort } from '../base/on-abort.ts';
import { ToolFailure } from './tool-source.ts';

interface TimeLimit {
  readonly tool: string;
  /** Milliseconds; undefined = without end. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Gives what the work gives. What comes of work that nobody waits for any more goes nowhere.
 * @param work gets a signal that aborts with that of the caller, and when the time is up
 * @throws ToolFailure `timeout`; the signal's reason; what the work throws
 */
export function withinTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { tool, timeoutMs, signal, clock }: TimeLimit,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const own = new AbortController();
    const stopListening = onAbort(signal, () => end(signal.reason));
    const endTimer =
      timeoutMs === undefined
        ? undefined
        : clock.setTimer(
            () => end(new ToolFailure('timeout', `${tool} has not ended within ${timeoutMs} ms.`)),
            timeoutMs,
          );
    const settle = (): void => {
      stopListening();
      endTimer?.();
    };
    const end = (reason: unknown): void => {
      settle();
      own.abort(reason);
      reject(reason);
    };
    begin(work, own.signal).then(
      (value) => {
        settle();
        resolve(value);
      },
      (thrown: unknown) => {
        settle();
        reject(thrown);
      },
    );
  });
}

/** Somebody else's code may throw at once, or give no promise. */
async function begin<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  return await work(signal);
}
