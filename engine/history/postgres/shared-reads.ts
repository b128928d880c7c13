/**
 * The reads of a shared history, on the pool or in one transaction.
 */
import { asRunId } from '../../base/ids.ts';
import type { PgDb, PgQueries } from './pg-db.ts';
import { RunAnswers } from './run-answers.ts';
import { RunReads } from './run-reads.ts';
import type { ChangeCursor, RunChanges, SharedReads } from './shared-history.ts';
import { WaitingReads } from './waiting-table.ts';

export interface ReadsAt {
  /** Number of the workspace. */
  readonly workspace: number;
  /** The history, for messages. */
  readonly place: string;
}

export function readsOf(queries: PgQueries, at: ReadsAt): SharedReads {
  const runs = new RunReads(queries, at);
  const waiting = new WaitingReads(queries, at.workspace);
  return {
    listRuns: (query) => runs.listRuns(query),
    findSummary: (runId) => runs.findSummary(runId),
    getRun: (runId) => runs.getRun(runId),
    findRun: (number) => runs.findRun(number),
    projectedSeq: (runId) => runs.projectedSeq(runId),
    readEvents: (runId, afterSeq, limit) => runs.readEvents(runId, afterSeq, limit),
    readText: (hash) => runs.readText(hash),
    readValue: (hash) => runs.readValue(hash),
    readValues: (hashes) => runs.readValues(hashes),
    listWaiting: (limit) => waiting.list(limit),
    asksOf: (runId, query) => waiting.ofRun(runId, query),
    answersOf: (runId) => RunAnswers.list(queries, at.workspace, runId),
  };
}

interface ChangedRow {
  readonly run_id: string;
  readonly applied_seq: number;
}

/**
 * Returns the runs that changed since a position. A position is the oldest transaction that was still running: changes
 * of finished transactions are visible, and those of others have this number or a later one. So no change is missed, and
 * some are returned again.
 */
export async function changesSince(db: PgDb, workspace: number, cursor: ChangeCursor | undefined): Promise<RunChanges> {
  return await db.snapshot(async (tx) => {
    const [now] = await tx.rows<{ position: string }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS position',
    );
    const rows =
      cursor === undefined
        ? await tx.rows<ChangedRow>(
            // The subquery keeps the server from reading the progress of all runs.
            `SELECT run_id, applied_seq FROM millrace.run
             CROSS JOIN LATERAL (SELECT applied_seq FROM millrace.progress WHERE progress.run = run.number OFFSET 0) last
             WHERE run.workspace = $1 AND status IN ('queued', 'running', 'suspended')`,
            [workspace],
          )
        : await tx.rows<ChangedRow>(
            `SELECT run_id, applied_seq FROM millrace.progress JOIN millrace.run ON run.number = progress.run
             WHERE progress.workspace = $1 AND changed >= $2::text::xid8
               AND changed < pg_snapshot_xmax(pg_current_snapshot()) ORDER BY changed`,
            [workspace, cursor.position],
          );
    const lastSeqs = new Map(rows.map(({ run_id, applied_seq }) => [asRunId(run_id), applied_seq] as const));
    return { cursor: { position: now?.position ?? '0' }, lastSeqs };
  });
}
