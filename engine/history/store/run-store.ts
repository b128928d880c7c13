/**
 * Defines a workspace's history: run rows, numbered events, and large values by content hash.
 */

import type { RunId, SessionId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { EventEnvelope, RunEvent, RunKind, StartedBy } from '../../runtime/kernel/events/run-event.ts';
import type { RunStatus, RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { BreakpointsByFile } from '../../runtime/kernel/hub/run-pause.ts';
import type { ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';
import type { AnswerStore } from './answer-store.ts';
import type { FiringOfRun, FiringStore } from './firing-store.ts';
import type { MarkStore } from './mark-store.ts';
import type { RunRequestStore } from './request-store.ts';
import type { RetentionStore } from './retention-store.ts';
import type { RunRecord } from './run-row.ts';
import type { SessionStore } from './session-store.ts';
import type { WaitingStore } from './waiting-store.ts';
import type { WorkStore } from './work-store.ts';

/** A run that was accepted. */
export interface NewRun {
  readonly runId: RunId;
  readonly sessionId: SessionId;
  readonly kind: RunKind;
  readonly name: string;
  readonly sourcePath: string;
  /** Text of the definition that will run. */
  readonly definition: string;
  readonly inputs: JsonValue;
  /** When the run was queued, in epoch milliseconds. */
  readonly queuedAt: number;
  readonly redoOf?: RunId;
  readonly redoCount?: number;
  readonly rerunOf?: RunId;
  /** Its number in the history that it comes from, for a run that someone sent. Must be unused. */
  readonly number?: number;
  readonly startedBy?: StartedBy;
  /** The firing that starts the run. It is marked as started in the same transaction. */
  readonly firing?: FiringOfRun;
  /**
   * Hash, by node, of the data that determines its output in addition to definition and input (versions, model
   * settings).
   */
  readonly nodeSettings?: Readonly<Record<string, string>>;
  /** The breakpoints of the run, by file. Recorded in the same transaction, so that a crash cannot lose them. */
  readonly breakpoints?: BreakpointsByFile;
}

/** Search criteria for runs; absent fields match anything. */
export interface RunSearch {
  /** Text in the name or path. Matching ASCII letters is not case-sensitive. */
  readonly text?: string;
  readonly number?: number;
  /**
   * Text in the inputs, the output or the error, as in JSON. Only the newest `mostSearchedRuns` runs that match everything
   * else are searched. Matching ASCII letters is not case-sensitive. Not in a shared history.
   */
  readonly content?: string;
}

/** Maximum number of runs in which the text of inputs and outputs is searched. */
export const mostSearchedRuns = 10_000;

/** Selects runs from the history, up to a limit. Without other fields, all of them. */
export interface RunListQuery {
  /** Only runs of the definition at this path. */
  readonly sourcePath?: string;
  /** Only runs with this status; those that wait for a person are `suspended`. */
  readonly status?: RunStatus;
  /** Only runs that were started in this way, by this name if there is one. */
  readonly startedBy?: StartedBy;
  /** Only runs with this label. Not in a shared history. */
  readonly label?: string;
  /** Only runs that started at this time or later, in epoch milliseconds. */
  readonly since?: number;
  /** Only runs that started before this time, in epoch milliseconds. */
  readonly until?: number;
  /** Only runs with a lower number, to continue a list. */
  readonly below?: number;
  readonly find?: RunSearch;
  readonly limit: number;
}

/** Returns the texts that the JSON of `startedBy` contains for runs with this start, and for no others. */
export function startedByTexts({ kind, name }: StartedBy): readonly string[] {
  const names = name === undefined ? [] : [`"name":${JSON.stringify(name)}`];
  return [`"kind":${JSON.stringify(kind)}`, ...names];
}

/**
 * Synchronous reads for the process that writes the history, which must see everything it has written before it decides
 * what to write next. All other code uses the asynchronous `RunReads`.
 */
export interface WriterReads {
  /** Lists runs, newest first, without the inputs, which may be large. Damaged runs are included with `damage`. */
  listRuns(query: RunListQuery): readonly RunSummary[];
  /** Returns a run with its inputs. @throws EngineError `store.unreadable` for a damaged run */
  getRun(runId: RunId): RunRecord | undefined;
  /** Returns at most `limit` stored events in `seq` order after `afterSeq`. */
  readEvents(runId: RunId, afterSeq: number, limit: number): readonly EventEnvelope[];
  readDefinition(definitionHash: string): string | undefined;
  readValue(hash: string): JsonValue | undefined;
}

/** The history of one workspace: writes, reads for the writer, and the basis of the asynchronous reads. */
export interface RunStore extends WriterReads {
  /** Path of the file; null for a history in memory. */
  readonly file: string | null;
  /**
   * Records a queued run and its definition, owned by this process. Returns the definition's hash and the run's number.
   * @throws EngineError `firing.taken` | `firing.blocked` if its firing cannot start a run, and nothing is recorded then;
   * `store.full` | `store.write-failed`
   */
  createRun(run: NewRun): { definitionHash: string; number: number };
  /**
   * Makes events durable in one transaction and updates the run row. The events must continue the run's `seq`;
   * otherwise, throws a plain error, because this is a bug. After `run:suspended` the store no longer owns the run.
   * @throws EngineError `store.full` | `store.write-failed`; `store.not-owner` for a run that this store neither
   * recorded nor claimed, or that has ended
   */
  append(runId: RunId, events: readonly EventEnvelope[]): void;
  /**
   * Claims an interrupted or suspended run without a live owner. Its status changes with its next events. @throws
   * EngineError `run.not-found`, `run.invalid-state` for any other run, `store.full` | `store.write-failed`
   */
  claim(runId: RunId): void;
  /**
   * Records the first answer to a request, and claims the run in the same transaction if it has no live owner.
   * @param takesOver false to leave the run unchanged
   * @returns whether this store has claimed the run
   * @throws EngineError the errors of `AnswerStore.claim`
   */
  claimAnswer(runId: RunId, answer: ReceivedAnswer, takesOver: boolean): boolean;
  /**
   * Adds an event to the log of a run without a live owner. The run is otherwise unchanged.
   * @param about its time in epoch milliseconds, and its context: that of a task of the root run, or of another event
   * @throws EngineError the errors of `claim` and `append`
   */
  note(
    runId: RunId,
    event: RunEvent,
    about: { readonly at: number } & ({ readonly taskId: string } | { readonly like: EventEnvelope }),
  ): EventEnvelope;
  /** Marks an unfinished run of this store as interrupted: it no longer runs, but its end could not be recorded. */
  giveUp(runId: RunId): void;
  /**
   * Deletes a run from the history, including its child runs and all data that only these runs used. Its number is not
   * reused.
   * @throws EngineError `run.not-found`; `run.invalid-state` for a run that is active, or with results that an
   * unfinished run uses; `store.full` | `store.write-failed`
   */
  deleteRun(runId: RunId): void;
  /** Stores the text of a definition under its hash. @throws EngineError `store.full` | `store.write-failed` */
  keepDefinition(text: string): void;
  /**
   * Returns the value itself or, if its JSON text is larger than 16 KiB, stores it under its hash and returns a handle.
   */
  intern(value: JsonValue): JsonValue;
  /** Returns a run as in the list. `damage` describes a damaged run. */
  findSummary(runId: RunId): RunSummary | undefined;
  /** Returns the run with this number; undefined if there is none. */
  findRun(number: number): RunId | undefined;
  /** Returns the number of the run's last event; -1 if it has none. */
  lastSeq(runId: RunId): number;
  /**
   * Calls `read`, which must only read, synchronously: it sees a consistent state, whatever other processes write in
   * the meantime.
   */
  readTogether<Result>(read: () => Result): Result;
  /** Returns a number that changes whenever anything other than this store writes to the history. */
  foreignVersion(): number;
  readonly works: WorkStore;
  readonly answers: AnswerStore;
  readonly waiting: WaitingStore;
  readonly requests: RunRequestStore;
  readonly marks: MarkStore;
  readonly firings: FiringStore;
  readonly retention: RetentionStore;
  readonly sessions: SessionStore;
  /** Closes the store and marks its unfinished runs as interrupted. Has no effect if it is already closed. */
  close(): void;
}
