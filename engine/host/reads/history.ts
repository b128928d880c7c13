/**
 * Reads the run store for hosts, reports missing entries as errors, and detects writes by other processes.
 */

import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { Listeners } from '../../base/listeners.ts';
import type { RunListQuery, RunStore } from '../../history/store/run-store.ts';
import type { WaitingEntry } from '../../history/store/waiting-store.ts';
import { type StoredDefinition, unpackDefinition } from '../../language/flow/stored-definition.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { RunHead } from '../../runtime/kernel/capabilities/read-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { AskRequest } from '../../runtime/kernel/requests/ask.ts';
import { runNotFound, valueNotFound } from '../executor/refusals.ts';
import { readWaiting, type WaitingAsk } from '../executor/run-answers.ts';
import { warn } from '../executor/warn.ts';
import type { RunComparer } from './compare-stored-runs.ts';
import { readLog } from './read-log.ts';

/** An open request with its full text. */
export interface WaitingRequest extends WaitingEntry {
  /** Undefined if the request asks whether interrupted work may run again. */
  readonly request: AskRequest | undefined;
}

/**
 * Reads the runs in a history. All methods are asynchronous, so that the history may be in another process. Each call
 * reads a consistent state; other processes may write between two calls.
 */
export interface RunHistoryReader extends RunComparer {
  /** Lists runs, newest first. Damaged runs are included, with `damage` set. */
  listRuns(query: RunListQuery): Promise<readonly RunSummary[]>;
  /** @throws EngineError `run.not-found` */
  getRun(runId: RunId): Promise<RunSummary>;
  /**
   * Reads a run together with the number of its last event. The summary reflects the events up to that number.
   * @throws EngineError `run.not-found`; `store.unreadable` if its log is damaged
   */
  readHead(runId: RunId): Promise<RunHead>;
  /** Returns the ID of the run with this `RunSummary.number`. @throws EngineError `run.not-found` */
  findRun(number: number): Promise<RunId>;
  /** Returns the definition text that a run executed. @throws EngineError `run.not-found` */
  readDefinition(runId: RunId): Promise<string>;
  /**
   * Returns the definition text that a child run executed. @param root the top-level run @throws EngineError
   * `run.not-found`
   */
  readCalledDefinition(root: RunId, called: RunId): Promise<string>;
  /**
   * Returns the schemas that a run loaded from files, by the names used in its definition. @throws EngineError
   * `run.not-found`
   */
  readDefinitionSchemas(runId: RunId): Promise<Readonly<Record<string, JsonValue>>>;
  /**
   * Returns a definition with the files that it references, by the hash in a run's summary or in `run:start`.
   * @throws EngineError `value.not-found`
   */
  readStoredDefinition(hash: string): Promise<StoredDefinition>;
  /** Returns stored events in `seq` order, starting after `afterSeq` (exclusive; -1 = from the start). */
  readEvents(runId: RunId, afterSeq: number, limit: number): Promise<readonly EventEnvelope[]>;
  /** Returns the open requests of the run and its child runs. @throws EngineError `run.not-found` */
  waiting(runId: RunId): Promise<readonly WaitingAsk[]>;
  /**
   * Returns the open requests of all runs, including runs in progress. Requests with the nearest deadline come first,
   * then the oldest. Returns at most `limit` entries (default: 20,000).
   */
  listWaiting(limit?: number): Promise<readonly WaitingEntry[]>;
  /** Returns the entries of `listWaiting` with the complete requests, all read from the same state. */
  listWaitingRequests(): Promise<readonly WaitingRequest[]>;
  /** Returns the JSON value for a handle. @throws EngineError `value.not-found` */
  readValue(hash: string): Promise<JsonValue>;
  /** Returns the JSON values of several handles by hash. Omits values that are not in the history. */
  readValues(hashes: readonly string[]): Promise<ReadonlyMap<string, JsonValue>>;
}

/** Maximum number of open requests in a list. */
export const mostWaiting = 20_000;

/** Creates the asynchronous interface for a history in this process; its promises resolve immediately. */
export function createHistory(store: RunStore): RunHistoryReader {
  function getRun(runId: RunId): RunSummary {
    const summary = store.findSummary(runId);
    if (summary === undefined) throw runNotFound(runId);
    return summary;
  }

  function definitionOf(runId: RunId): StoredDefinition {
    return store.readTogether(() => storedAs(getRun(runId).definitionHash));
  }

  function storedAs(definitionHash: string): StoredDefinition {
    const stored = store.readDefinition(definitionHash);
    if (stored === undefined) throw valueNotFound(definitionHash);
    return unpackDefinition(stored);
  }

  return withComparer({
    getRun: async (runId) => getRun(runId),
    readHead: async (runId) => store.readTogether(() => ({ run: getRun(runId), lastSeq: store.lastSeq(runId) })),
    listRuns: async (query) => store.listRuns(query),
    async findRun(number) {
      const runId = store.findRun(number);
      if (runId === undefined) throw runNotFound(`#${number}`);
      return runId;
    },
    readEvents: async (runId, afterSeq, limit) => store.readEvents(runId, afterSeq, limit),
    waiting: async (runId) =>
      store.readTogether(() => {
        getRun(runId);
        return readWaiting(store, runId);
      }),
    listWaiting: async (limit = mostWaiting) => store.waiting.list(limit),
    listWaitingRequests: async () => store.readTogether(() => waitingRequests(store)),
    readDefinition: async (runId) => definitionOf(runId).text,
    readCalledDefinition: async (root, called) =>
      store.readTogether(() => {
        for (const { runId, event } of readLog(store, root)) {
          if (runId === called && event.type === 'run:start') return storedAs(event.definitionHash).text;
        }
        throw runNotFound(called);
      }),
    async readDefinitionSchemas(runId) {
      return schemasOf(definitionOf(runId));
    },
    readStoredDefinition: async (hash) => storedAs(hash),
    async readValue(hash) {
      const value = store.readValue(hash);
      if (value === undefined) throw valueNotFound(hash);
      return value;
    },
    readValues: async (hashes) =>
      new Map(
        hashes.flatMap((hash) => {
          const value = store.readValue(hash);
          return value === undefined ? [] : [[hash, value] as const];
        }),
      ),
  });
}

/** Adds the comparison of runs to a reader. Its code is loaded when a person compares runs. */
export function withComparer(reads: Omit<RunHistoryReader, keyof RunComparer>): RunHistoryReader {
  return {
    ...reads,
    async compareRuns(request) {
      const { compareStoredRuns } = await import('./compare-stored-runs.ts');
      return await compareStoredRuns(reads, request);
    },
    async compareNode(request) {
      const { compareStoredNode } = await import('./compare-stored-runs.ts');
      return await compareStoredNode(reads, request);
    },
  };
}

/** Returns the schemas that a run loaded from files, by the names used in its definition. */
export function schemasOf({ schemas }: StoredDefinition): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries([...schemas].flatMap(([name, file]) => ('schema' in file ? [[name, file.schema]] : [])));
}

/** Reads each run with open requests only once. */
function waitingRequests(store: RunStore): readonly WaitingRequest[] {
  const entries = store.waiting.list(mostWaiting);
  return withRequests(
    entries,
    runsOf(entries).flatMap((runId) => readWaiting(store, runId)),
  );
}

/** Returns the runs of requests, each once. */
export function runsOf(entries: readonly WaitingEntry[]): readonly RunId[] {
  return [...new Set(entries.map(({ runId }) => runId))];
}

/** Adds the complete requests to the entries. @param asks all open requests of the same runs */
export function withRequests(entries: readonly WaitingEntry[], asks: readonly WaitingAsk[]): readonly WaitingRequest[] {
  const placeOf = ({ runId, name, key }: Pick<WaitingEntry, 'runId' | 'name' | 'key'>): string =>
    JSON.stringify([runId, name, key]);
  const requests = new Map(asks.map((ask) => [placeOf(ask), ask.request]));
  return entries.map((entry) => ({ ...entry, request: requests.get(placeOf(entry)) }));
}

interface HistoryWatch {
  /** Adds a listener. Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Ends all subscriptions. */
  /** Notifies listeners of a write by this process that has no event. */
  tell(): void;
  close(): void;
}

/** SQLite does not notify about writes by other processes. Checking for them takes microseconds. */
const askEveryMs = 1000;

/** Creates a watch that polls only while it has subscribers. */
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

/** Returns undefined if the history cannot be read. The next reader receives the error. */
function versionOf(store: RunStore): number | undefined {
  try {
    return store.foreignVersion();
  } catch (error) {
    if (EngineError.is(error)) return undefined;
    throw error;
  }
}
