/**
 * Tells when another process has written to the history that this one shares with it.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import { Listeners } from '../base/listeners.ts';
import type { RunStore } from '../store/run-store.ts';
import { warn } from './warn.ts';

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
  const listeners = new Listeners<[]>();
  let stopTimer: (() => void) | undefined;
  let version = 0;

  function askLater(): void {
    stopTimer = clock.setTimer(() => {
      const former = version;
      version = versionOf(store) ?? former;
      askLater();
      if (version !== former) listeners.tell(warn);
    }, askEveryMs);
  }

  function stopAsking(): void {
    stopTimer?.();
    stopTimer = undefined;
  }

  return {
    subscribe(listener) {
      const end = listeners.add(listener);
      if (stopTimer === undefined) {
        version = versionOf(store) ?? 0;
        askLater();
      }
      return () => {
        end();
        if (listeners.count === 0) stopAsking();
      };
    },
    close() {
      listeners.clear();
      stopAsking();
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
