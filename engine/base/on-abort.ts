/**
 * Listening to a signal that any number of others may listen to.
 */

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` once, when the signal aborts; never for one that has aborted already. Returns the end of that, which may be
 * called again.
 *
 * However many listen, the signal itself has one listener: more than ten Node takes for a leak, and tells the person who runs
 * the program.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? startListening(signal);
  // A function of its own each time, so that one listener may be added twice.
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
