/**
 * Tells when another process has written to the history that this one shares with it.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { RunStore } from '../store/run-store.ts';

export interface HistoryWatch {
  /** Returns the subscription's end. */
  subscribe(listener: () => void): () => void;
  /** Ends all subscriptions. */
  close(): void;
}

/** SQLite tells no one of others' writes; asking whether there were any costs microseconds. */
const askEveryMs = 1000;

/** Makes a watch that asks only while somebody wants to know. */
export function createHistoryWatch(store: RunStore, clock: Clock): HistoryWatch {
  const listeners = new Set<() => void>();
  let stopTimer: (() => void) | undefined;
  let version = 0;

  function askLater(): void {
    stopTimer = clock.setTimer(() => {
      const former = version;
      version = versionOf(store) ?? former;
      askLater();
      if (version !== former) for (const listener of listeners) listener();
    }, askEveryMs);
  }

  function end(): void {
    stopTimer?.();
    stopTimer = undefined;
  }

  return {
    subscribe(listener) {
      // A wrapper of its own, so that one function may subscribe twice and each end ends its own.
      const own = (): void => listener();
      listeners.add(own);
      if (stopTimer === undefined) {
        version = versionOf(store) ?? 0;
        askLater();
      }
      return () => {
        if (listeners.delete(own) && listeners.size === 0) end();
      };
    },
    close() {
      listeners.clear();
      end();
    },
  };
}

/** Undefined when the history cannot be read just now; whoever reads it hears why. */
function versionOf(store: RunStore): number | undefined {
  try {
    return store.foreignVersion();
  } catch (error) {
    if (EngineError.is(error)) return undefined;
    throw error;
  }
}
