/**
 * Limits the duration of work, whether or not the work reacts to its signal.
 */
import type { Clock } from '../../base/clock.ts';
import { onAbort } from '../../base/on-abort.ts';
import { ToolFailure } from './tool-source.ts';

interface TimeLimit {
  readonly tool: string;
  /** Timeout in milliseconds; undefined for none. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Returns the result of the work. Later results of abandoned work are ignored.
 * @param work receives a signal that aborts with the caller's signal and on timeout
 * @throws ToolFailure `timeout`; the signal's reason; the work's errors
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
            () => end(new ToolFailure('timeout', `${tool} did not finish within ${timeoutMs} ms.`)),
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

/** External code may throw synchronously, or not return a promise. */
async function begin<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  return await work(signal);
}
