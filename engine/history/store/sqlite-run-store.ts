/**
 * Implements the history in SQLite, either in a file that several processes can share, or in memory.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { asRunId, type RunId, type SessionId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { withInternedValues } from '../../runtime/kernel/hub/event-traits.ts';
import type { ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';
import { type AnswerStore, createAnswerStore } from './answer-store.ts';
import { claimFiring } from './claim-firing.ts';
import { type Db, openDb } from './db.ts';
import { deleteRun } from './delete-run.ts';
import type { EventGroup } from './event-group.ts';
import { insertGroup, nextSeqOf, readLog, type StoredRunLog } from './event-log.ts';
import { createFiringStore, type FiringStore, recordedFiring } from './firing-store.ts';
import { contentHash, handleFor, keepText, largeSize } from './large-value.ts';
import { createMarkStore, type MarkStore } from './mark-store.ts';
import { migrate } from './migrate.ts';
import type { Owner } from './owner.ts';
import { createRunRequestStore, keepBreakpoints, type RunRequestStore } from './request-store.ts';
import { createRetentionStore, type RetentionStore } from './retention-store.ts';
import { type OwnedRun, RunOwnership } from './run-ownership.ts';
import { damagedRun, type LargeColumns, type RunRecord, toRecord, toSummary } from './run-row.ts';
import { findRow, isUnreadable, listRows } from './run-rows.ts';
import type { NewRun, RunListQuery, RunStore } from './run-store.ts';
import { changesRunRow, insertRun, updateRun } from './run-turns.ts';
import { SqliteSessionStore } from './session-store.ts';
import { updateWaitingRows } from './waiting-rows.ts';
import { createWaitingStore, type WaitingStore } from './waiting-store.ts';
import { createWorkStore, type WorkStore } from './work-store.ts';

interface StoreContext {
  readonly clock: Clock;
  /** Owner of the runs that this store records. */
  readonly owner: Owner;
}

/**
 * Opens or creates a history.
 * @param options.file path of the file in an existing folder; null for a history in memory
 * @throws EngineError `store.newer-version` | `store.unreadable` | `store.full` | `store.write-failed`; the file is
 * then unchanged
 */
export async function openRunStore(options: StoreContext & { readonly file: string | null }): Promise<RunStore> {
  const db = await openDb(options.file);
  try {
    await migrate(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return createSqliteRunStore(db, options);
}

/** Creates a store on a migrated database; closing the store closes the database. */
export function createSqliteRunStore(db: Db, context: StoreContext): RunStore {
  return new SqliteRunStore(db, context);
}

class SqliteRunStore implements RunStore {
  readonly file: string | null;
  readonly works: WorkStore;
  readonly answers: AnswerStore;
  readonly waiting: WaitingStore;
  readonly requests: RunRequestStore;
  readonly marks: MarkStore;
  readonly firings: FiringStore;
  readonly retention: RetentionStore;
  readonly sessions: SqliteSessionStore;
  readonly #db: Db;
  readonly #ownership: RunOwnership;

  constructor(db: Db, context: StoreContext) {
    this.file = db.file;
    this.works = createWorkStore(db);
    this.answers = createAnswerStore(db);
    this.waiting = createWaitingStore(db);
    this.requests = createRunRequestStore(db);
    this.marks = createMarkStore(db);
    this.firings = createFiringStore(db);
    this.sessions = new SqliteSessionStore(db, context);
    this.#db = db;
    this.#ownership = new RunOwnership(db, context);
    this.retention = createRetentionStore(db, () => this.#ownership.createAbandonedCheck());
  }

  createRun(run: NewRun): { definitionHash: string; number: number } {
    const definitionHash = contentHash(run.definition);
    const owned = this.#db.execTx((tx) => {
      if (run.firing !== undefined) {
        const isAbandoned = this.#ownership.createAbandonedCheck();
        claimFiring(tx, recordedFiring(tx, run.firing), { runId: run.runId, isAbandoned });
      }
      keepText(tx, definitionHash, run.definition);
      const rowId = insertRun(tx, run, definitionHash);
      if (run.breakpoints !== undefined) keepBreakpoints(tx, run.runId, run.breakpoints);
      return this.#ownership.sign(tx, { rowId, runId: run.runId, sessionId: run.sessionId }, 0);
    });
    this.#ownership.add(run.runId, owned);
    return { definitionHash, number: owned.rowId };
  }

  append(runId: RunId, events: readonly EventEnvelope[]): void {
    if (!isGroup(events)) {
      return;
    }
    const run = this.#ownership.ownedRun(runId);
    refuseGaps(run, events);
    const turns = events.filter((envelope) => changesRunRow(runId, envelope));
    if (turns.length === 0 && !run.waiting.concerns(events)) {
      // The usual case is a single statement. A transaction around it would double its cost.
      insertGroup(this.#db, run, events);
      run.waiting.pass(events);
    } else {
      this.#db.execTx((tx) => {
        insertGroup(tx, run, events);
        updateWaitingRows(tx, { log: run, waiting: run.waiting }, events);
        for (const { event, at } of turns) {
          updateRun(tx, run.rowId, { event, at });
        }
      });
    }
    run.nextSeq += events.length;
    const lastTurn = turns.at(-1)?.event.type;
    if (lastTurn === 'run:end' || lastTurn === 'run:suspended' || lastTurn === 'run:refused') {
      this.#ownership.remove(runId);
    }
  }

  claim(runId: RunId): void {
    this.#ownership.claim(runId);
  }

  claimAnswer(runId: RunId, answer: ReceivedAnswer, takesOver: boolean): boolean {
    const owned = this.answers.claimWith(runId, answer, (tx) =>
      takesOver ? this.#ownership.takeAbandoned(tx, runId) : undefined,
    );
    if (owned !== undefined) this.#ownership.add(runId, owned);
    return owned !== undefined;
  }

  note(runId: RunId, given: RunEvent, about: Parameters<RunStore['note']>[2]): EventEnvelope {
    this.claim(runId);
    try {
      const { nextSeq: seq, sessionId } = this.#ownership.ownedRun(runId);
      const place = 'like' in about ? about.like : { runId, context: { sessionId, task: { id: about.taskId } } };
      const event = withInternedValues(given, (value) => this.intern(value));
      const envelope = { ...place, seq, at: about.at, event };
      this.append(runId, [envelope]);
      return envelope;
    } finally {
      this.giveUp(runId);
    }
  }

  giveUp(runId: RunId): void {
    this.#ownership.giveUp(runId);
  }

  deleteRun(runId: RunId): void {
    const isAbandoned = this.#ownership.createAbandonedCheck();
    this.#db.execTx((tx) => deleteRun(tx, runId, isAbandoned));
  }

  keepDefinition(text: string): void {
    keepText(this.#db, contentHash(text), text);
  }

  intern(value: JsonValue): JsonValue {
    const jsonText = JSON.stringify(value);
    const bytes = largeSize(jsonText);
    if (bytes === undefined) {
      return value;
    }
    const hash = contentHash(jsonText);
    keepText(this.#db, hash, jsonText);
    return { ...handleFor(value, { hash, bytes, jsonText }) };
  }

  listRuns(query: RunListQuery): readonly RunSummary[] {
    const rows = listRows(this.#db, query);
    const isAbandoned = this.#ownership.createAbandonedCheck();
    const runs = rows.map((row) => toSummary(row, isAbandoned(row)));
    // Whether a run is interrupted depends on its owner.
    return query.status === undefined
      ? runs
      : runs.filter(({ status }) => status === query.status).slice(0, query.limit);
  }

  findSummary(runId: RunId): RunSummary | undefined {
    const row = findRow(this.#db, runId);
    return row && toSummary(row, this.#ownership.createAbandonedCheck()(row));
  }

  getRun(runId: RunId): RunRecord | undefined {
    const summary = this.findSummary(runId);
    if (summary === undefined) return undefined;
    // Does not read the large columns of an unreadable row.
    const large =
      summary.damage === undefined
        ? this.#db.get<LargeColumns>(
            `SELECT inputs, (SELECT text FROM value WHERE hash = node_settings_hash) AS node_settings
             FROM run WHERE run_id = ?`,
            runId,
          )
        : { inputs: 'null', node_settings: null };
    return large && toRecord(summary, large, this.#place);
  }

  findRun(number: number): RunId | undefined {
    const row = this.#db.get<{ run_id: string }>('SELECT run_id FROM run WHERE id = ?', number);
    return row === undefined ? undefined : asRunId(row.run_id);
  }

  readEvents(runId: RunId, afterSeq: number, limit: number): readonly EventEnvelope[] {
    return this.#readLogOf(runId, (log) => readLog(this.#db, log, { afterSeq, limit })) ?? [];
  }

  lastSeq(runId: RunId): number {
    return this.#readLogOf(runId, ({ rowId }) => nextSeqOf(this.#db, rowId) - 1) ?? -1;
  }

  readTogether<Result>(read: () => Result): Result {
    return this.#db.readTogether(read);
  }

  readDefinition(definitionHash: string): string | undefined {
    return this.#readText(definitionHash);
  }

  readValue(hash: string): JsonValue | undefined {
    const text = this.#readText(hash);
    if (text === undefined) {
      return undefined;
    }
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // This is the hash of a definition, which is in the same table but is not a value.
      return undefined;
    }
  }

  foreignVersion(): number {
    return this.#db.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
  }

  close(): void {
    this.#ownership.release();
    this.sessions.close();
    this.#db.close();
  }

  /** Name of the history, for messages. */
  get #place(): string {
    return this.file ?? 'the history in memory';
  }

  /**
   * Calls `read` with the log of a run; returns undefined if the run does not exist. @throws EngineError
   * `store.unreadable` if its log is damaged
   */
  #readLogOf<Result>(runId: RunId, read: (log: StoredRunLog) => Result): Result | undefined {
    const row = this.#db.get<{ id: number; session_id: SessionId }>(
      'SELECT id, session_id FROM run WHERE run_id = ?',
      runId,
    );
    if (row === undefined) return undefined;
    try {
      return read({ rowId: row.id, runId, sessionId: row.session_id });
    } catch (error) {
      // Only this store writes rows, so a row that cannot be decoded is damaged.
      if (EngineError.is(error) && !isUnreadable(error)) throw error;
      const reason = error instanceof Error && !EngineError.is(error) ? ` (${error.message})` : '';
      throw damagedRun(this.#place, row.id, `its events cannot be read${reason}`, error);
    }
  }

  #readText(hash: string): string | undefined {
    return this.#db.get<{ text: string }>('SELECT text FROM value WHERE hash = ?', hash)?.text;
  }
}

function isGroup(events: readonly EventEnvelope[]): events is EventGroup {
  return events.length > 0;
}

/** Rejects events that do not continue the log. A gap or a duplicate would go unnoticed and cause errors later. */
function refuseGaps({ nextSeq }: OwnedRun, events: EventGroup): void {
  let expected = nextSeq;
  for (const { seq, runId } of events) {
    if (seq !== expected) {
      throw new Error(`Event ${seq} of run ${runId} cannot be recorded: the next one is ${expected}.`);
    }
    expected += 1;
  }
}
