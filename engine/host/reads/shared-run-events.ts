/**
 * Follows the events of all runs in a shared history, for windows that show runs in progress.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { Listeners } from '../../base/listeners.ts';
import type { ChangeCursor, SharedHistory } from '../../history/postgres/shared-history.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import { warn } from '../executor/warn.ts';

export interface SharedRunEvents {
  /**
   * Calls the listener with events that are stored from now on: all runs, each in `seq` order. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: RunListener): () => void;
  close(): void;
}

/** Creates the source, which reads only while it has subscribers. */
export function followSharedRuns(history: SharedHistory): SharedRunEvents {
  return new Follower(history);
}

class Follower implements SharedRunEvents {
  readonly #history: SharedHistory;
  readonly #listeners = new Listeners<[events: readonly EventEnvelope[]]>();
  /** Number of the last event that listeners have received, for each run. */
  readonly #told = new Map<RunId, number>();
  #mostTold = 0;
  #cursor: ChangeCursor | undefined;
  #stopWatching: (() => void) | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #isReading = false;
  #readsAgain = false;

  constructor(history: SharedHistory) {
    this.#history = history;
  }

  subscribe(listener: RunListener): () => void {
    const stop = this.#listeners.add(listener);
    if (this.#stopWatching === undefined) {
      this.#stopWatching = this.#history.watch((changes) => {
        if (changes.has('runs')) void this.#read();
      });
      void this.#read();
    }
    return () => {
      stop();
      if (this.#listeners.count === 0) this.close();
    };
  }

  close(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    clearTimeout(this.#retryTimer);
    this.#listeners.clear();
    this.#cursor = undefined;
    this.#told.clear();
  }

  async #read(): Promise<void> {
    this.#readsAgain = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#readsAgain && this.#stopWatching !== undefined) {
        this.#readsAgain = false;
        await this.#readChanges();
      }
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      // The position is unchanged. The watch reports a change only once, so this must not wait for the next one.
      if (this.#stopWatching !== undefined) this.#readLater();
    } finally {
      this.#isReading = false;
    }
  }

  #readLater(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => void this.#read(), retryMs).unref();
  }

  async #readChanges(): Promise<void> {
    const { cursor, lastSeqs } = await this.#history.changesSince(this.#cursor);
    if (this.#cursor === undefined) {
      for (const [runId, seq] of lastSeqs) this.#told.set(runId, seq);
      this.#mostTold = lastSeqs.size + mostRemembered;
    } else
      for (const [runId, seq] of lastSeqs)
        try {
          await this.#tell(runId, seq);
        } catch (error) {
          // Damaged events of one run must not withhold those of others. Reading that run reports the problem.
          if (!EngineError.is(error) || error.code !== 'store.unreadable') throw error;
        }
    this.#cursor = cursor;
  }

  /** Forgets the runs that changed longest ago. Their cursor has passed, so they appear again only if they change. */
  #remember(runId: RunId, seq: number): void {
    this.#told.delete(runId);
    this.#told.set(runId, seq);
    const [oldest] = this.#told.keys();
    if (this.#told.size > this.#mostTold && oldest !== undefined) this.#told.delete(oldest);
  }

  async #tell(runId: RunId, lastSeq: number): Promise<void> {
    for (;;) {
      const afterSeq = this.#told.get(runId) ?? -1;
      if (afterSeq >= lastSeq) return;
      const events = await this.#history.readEvents(runId, afterSeq, Math.min(pageSize, lastSeq - afterSeq));
      const last = events.at(-1);
      if (last === undefined) return;
      this.#remember(runId, last.seq);
      this.#listeners.tell(warn, events);
    }
  }
}

const pageSize = 1000;
/** Pause after a failed read, in milliseconds. */
const retryMs = 1000;
/** Runs to remember in addition to those that were unfinished at the start. */
const mostRemembered = 50_000;
