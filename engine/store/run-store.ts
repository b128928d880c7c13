/**
 * The history of one workspace: run rows, numbered events, and large values by content hash.
 */
import type { RunId, SessionId } from '../base/ids.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { GivenAnswer } from '../kernel/ask.ts';
import type { EventEnvelope, RunEvent, RunKind } from '../kernel/run-event.ts';
import type { RunSummary } from '../kernel/run-state.ts';
import type { AnswerStore } from './answer-store.ts';
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
  /** The definition's text, as it will run. */
  readonly definition: string;
  readonly inputs: JsonValue;
  /** Epoch milliseconds. */
  readonly queuedAt: number;
  readonly redoOf?: RunId;
  readonly redoCount?: number;
  readonly rerunOf?: RunId;
  /** Per node, what decides its output beside definition and input (versions, model settings), as a hash. */
  readonly nodeSettings?: Readonly<Record<string, string>>;
}

export interface RunRecord extends RunSummary {
  readonly inputs: JsonValue;
  readonly nodeSettings: Readonly<Record<string, string>>;
}

/** What is looked for among the runs; what is absent may be anything. */
export interface RunSearch {
  /** Stands in the name or the path; Latin letters in either case. */
  readonly text?: string;
  readonly number?: number;
}

/** Which runs of the history: those of one definition, those that wait for a person, those found, or all; so many at most. */
export interface RunListQuery {
  readonly sourcePath?: string;
  readonly status?: 'suspended';
  readonly find?: RunSearch;
  readonly limit: number;
}

/**
 * What the one writer of a history reads of it, synchronously: to decide what to write next it must see all that it has written. Everybody
 * else reads through `RunReads`, whose results are promises.
 */
export interface WriterReads {
  /** Newest first, without the inputs, which may be large. Damaged runs are in it, with `damage`. */
  listRuns(query: RunListQuery): readonly RunSummary[];
  /** @throws EngineError `store.unreadable` for a damaged run */
  getRun(runId: RunId): RunRecord | undefined;
  /** Stored events in `seq` order, from `afterSeq` (exclusive) on, at most `limit`. */
  readEvents(runId: RunId, afterSeq: number, limit: number): readonly EventEnvelope[];
  readDefinition(definitionHash: string): string | undefined;
  readValue(hash: string): JsonValue | undefined;
}

/** The history of one workspace: what its writer does and reads, and what its asynchronous reads are made from. */
export interface RunStore extends WriterReads {
  /** Where it lives; null = in memory, nothing survives the process. */
  readonly file: string | null;
  /** Records a queued run and its definition, owned by this process. Returns the definition's hash and the run's number. */
  createRun(run: NewRun): { definitionHash: string; number: number };
  /**
   * Makes events durable in one transaction and brings the run row up to date with them. They must continue the run's
   * `seq`; anything else is a bug and throws a plain error. With `run:suspended` the store ceases to own the run.
   * @throws EngineError `store.full` | `store.write-failed`; `store.not-owner` for a run that this store neither recorded
   *   nor claimed, or that has ended
   */
  append(runId: RunId, events: readonly EventEnvelope[]): void;
  /**
   * Makes this store the owner of a run that nobody alive runs: interrupted or suspended. Its status changes with its next
   * events. @throws EngineError `run.not-found`, `run.invalid-state` for any other run, `store.full` | `store.write-failed`
   */
  claim(runId: RunId): void;
  /**
   * Makes an answer the one that counts, and, in the same transaction, takes the run over where nobody alive has it.
   * @param takesOver false = the run stays as it is
   * @returns whether this store has taken the run over
   * @throws EngineError as `AnswerStore.claim` does
   */
  claimAnswer(runId: RunId, answer: GivenAnswer, takesOver: boolean): boolean;
  /**
   * Adds an event to the log of a run that nobody alive runs, and leaves the run as it is.
   * @param event its context is that of the task `taskId`. @param at epoch milliseconds
   * @throws EngineError as `claim` and `append` do
   */
  note(runId: RunId, event: RunEvent, about: { readonly taskId: string; readonly at: number }): void;
  /** An unfinished run of this store becomes interrupted: it goes on no longer, but its end could not be recorded. */
  giveUp(runId: RunId): void;
  /**
   * Takes a run out of the history, with the runs that it called and all that only they held. Its number is not given again.
   * @throws EngineError `run.not-found`; `run.invalid-state` for one that goes on, or whose results a run uses that has not
   *   ended; `store.full` | `store.write-failed`
   */
  deleteRun(runId: RunId): void;
  /** Stores the text of a definition under its hash. @throws EngineError `store.full` | `store.write-failed` */
  keepDefinition(text: string): void;
  /** The value itself, or a handle when its JSON text is over 16 KiB (which is then stored under its hash). */
  intern(value: JsonValue): JsonValue;
  /** One of the list. A damaged run has `damage`. */
  findSummary(runId: RunId): RunSummary | undefined;
  /** The run with this number; undefined when there is none. */
  findRun(number: number): RunId | undefined;
  /** Number of the run's last event; -1 = it has none. */
  lastSeq(runId: RunId): number;
  /** Runs `read`, which only reads, synchronously: all that it reads is of one moment, whatever other processes write. */
  readTogether<Result>(read: () => Result): Result;
  /** A number that changes whenever something else than this store has written to the history. */
  foreignVersion(): number;
  readonly works: WorkStore;
  readonly answers: AnswerStore;
  readonly waiting: WaitingStore;
  readonly sessions: SessionStore;
  /** Unfinished runs of this store become interrupted. Harmless when it is closed already. */
  close(): void;
}
