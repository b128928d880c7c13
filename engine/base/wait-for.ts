/**
 * Waits for work that is shared with other callers.
 */
import { onAbort } from './on-abort.ts';

/** A signal that never aborts. */
export const never: AbortSignal = new AbortController().signal;

/**
 * Waits for shared work. The signal ends only the wait, not the work. @throws the signal's reason, or the work's error
 */
export function waitFor<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason));
    work.then(
      (value) => {
        stopListening();
        resolve(value);
      },
      (thrown: unknown) => {
        stopListening();
        reject(thrown);
      },
    );
  });
}
