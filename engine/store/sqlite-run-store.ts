/**
 * The history in SQLite: one file that several processes may share, or in memory.
 */
import type { Clock } from '../base/clock.ts';
import type { RunId } from '../base/ids.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';
import type { RunSummary } from '../kernel/run-summary.ts';
import { contentHash } from './content-hash.ts';
import { type Db, openDb, type TxDb } from './db.ts';
import { handleFor, largeSize } from './large-value.ts';
import { migrate } from './migrations/migrate.ts';
import type { Owner } from './owner.ts';
import { RunOwnership } from './run-ownership.ts';
import { type RunRow, runColumns, toRecord, toSummary } from './run-row.ts';
import type { NewRun, RunRecord, RunStore } from './run-store.ts';

interface StoreContext {
  readonly clock: Clock;
  /** Who runs the runs that this store records. */
  readonly owner: Owner;
}

/**
 * Opens (or starts) a history.
 * @param options.file its path in an existing folder; null = in memory
 * @throws EngineError `store.newer-version` | `store.unreadable` | `store.full` | `store.write-failed`; the file is then
 *   left as it was
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

/** A store on a database that has been migrated; closing the store closes it. */
export function createSqliteRunStore(db: Db, context: StoreContext): RunStore {
  return new SqliteRunStore(db, context);
}

class SqliteRunStore implements RunStore {
  readonly file: string | null;
  readonly #db: Db;
  readonly #ownership: RunOwnership;

  constructor(db: Db, context: StoreContext) {
    this.file = db.file;
    this.#db = db;
    this.#ownership = new RunOwnership(db, context);
  }

  createRun(run: NewRun): { definitionHash: string } {
    const definitionHash = contentHash(run.definition);
    const rowId = this.#db.execTx((tx) => {
      keepText(tx, definitionHash, run.definition);
      const newRowId = insertRun(tx, run, definitionHash);
      this.#ownership.sign(tx, newRowId);
      return newRowId;
    });
    this.#ownership.add(run.runId, rowId);
    return { definitionHash };
  }

  append(runId: RunId, events: readonly EventEnvelope[]): void {
    if (events.length === 0) {
      return;
    }
    const rowId = this.#ownership.rowIdOf(runId);
    this.#db.execTx((tx) => {
      for (const envelope of events) {
        tx.run('INSERT INTO event (run, seq, json) VALUES (?, ?, ?)', rowId, envelope.seq, JSON.stringify(envelope));
        updateRun(tx, envelope);
      }
    });
    if (events.some(({ event, runId: eventRunId }) => event.type === 'run:end' && eventRunId === runId)) {
      this.#ownership.remove(runId);
    }
  }

  giveUp(runId: RunId): void {
    this.#ownership.giveUp(runId);
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

  listRuns({ sourcePath, limit }: { sourcePath?: string; limit: number }): readonly RunSummary[] {
    const rows =
      sourcePath === undefined
        ? this.#db.all<RunRow>(`SELECT ${runColumns} FROM run ORDER BY id DESC LIMIT ?`, limit)
        : this.#db.all<RunRow>(
            `SELECT ${runColumns} FROM run WHERE source_path = ? ORDER BY id DESC LIMIT ?`,
            sourcePath,
            limit,
          );
    const isAbandoned = this.#ownership.createAbandonedCheck();
    return rows.map((row) => toSummary(row, isAbandoned(row)));
  }

  getRun(runId: RunId): RunRecord | undefined {
    const row = this.#db.get<RunRow & { inputs: string }>(
      `SELECT ${runColumns}, inputs FROM run WHERE run_id = ?`,
      runId,
    );
    return row && toRecord(toSummary(row, this.#ownership.createAbandonedCheck()(row)), row.inputs);
  }

  readEvents(runId: RunId, afterSeq: number, limit: number): readonly EventEnvelope[] {
    return this.#db
      .all<{ json: string }>(
        `SELECT json FROM event WHERE run = (SELECT id FROM run WHERE run_id = ?) AND seq > ? ORDER BY seq LIMIT ?`,
        runId,
        afterSeq,
        limit,
      )
      .map(({ json }) => JSON.parse(json) as EventEnvelope);
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
      // The hash of a definition, which lies in the same table but is no value.
      return undefined;
    }
  }

  foreignVersion(): number {
    return this.#db.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
  }

  close(): void {
    this.#ownership.release();
    this.#db.close();
  }

  #readText(hash: string): string | undefined {
    return this.#db.get<{ text: string }>('SELECT text FROM value WHERE hash = ?', hash)?.text;
  }
}

function keepText(db: TxDb, hash: string, text: string): void {
  db.run('INSERT INTO value (hash, text) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING', hash, text);
}

/** Returns the row's number. */
function insertRun(tx: TxDb, run: NewRun, definitionHash: string): number {
  const { lastRowId } = tx.run(
    `INSERT INTO run (run_id, session_id, kind, name, source_path, definition_hash, inputs, status, started_at, redo_of,
       redo_count) VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?)`,
    run.runId,
    run.sessionId,
    run.kind,
    run.name,
    run.sourcePath,
    definitionHash,
    JSON.stringify(run.inputs),
    run.queuedAt,
    run.redoOf ?? null,
    run.redoCount ?? null,
  );
  return lastRowId;
}

/** Brings the run's row up to date with a fact about the run as a whole. */
function updateRun(tx: TxDb, { runId, at, event }: EventEnvelope): void {
  if (event.type === 'run:start') {
    tx.run(`UPDATE run SET status = 'running', started_at = ? WHERE run_id = ?`, at, runId);
  } else if (event.type === 'run:end') {
    tx.run(
      'UPDATE run SET status = ?, duration_ms = ?, error = ?, failed_nodes = ? WHERE run_id = ?',
      event.status,
      event.durationMs,
      event.error === undefined ? null : JSON.stringify(event.error),
      JSON.stringify(event.failedNodes),
      runId,
    );
  }
}
