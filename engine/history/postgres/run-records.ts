/**
 * Records runs in PostgreSQL.
 */
import { EngineError } from '../../base/engine-error.ts';
import { asRunId, type RunId, type SessionId } from '../../base/ids.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { contentHash } from '../store/large-value.ts';
import { isMap, parsedJson } from '../store/run-row.ts';
import { createWeek, weekOf } from './migrate-shared.ts';
import type { PgDb, PgQueries } from './pg-db.ts';
import { encodeText } from './safe-text.ts';
import { serverNow } from './schema.ts';
import type { DurableHost, HomeProgress, NewSharedRun, UnsubmittedRun } from './shared-history.ts';

/** What does not change about a recorded run. */
export interface RecordedRun {
  readonly number: number;
  readonly runId: RunId;
  readonly sessionId: SessionId;
  /** The partition of its events. */
  readonly week: number;
  /** The local history with its log; null for a run of a durable host. */
  readonly home: string | null;
}

/** A run of this process. */
export interface OwnRun {
  readonly home: string;
  readonly owner: string;
}

/** @throws EngineError `run.not-found` */
export function notFound(runId: RunId): EngineError {
  return new EngineError({ code: 'run.not-found', message: `Run ${runId} is not in this history.` });
}

interface CreatedRun {
  readonly recorded: RecordedRun;
  /** Whether the run was not recorded before. */
  readonly isNew: boolean;
  readonly definitionHash: string;
}

/** Two local histories may have the same run if one is a copy of the other. Only one of them can be right. */
function isElsewhere(runId: RunId): EngineError {
  const message = `Run ${runId} is in the shared history already, from another local history. Its events here are not copied.`;
  return new EngineError({ code: 'run.elsewhere', message });
}

/** Records the runs of one workspace. Remembers what has to exist before a run can be recorded. */
export class RunRecords {
  readonly #db: PgDb;
  readonly #workspace: number;
  readonly #weeks = new Set<number>();

  constructor(db: PgDb, workspace: number) {
    this.#db = db;
    this.#workspace = workspace;
  }

  /**
   * Records a queued run with its definition, unless it is recorded already.
   * @param own the local history with its log, and the process that runs it; undefined for a run of a durable host
   * @throws EngineError `run.elsewhere` if its log is in another local history
   */
  async create(run: NewSharedRun, own: OwnRun | undefined): Promise<CreatedRun> {
    const definitionHash = contentHash(run.definition);
    const week = weekOf(run.queuedAt);
    if (!this.#weeks.has(week)) {
      await createWeek(this.#db, week);
      this.#weeks.add(week);
    }
    return await this.#db.transaction(async (tx) => {
      const former = await this.#find(tx, run.runId);
      if (former !== undefined) {
        if (own !== undefined && former.home !== own.home) throw isElsewhere(run.runId);
        return { recorded: former, isNew: false, definitionHash };
      }
      const number = await this.#insert(tx, run, { own, week });
      // Another process has recorded it in the meantime.
      if (number === undefined) return { recorded: await this.find(tx, run.runId), isNew: false, definitionHash };
      const { runId, sessionId } = run;
      return { recorded: { number, runId, sessionId, week, home: own?.home ?? null }, isNew: true, definitionHash };
    });
  }

  /** @throws EngineError `run.not-found` */
  async find(queries: PgQueries, runId: RunId): Promise<RecordedRun> {
    const found = await this.#find(queries, runId);
    if (found === undefined) throw notFound(runId);
    return found;
  }

  async hostOf(runId: RunId): Promise<DurableHost | undefined> {
    const [row] = await this.#db.rows<{ host_engine: string | null; host_reference: string | null }>(
      'SELECT host_engine, host_reference FROM millrace.run WHERE run_id = $1 AND workspace = $2',
      [runId, this.#workspace],
    );
    if (row === undefined || row.host_engine === null) return undefined;
    return { engine: row.host_engine, ...(row.host_reference === null ? {} : { reference: row.host_reference }) };
  }

  async unsubmitted(olderThanMs: number, limit: number): Promise<readonly UnsubmittedRun[]> {
    const rows = await this.#db.rows<{ run_id: string; host_input: string }>(
      `SELECT run_id, host_input FROM millrace.run
       WHERE workspace = $1 AND status = 'queued' AND host_input IS NOT NULL AND host_reference IS NULL
         AND started_at < ${serverNow} - $2::bigint ORDER BY started_at LIMIT $3`,
      [this.#workspace, olderThanMs, limit],
    );
    return rows.flatMap(({ run_id, host_input }) => {
      const hostInput = parsedJson(host_input);
      return isMap(hostInput) ? [{ runId: asRunId(run_id), hostInput: hostInput as JsonMap }] : [];
    });
  }

  async markSubmitted(runId: RunId, reference: string): Promise<void> {
    await this.#db.run('UPDATE millrace.run SET host_reference = $3 WHERE run_id = $1 AND workspace = $2', [
      runId,
      this.#workspace,
      reference,
    ]);
  }

  async ofHome(home: string): Promise<HomeProgress> {
    const rows = await this.#db.rows<{ run_id: string; applied_seq: number; has_ended: boolean }>(
      `SELECT run_id, applied_seq, ended_at IS NOT NULL AS has_ended
       FROM millrace.run JOIN millrace.progress ON progress.run = run.number WHERE home = $1 AND run.workspace = $2`,
      [home, this.#workspace],
    );
    const [place] = await this.#db.rows<{ removed_before: number }>(
      'SELECT removed_before FROM millrace.workspace WHERE id = $1',
      [this.#workspace],
    );
    const runs = rows.map(
      ({ run_id, applied_seq, has_ended }) => [asRunId(run_id), { lastSeq: applied_seq, hasEnded: has_ended }] as const,
    );
    return { runs: new Map(runs), removedBefore: place?.removed_before ?? 0 };
  }

  async #find(queries: PgQueries, runId: RunId): Promise<RecordedRun | undefined> {
    const [row] = await queries.prepared<{ number: number; session_id: SessionId; week: number; home: string | null }>(
      'SELECT number, session_id, week, home FROM millrace.run WHERE run_id = $1 AND workspace = $2',
      [runId, this.#workspace],
    );
    if (row === undefined) return undefined;
    return { number: row.number, runId, sessionId: row.session_id, week: row.week, home: row.home };
  }

  async #insert(
    tx: PgQueries,
    run: NewSharedRun,
    { own, week }: { readonly own: OwnRun | undefined; readonly week: number },
  ): Promise<number | undefined> {
    const settings = run.nodeSettings === undefined ? undefined : JSON.stringify(run.nodeSettings);
    const texts = [run.definition, ...(settings === undefined ? [] : [settings])];
    const [row] = await tx.prepared<{ number: number }>(
      `INSERT INTO millrace.run (run_id, workspace, source, week, session_id, kind, definition_hash, node_settings_hash,
         inputs, status, started_at, redo_of, redo_count, rerun_of, host_engine, host_reference, home, owner,
         host_input)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued', $10, $11, $12, $13, $14, $15, $16, $17, $18)
       ON CONFLICT (run_id, workspace) DO NOTHING RETURNING number`,
      [
        ...[run.runId, this.#workspace, await this.#keepSource(tx, run), week, run.sessionId, run.kind],
        ...[contentHash(run.definition), settings === undefined ? null : contentHash(settings)],
        ...[JSON.stringify(run.inputs), run.queuedAt, run.redoOf ?? null, run.redoCount ?? null, run.rerunOf ?? null],
        ...[run.host?.engine ?? null, run.host?.reference ?? null, own?.home ?? null, own?.owner ?? null],
        run.hostInput === undefined ? null : JSON.stringify(run.hostInput),
      ],
    );
    if (row === undefined) return undefined;
    await tx.prepared(
      `INSERT INTO millrace.progress (run, workspace, applied_seq, changed) VALUES ($1, $2, -1, pg_current_xact_id())`,
      [row.number, this.#workspace],
    );
    await keepTexts(tx, row.number, texts);
    return row.number;
  }

  async #keepSource(tx: PgQueries, { name, sourcePath }: NewSharedRun): Promise<number> {
    const hash = contentHash(JSON.stringify([name, sourcePath]));
    const found = await this.#findSource(tx, hash);
    if (found !== undefined) return found;
    await tx.run(
      'INSERT INTO millrace.source (workspace, hash, name, path) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [this.#workspace, hash, encodeText(name), encodeText(sourcePath)],
    );
    return (await this.#findSource(tx, hash)) ?? -1;
  }

  async #findSource(tx: PgQueries, hash: string): Promise<number | undefined> {
    const [row] = await tx.prepared<{ id: number }>(
      'SELECT id FROM millrace.source WHERE workspace = $1 AND hash = $2',
      [this.#workspace, hash],
    );
    return row?.id;
  }
}

/** A text is deleted only if no run uses it and it was not kept for a day. Its age is updated at most once an hour. */
const keptAgainMs = 3_600_000;

/** Stores texts under their hashes for as long as the run is in the history. Returns the hashes. */
export async function keepTexts(tx: PgQueries, run: number, texts: readonly string[]): Promise<readonly string[]> {
  const hashes: string[] = [];
  // In a constant order, so that two transactions cannot wait for each other.
  const byHash = new Map(texts.map((text) => [contentHash(text), text]));
  for (const [hash, text] of [...byHash].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await tx.prepared(
      `INSERT INTO millrace.value AS v (hash, content, kept_at) VALUES ($1, $2, ${serverNow}) ON CONFLICT (hash) DO
       UPDATE SET kept_at = ${serverNow} WHERE v.kept_at < ${serverNow} - ${keptAgainMs}`,
      [hash, Buffer.from(text, 'utf8')],
    );
    hashes.push(hash);
  }
  await markUsed(tx, run, hashes);
  return hashes;
}

/** Records that a run uses texts. */
export async function markUsed(tx: PgQueries, run: number, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await tx.prepared('INSERT INTO millrace.run_text (run, hash) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING', [
    run,
    hashes,
  ]);
}
