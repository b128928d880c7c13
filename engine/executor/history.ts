/**
 * What hosts may read of the store, with errors for what is not there, and whether another process has written to it.
 */

import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { Listeners } from '../base/listeners.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { type Definition, unpackDefinition } from '../flowspec/stored-definition.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';
import type { RunSummary } from '../kernel/run-state.ts';
import type { RunSearch, RunStore } from '../store/run-store.ts';
import type { WaitingEntry } from '../store/waiting-store.ts';
import { readLog } from './read-log.ts';
import { runNotFound, valueNotFound } from './refusals.ts';
import { readWaiting, type WaitingAsk } from './run-answers.ts';
import { warn } from './warn.ts';

/** Which runs of the history. */
export interface RunQuery {
  /** Only runs of this definition. */
  readonly sourcePath?: string;
  /** Only those that wait for a person. */
  readonly status?: 'suspended';
  /** Only those that it fits. */
  readonly find?: RunSearch;
  readonly limit: number;
}

/** What a host may read of the runs that there were. */
export interface History {
  /** Newest first. Damaged runs are in it, with `damage`. */
  listRuns(query: RunQuery): readonly RunSummary[];
  /** @throws EngineError `run.not-found` */
  getRun(runId: RunId): RunSummary;
  /** The run with a number of `RunSummary.number`. @throws EngineError `run.not-found` */
  findRun(number: number): RunId;
  /** The text that a run executed. @throws EngineError `run.not-found` */
  readDefinition(runId: RunId): string;
  /** The text that a run executed which another one called. @param root the run at the top @throws EngineError `run.not-found` */
  readCalledDefinition(root: RunId, called: RunId): string;
  /** The schemas that it had from files, by the names of these in the text. @throws EngineError `run.not-found` */
  readDefinitionSchemas(runId: RunId): Readonly<Record<string, JsonValue>>;
  /** Stored events in `seq` order, from `afterSeq` (exclusive; -1 = from the start) on. */
  readEvents(runId: RunId, afterSeq: number, limit: number): readonly EventEnvelope[];
  /** What the run asks at present, in itself and in the runs that it called. @throws EngineError `run.not-found` */
  waiting(runId: RunId): readonly WaitingAsk[];
  /**
   * What all runs ask at present, also those that go on: first what has a deadline, the next one first, then the oldest. At most
   * `limit`, or 20,000.
   */
  listWaiting(limit?: number): readonly WaitingEntry[];
  /** The JSON value behind a handle. @throws EngineError `value.not-found` */
  readValue(hash: string): JsonValue;
}

const mostWaiting = 20_000;

/** Makes the reading half of an engine. */
export function createHistory(store: RunStore): History {
  function getRun(runId: RunId): RunSummary {
    const summary = store.findSummary(runId);
    if (summary === undefined) throw runNotFound(runId);
    return summary;
  }

  function definitionOf(runId: RunId): Definition {
    return storedAs(getRun(runId).definitionHash);
  }

  function storedAs(definitionHash: string): Definition {
    const stored = store.readDefinition(definitionHash);
    if (stored === undefined) throw valueNotFound(definitionHash);
    return unpackDefinition(stored);
  }

  return {
    getRun,
    listRuns: (query) => store.listRuns(query),
    findRun(number) {
      const runId = store.findRun(number);
      if (runId === undefined) throw runNotFound(`#${number}`);
      return runId;
    },
    readEvents: (runId, afterSeq, limit) => store.readEvents(runId, afterSeq, limit),
    waiting(runId) {
      getRun(runId);
      return readWaiting(store, runId);
    },
    listWaiting: (limit = mostWaiting) => store.waiting.list(limit),
    readDefinition: (runId) => definitionOf(runId).text,
    readCalledDefinition(root, called) {
      for (const { runId, event } of readLog(store, root)) {
        if (runId === called && event.type === 'run:start') return storedAs(event.definitionHash).text;
      }
      throw runNotFound(called);
    },
    readDefinitionSchemas(runId) {
      const { schemas } = definitionOf(runId);
      return Object.fromEntries(
        [...schemas].flatMap(([name, file]) => ('schema' in file ? [[name, file.schema]] : [])),
      );
    },
    readValue(hash) {
      const value = store.readValue(hash);
      if (value === undefined) throw valueNotFound(hash);
      return value;
    },
  };
}

interface HistoryWatch {
  /** Returns the subscription's end. */
  subscribe(listener: () => void): () => void;
  /** Ends all subscriptions. */
  /** Tells of a write of this process that no event tells of. */
  tell(): void;
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
    tell: () => listeners.tell(warn),
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
