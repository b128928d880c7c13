/**
 * Adds abort listeners to signals that any number of listeners may share.
 */

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` once when the signal aborts; never for a signal that has already aborted. Returns a function that
 * removes the listener and may be called repeatedly.
 *
 * The signal itself has a single listener for all of them, because Node warns about a leak if there are more than ten.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? startListening(signal);
  // Wrapped in a new function each time, so that a listener can be added twice.
  const own = (): void => listener();
  listeners.add(own);
  return () => {
    if (!listeners.delete(own) || listeners.size > 0) return;
    signal.removeEventListener('abort', tellAll);
    listenersOf.delete(signal);
  };
}

function startListening(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersOf.set(signal, listeners);
  signal.addEventListener('abort', tellAll, { once: true });
  return listeners;
}

function tellAll(this: AbortSignal): void {
  const listeners = listenersOf.get(this);
  listenersOf.delete(this);
  for (const listener of listeners ?? []) {
    listeners?.delete(listener);
    listener();
  }
}
