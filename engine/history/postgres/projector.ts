/**
 * Stores events of runs in PostgreSQL, and updates the rows of runs and open requests.
 *
 * The usual batch is one statement: it continues what is applied and changes no open request. Any other batch
 * (duplicates, gaps, requests) takes a transaction that locks the progress of its runs and reads what it needs.
 */
import type { RunId } from '../../base/ids.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { decodeGroup, encodeGroup } from '../store/event-group.ts';
import { WaitingProjection } from '../store/waiting-projection.ts';
import { createWeek } from './migrate-shared.ts';
import type { PgDb, PgQueries, PgValue } from './pg-db.ts';
import { codeOf } from './pg-error.ts';
import { rowChangeOf, turnedParameters, turnedRows, valuesOfChanges } from './projected-turns.ts';
import { keepTexts, markUsed, type RecordedRun, type RunRecords } from './run-records.ts';
import type { RunBatch } from './shared-history.ts';
import { readWaitingPlaces, writeWaiting } from './waiting-table.ts';

/** What this process knows about a run that it projects. */
interface ProjectedRun extends RecordedRun {
  /** Number of the last event that `waiting` has processed. */
  seq: number;
  waiting: WaitingProjection;
}

interface RunEvents {
  readonly run: ProjectedRun;
  readonly events: readonly EventEnvelope[];
}

/** State of PostgreSQL for a row without a partition. */
const noPartition = '23514';

/** Maximum number of runs to remember. A forgotten run costs one more query. */
const mostRuns = 20_000;

export class Projector {
  readonly #db: PgDb;
  readonly #workspace: number;
  readonly #records: RunRecords;
  readonly #runs = new Map<RunId, ProjectedRun>();

  constructor(db: PgDb, { workspace, records }: { readonly workspace: number; readonly records: RunRecords }) {
    this.#db = db;
    this.#workspace = workspace;
    this.#records = records;
  }

  /** Notes a run that was just recorded and has no events. */
  addNew(run: RecordedRun): void {
    this.#remember({ ...run, seq: -1, waiting: WaitingProjection.ofNew(run.runId) });
  }

  /** @throws EngineError `run.not-found`, `store.*` */
  async project(batches: readonly RunBatch[]): Promise<void> {
    const parts: RunEvents[] = [];
    for (const { runId, events, texts = [] } of batches) {
      const run = this.#runs.get(runId) ?? (await this.#load(runId));
      if (texts.length > 0) await keepTexts(this.#db, run.number, texts);
      if (events.length > 0) parts.push({ run, events });
    }
    // In a constant order, so that two processes cannot wait for each other.
    parts.sort((a, b) => a.run.number - b.run.number);
    try {
      await this.#storeAll(parts);
    } catch (error) {
      if (codeOf(error) !== noPartition) throw error;
      // It was dropped because its runs were deleted, and an old run was recorded since.
      for (const week of new Set(parts.map(({ run }) => run.week))) await createWeek(this.#db, week);
      await this.#storeAll(parts);
    }
  }

  async #storeAll(parts: readonly RunEvents[]): Promise<void> {
    const usual = parts.filter((part, i) => isUsual(part) && parts[i - 1]?.run !== part.run);
    const stored = await this.#storeUsual(usual);
    for (const part of parts) if (!stored.has(part)) await this.#storeAny(part);
  }

  async #load(runId: RunId): Promise<ProjectedRun> {
    const recorded = await this.#records.find(this.#db, runId);
    const run = await readProjected(this.#db, recorded);
    this.#remember(run);
    return run;
  }

  #remember(run: ProjectedRun): void {
    this.#runs.set(run.runId, run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > mostRuns && oldest !== undefined) this.#runs.delete(oldest);
  }

  /** Stores events and applies those that continue what is applied. Returns the parts that were applied. */
  async #storeUsual(parts: readonly RunEvents[]): Promise<ReadonlySet<RunEvents>> {
    if (parts.length === 0) return new Set();
    const rows = parts.flatMap(rowsOf);
    const changes = parts.flatMap(({ run, events }) => rowChangeOf(run, events) ?? []);
    const moved = await this.#db.prepared<{ run: number }>(usualStatement, [
      ...valuesOfRows(rows),
      parts.map(({ run }) => run.number),
      parts.map(({ run }) => run.seq),
      parts.map(({ events }) => lastSeqOf(events)),
      ...valuesOfChanges(changes),
      ...valuesOfUses(rows),
    ]);
    const numbers = new Set(moved.map(({ run }) => run));
    const stored = parts.filter(({ run }) => numbers.has(run.number));
    for (const { run, events } of stored) {
      run.waiting.pass(events);
      this.#advance(run, events);
    }
    return new Set(stored);
  }

  async #storeAny({ run, events }: RunEvents): Promise<void> {
    const known = await this.#db.transaction(async (tx) => {
      const rows = rowsOf({ run, events });
      await tx.prepared(addedRows(1), valuesOfRows(rows));
      await markUsed(
        tx,
        run.number,
        rows.flatMap(({ hashes }) => hashes),
      );
      // Rows of events that another transaction has added but not committed are not visible below. That transaction then
      // waits for this lock and applies them.
      await tx.rows('SELECT 1 FROM millrace.progress WHERE run = $1 FOR UPDATE', [run.number]);
      const current = await readProjected(tx, run);
      const next = await readFollowing(tx, current);
      if (next.length > 0) await this.#apply(tx, current, next);
      const seq = next.at(-1)?.seq ?? current.seq;
      await tx.run(
        `UPDATE millrace.progress SET applied_seq = $2, changed = pg_current_xact_id(), has_later = EXISTS (
           SELECT 1 FROM millrace.event WHERE event.run = $1 AND week = $3 AND seq > $2
         ) WHERE run = $1`,
        [run.number, seq, run.week],
      );
      return { ...current, seq };
    });
    this.#runs.delete(run.runId);
    if (!hasEnded(events)) this.#remember(known);
  }

  async #apply(tx: PgQueries, run: ProjectedRun, next: readonly EventEnvelope[]): Promise<void> {
    const starts = next.some((envelope) => run.waiting.needsStarts(envelope)) ? await readStarts(tx, run) : [];
    // In the order in which an answer locks rows, so that the two cannot wait for each other.
    const change = rowChangeOf(run, next);
    if (change !== undefined) await tx.rows(turnedRows(1, 'true'), valuesOfChanges([change]));
    await writeWaiting(
      tx,
      { run: run.number, workspace: this.#workspace },
      run.waiting.apply(next, () => starts),
    );
  }

  #advance(run: ProjectedRun, events: readonly EventEnvelope[]): void {
    run.seq = lastSeqOf(events);
    if (hasEnded(events)) this.#runs.delete(run.runId);
  }
}

function lastSeqOf(events: readonly EventEnvelope[]): number {
  return events.at(-1)?.seq ?? -1;
}

function hasEnded(events: readonly EventEnvelope[]): boolean {
  const last = events.at(-1);
  return last?.rootRunId === undefined && (last?.event.type === 'run:end' || last?.event.type === 'run:refused');
}

/** Returns whether events continue what is applied, without a gap, and change no open request. */
function isUsual({ run, events }: RunEvents): boolean {
  return events.every(({ seq }, i) => seq === run.seq + 1 + i) && !run.waiting.concerns(events);
}

interface EventRow {
  readonly run: RecordedRun;
  readonly seq: number;
  readonly at: number;
  readonly json: string;
  /** Hashes of the texts that the event refers to. */
  readonly hashes: readonly string[];
}

function rowsOf({ run, events }: RunEvents): EventRow[] {
  return events.map((envelope) => {
    const json = encodeGroup([envelope], run);
    return { run, seq: envelope.seq, at: envelope.at, json, hashes: hashesIn(json) };
  });
}

const references = /"(?:\$value|definitionHash)":"([0-9a-f]{64})"/g;

function hashesIn(json: string): readonly string[] {
  if (!json.includes('"$value":"') && !json.includes('"definitionHash":"')) return [];
  return [...json.matchAll(references)].map(([, hash]) => hash ?? '');
}

/** JSON text contains no line breaks, so one text with all of them is cheaper than a list, which needs escaping. */
function valuesOfRows(rows: readonly EventRow[]): readonly PgValue[] {
  return [
    rows.map(({ run }) => run.number),
    rows.map(({ seq }) => seq),
    rows.map(({ run }) => run.week),
    rows.map(({ at }) => at),
    rows.map(({ json }) => json).join('\n'),
  ];
}

function valuesOfUses(rows: readonly EventRow[]): readonly PgValue[] {
  const uses = rows.flatMap(({ run, hashes }) => hashes.map((hash) => ({ run: run.number, hash })));
  return [uses.map(({ run }) => run), uses.map(({ hash }) => hash)];
}

/** Returns SQL that adds events. @param first number of the first of its five parameters */
function addedRows(first: number): string {
  const [run, seq, week, at, json] = [0, 1, 2, 3, 4].map((i) => `$${first + i}`);
  return `INSERT INTO millrace.event (run, seq, week, at, json) SELECT * FROM ROWS FROM (
      unnest(${run}::bigint[]), unnest(${seq}::bigint[]), unnest(${week}::integer[]), unnest(${at}::double precision[]),
      string_to_table(${json}::text, E'\\n')
    ) ON CONFLICT DO NOTHING`;
}

const firstTurn = 9;
const firstUse = firstTurn + turnedParameters;

/** All parts see the state before the statement. Only runs that were at the expected event change. */
const usualStatement = `WITH added AS (${addedRows(1)}),
  moved AS (
    UPDATE millrace.progress SET applied_seq = batch.last, changed = pg_current_xact_id()
    FROM ROWS FROM (unnest($6::bigint[]), unnest($7::bigint[]), unnest($8::bigint[])) AS batch (run, former, last)
    WHERE progress.run = batch.run AND progress.applied_seq = batch.former AND NOT has_later RETURNING progress.run
  ),
  turned AS (${turnedRows(firstTurn, 'turn.run IN (SELECT moved.run FROM moved)')}),
  used AS (
    INSERT INTO millrace.run_text (run, hash)
    SELECT * FROM ROWS FROM (unnest($${firstUse}::bigint[]), unnest($${firstUse + 1}::text[])) ON CONFLICT DO NOTHING
  )
  SELECT run FROM moved`;

async function readProjected(queries: PgQueries, recorded: RecordedRun): Promise<ProjectedRun> {
  const { number, runId, sessionId, week, home } = recorded;
  const { seq, places } = await readWaitingPlaces(queries, number);
  const waiting = seq === -1 ? WaitingProjection.ofNew(runId) : WaitingProjection.ofStored(runId, places);
  return { number, runId, sessionId, week, home, seq, waiting };
}

/** Returns the events that follow what is applied, up to the first gap: those just stored, and earlier ones. */
async function readFollowing(tx: PgQueries, run: ProjectedRun): Promise<readonly EventEnvelope[]> {
  const rows = await tx.rows<{ json: string }>(
    `SELECT json FROM (
       SELECT seq, json, seq - row_number() OVER (ORDER BY seq) AS start FROM millrace.event
       WHERE run = $1 AND week = $2 AND seq > $3
     ) later WHERE start = $3 ORDER BY seq`,
    [run.number, run.week, run.seq],
  );
  return rows.flatMap(({ json }) => decodeGroup(json, run));
}

/** Reads the starts of child runs, which say which nodes called them. */
async function readStarts(tx: PgQueries, run: RecordedRun): Promise<readonly EventEnvelope[]> {
  const rows = await tx.rows<{ json: string }>(
    `SELECT json FROM millrace.event WHERE run = $1 AND week = $2 AND position('"run:start"' IN json) > 0 ORDER BY seq`,
    [run.number, run.week],
  );
  return rows.flatMap(({ json }) => decodeGroup(json, run));
}
