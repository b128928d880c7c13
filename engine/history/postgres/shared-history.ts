/**
 * Defines a history that several machines share: what workers, engines, the command line and windows need of it.
 *
 * Events are a projection. The host of a run decides what happened: the journal of a durable host, or the SQLite file
 * of a local engine. Writing the same events again, in any order and from any process, does no harm.
 */
import type { RunId } from '../../base/ids.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';
import type { RunRequestKind } from '../store/request-store.ts';
import type { RunRecord } from '../store/run-row.ts';
import type { NewRun, RunListQuery } from '../store/run-store.ts';
import type { DueAsk, StoredAsk, WaitingEntry, WaitingQuery } from '../store/waiting-store.ts';

/** The durable engine that hosts a run. */
export interface DurableHost {
  /** Name of the engine, for example `restate`. */
  readonly engine: string;
  /** The engine's ID of the run, for example of the invocation; absent until it is known. */
  readonly reference?: string;
}

/** A run for a shared history. A run without `host` is run by this process, and its log is in `home`. */
export interface NewSharedRun extends NewRun {
  readonly host?: DurableHost;
  /** What the durable engine starts the run with. If this process ends before it has done that, a worker does it. */
  readonly hostInput?: JsonMap;
}

/** A run that is recorded, but may never have reached its durable engine. */
export interface UnsubmittedRun {
  readonly runId: RunId;
  readonly hostInput: JsonMap;
}

/** New events of one run. */
export interface RunBatch {
  readonly runId: RunId;
  /** In `seq` order. Events that are already stored are ignored. */
  readonly events: readonly EventEnvelope[];
  /** Texts that the events refer to by hash: JSON texts of large values, and definitions of child runs. */
  readonly texts?: readonly string[];
}

/** An answer that must still reach the run. */
export interface UndeliveredAnswer {
  /** Identifies the answer for `markDelivered`. */
  readonly id: number;
  readonly runId: RunId;
  readonly host?: DurableHost;
  /** For a decision about interrupted work, `key` is empty and the payload is `{ approved }` with optional `comment`. */
  readonly answer: ReceivedAnswer;
  /** Number of the event that made the request. */
  readonly askedSeq: number;
}

/** A request to a run's owner. */
export interface RunRequest {
  /** Identifies the request for `markDone`. */
  readonly id: number;
  readonly kind: RunRequestKind;
  readonly runId: RunId;
  readonly host?: DurableHost;
  /** Who made the request; absent if unknown. */
  readonly by?: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** An open request of a run, or one with an answer that the run has not processed yet. */
export interface SharedAsk extends StoredAsk {
  /** Number of the event that made the request. */
  readonly askedSeq: number;
}

/**
 * Returns the hash in answers to the request whether interrupted work may run again, which has none itself. Each such
 * request is answered separately.
 */
export function hashOfCut(askedSeq: number): string {
  return `cut:${askedSeq}`;
}

/** Type of a change that other processes may react to. `runs` is reported at most a few times per second. */
export type SharedChange = 'runs' | 'answers' | 'requests';

/** The position of a reader that follows all runs. */
export interface ChangeCursor {
  readonly position: string;
}

/** Runs with new events since an earlier position. */
export interface RunChanges {
  readonly cursor: ChangeCursor;
  /** Number of the last event of each changed run. The first call returns all unfinished runs. */
  readonly lastSeqs: ReadonlyMap<RunId, number>;
}

/**
 * Reads the runs of one workspace. Errors of all methods: EngineError `store.unreachable` (recoverable),
 * `store.unreadable`.
 */
export interface SharedReads {
  /** Lists runs, newest first. Damaged runs are included with `damage`. */
  listRuns(query: RunListQuery): Promise<readonly RunSummary[]>;
  findSummary(runId: RunId): Promise<RunSummary | undefined>;
  /** Returns a run with its inputs. @throws EngineError `store.unreadable` for a damaged run */
  getRun(runId: RunId): Promise<RunRecord | undefined>;
  /** Returns the run with this number; undefined if there is none. */
  findRun(number: number): Promise<RunId | undefined>;
  /** Returns the number of the last event up to which no event is missing; -1 if there are no events. */
  projectedSeq(runId: RunId): Promise<number>;
  /** Returns at most `limit` events in `seq` order after `afterSeq`, up to `projectedSeq`. */
  readEvents(runId: RunId, afterSeq: number, limit: number): Promise<readonly EventEnvelope[]>;
  /** Returns a definition, or the JSON text of a large value. */
  readText(hash: string): Promise<string | undefined>;
  readValue(hash: string): Promise<JsonValue | undefined>;
  readValues(hashes: readonly string[]): Promise<ReadonlyMap<string, JsonValue>>;
  /** Returns the open requests of all runs: nearest deadline first, then those without a deadline, oldest first. */
  listWaiting(limit: number): Promise<readonly WaitingEntry[]>;
  /** Returns the requests of one run in the order of the requests. Large parts of requests are handles. */
  asksOf(runId: RunId, query?: WaitingQuery): Promise<readonly SharedAsk[]>;
  /** Returns all answers of a run in chronological order. */
  answersOf(runId: RunId): Promise<readonly ReceivedAnswer[]>;
}

/** The shared history of one workspace. Errors of all methods: those of `SharedReads`, and `store.full`. */
export interface SharedHistory extends SharedReads {
  readonly workspace: string;
  /** Host, database, schema and workspace, for messages. Contains no password. */
  readonly place: string;
  /** Calls `read` with reads that all see the same state. */
  readTogether<Result>(read: (reads: SharedReads) => Promise<Result>): Promise<Result>;

  /**
   * Records a queued run with its definition. Has no effect on a run that is already recorded.
   * @throws EngineError `run.elsewhere` if the log of the run is in another local history
   */
  createRun(run: NewSharedRun): Promise<{ readonly definitionHash: string; readonly number: number }>;
  /**
   * Stores events of several runs in one transaction, and updates runs and open requests as far as no event is missing.
   * @throws EngineError `run.not-found` if one of the runs is not recorded; then nothing is stored
   */
  project(batches: readonly RunBatch[]): Promise<void>;
  /** Stores a text for as long as the run is in the history, and returns its hash. @throws EngineError `run.not-found` */
  keepText(runId: RunId, text: string): Promise<string>;
  /** Lists queued runs with `hostInput` that are older than this and were not marked as submitted, oldest first. */
  unsubmittedRuns(olderThanMs: number, limit: number): Promise<readonly UnsubmittedRun[]>;
  /** Records that the durable engine has accepted a run. @param reference the engine's ID of the run */
  markSubmitted(runId: RunId, reference: string): Promise<void>;
  /** Returns the durable host of a run; undefined for a run of a local engine, or an unknown run. */
  hostOf(runId: RunId): Promise<DurableHost | undefined>;

  /**
   * Records the first answer to a request. The answer is durable when the promise resolves.
   * @throws EngineError `run.not-found`; `run.invalid-state` if the request was already answered (`details`: `by`,
   * `at`), is no longer open, or the run has ended
   */
  claimAnswer(runId: RunId, answer: ReceivedAnswer): Promise<void>;
  /** Lists answers that no one has delivered, oldest first: for durable hosts, or for runs with a log in `home`. */
  undeliveredAnswers(of: 'durable' | 'own', limit: number): Promise<readonly UndeliveredAnswer[]>;
  markDelivered(ids: readonly number[]): Promise<void>;
  /** Removes an answer that the host of the run did not accept. Its request is open again unless the run has continued. */
  rejectAnswer(id: number): Promise<void>;
  /**
   * Requests something of the owner of a run. Has no effect if that was already requested. Returns false if the owner
   * cannot do it: the run has ended, waits already, or is not paused; or it is not a run of a durable host, and the request
   * is not to cancel it. @throws EngineError `run.not-found`
   */
  request(runId: RunId, kind: RunRequestKind, by: string | undefined): Promise<boolean>;
  /** Lists requests that are not done, oldest first: for durable hosts, or for runs with a log in `home`. */
  openRequests(of: 'durable' | 'own', limit: number): Promise<readonly RunRequest[]>;
  markDone(ids: readonly number[]): Promise<void>;
  /** Returns unanswered requests of durable hosts with a passed deadline that has had no effect yet. */
  dueAsks(now: number, limit: number): Promise<readonly DueAsk[]>;
  /** Returns the first deadline after a time; undefined if there is none. Both are in epoch milliseconds. */
  nextDeadline(after: number): Promise<number | undefined>;
  /** Records that a reminder was sent because of the deadline. Returns false if it was already sent. */
  remind(ask: DueAsk, now: number): Promise<boolean>;

  /**
   * Calls the listener when another process, or this one, has changed the history: within a second, also after the
   * connection broke. It may be called without a change. Returns a function that unsubscribes.
   */
  watch(listener: (changes: ReadonlySet<SharedChange>) => void): () => void;
  /** Returns the runs with events after the position; without one, the unfinished runs and the current position. */
  changesSince(cursor?: ChangeCursor): Promise<RunChanges>;

  /**
   * Makes this process own a run with a log in `home`, so that other machines show it as running. Returns false if
   * another process with a valid lease owns it, or the log is elsewhere.
   */
  own(runId: RunId): Promise<boolean>;
  /** Gives up the ownership of a run that is suspended or no longer runs. */
  disown(runId: RunId): Promise<void>;
  /** Returns what is stored of the runs with a log in `home`. */
  readHome(): Promise<HomeProgress>;

  /**
   * Deletes runs that ended more than `keepDays` ago, and the texts that only they used. Each call deletes at most
   * `limit` runs. Returns the number of deleted runs, and whether there may be more.
   */
  removeOldRuns(options: { readonly keepDays: number; readonly limit: number }): Promise<RemovedRuns>;
  /** Releases the lease and closes all connections. */
  close(): Promise<void>;
}

/** What is stored of the runs with a log in a local history. */
export interface HomeProgress {
  readonly runs: ReadonlyMap<RunId, { readonly lastSeq: number; readonly hasEnded: boolean }>;
  /** Runs of the workspace that ended before this time have been deleted; epoch milliseconds. */
  readonly removedBefore: number;
}

export interface RemovedRuns {
  readonly removed: number;
  readonly hasMore: boolean;
}

/** Connection to a shared history. */
export interface SharedHistoryOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=millrace&sslmode=require`. */
  readonly url: string;
  /** Name of the workspace in the history. */
  readonly workspace: string;
  /** Maximum number of connections; defaults to 8. */
  readonly connections?: number;
  /**
   * Identifies the local history that has the logs of the runs of this process. Absent for a process that runs runs only
   * on a durable host, or none.
   */
  readonly home?: string;
  /** Set to read only: the schema is not created or upgraded. */
  readonly isReadOnly?: boolean;
}
