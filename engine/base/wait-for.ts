/**
 * Waiting for work that others wait for as well.
 */
import { onAbort } from './on-abort.ts';

/** The signal of whoever waits to the end. */
export const never: AbortSignal = new AbortController().signal;

/** Waits for what others wait for too: only the waiting ends with the signal. @throws the signal's reason; what the work throws */
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
