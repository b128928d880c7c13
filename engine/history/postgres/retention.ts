/**
 * Deletes old runs from a shared history.
 */
import { endOfWeek, tableOfWeek } from './migrate-shared.ts';
import type { PgDb, PgQueries } from './pg-db.ts';
import { serverNow } from './schema.ts';
import type { RemovedRuns } from './shared-history.ts';

const dayMs = 24 * 3_600_000;

interface OldRun {
  readonly number: number;
  readonly week: number;
}

/**
 * Deletes at most `limit` runs of a workspace that ended more than `keepDays` ago, the texts that only they used, and
 * partitions of events without runs. A run stays while an unfinished run reuses its results.
 */
export async function removeOldRuns(
  db: PgDb,
  { workspace, keepDays, limit }: { readonly workspace: number; readonly keepDays: number; readonly limit: number },
): Promise<RemovedRuns> {
  const removed = await db.transaction(async (tx) => {
    const runs = await tx.rows<OldRun>(
      `SELECT number, week FROM millrace.run WHERE workspace = $1 AND ended_at < ${serverNow} - $2::bigint
         AND NOT EXISTS (SELECT 1 FROM millrace.run later WHERE later.rerun_of = run.run_id AND later.ended_at IS NULL)
       ORDER BY ended_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
      [workspace, Math.trunc(keepDays * dayMs), limit],
    );
    if (runs.length > 0) await removeRuns(tx, runs);
    // Engines must not add these runs again from their own histories.
    await tx.run(
      `UPDATE millrace.workspace SET removed_before = greatest(removed_before, ${serverNow} - $2::bigint) WHERE id = $1`,
      [workspace, Math.trunc(keepDays * dayMs)],
    );
    return runs.length;
  });
  await dropEmptyWeeks(db, keepDays);
  return { removed, hasMore: removed === limit };
}

async function removeRuns(tx: PgQueries, runs: readonly OldRun[]): Promise<void> {
  const numbers = runs.map(({ number }) => number);
  await tx.run(
    `DELETE FROM millrace.event USING ROWS FROM (unnest($1::bigint[]), unnest($2::integer[])) AS old (run, week)
     WHERE event.run = old.run AND event.week = old.week`,
    [numbers, runs.map(({ week }) => week)],
  );
  const texts = await tx.rows<{ hash: string }>(
    'DELETE FROM millrace.run_text WHERE run = ANY ($1::bigint[]) RETURNING hash',
    [numbers],
  );
  for (const table of ['progress', 'waiting', 'answer', 'run_request'])
    await tx.run(`DELETE FROM millrace.${table} WHERE run = ANY ($1::bigint[])`, [numbers]);
  await tx.run('DELETE FROM millrace.run WHERE number = ANY ($1::bigint[])', [numbers]);
  // Texts that were kept in the last day may belong to events that have not arrived yet.
  await tx.run(
    `DELETE FROM millrace.value WHERE hash = ANY ($1::text[]) AND kept_at < ${serverNow} - ${dayMs}
       AND NOT EXISTS (SELECT 1 FROM millrace.run_text WHERE run_text.hash = value.hash)`,
    [[...new Set(texts.map(({ hash }) => hash))].sort()],
  );
}

const tableForm = /^event_(before_)?(\d+)$/;

/** Drops partitions that ended long ago and belong to no run. */
async function dropEmptyWeeks(db: PgDb, keepDays: number): Promise<void> {
  const tables = await db.rows<{ name: string; now: number }>(
    `SELECT relname AS name, ${serverNow} AS now FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = to_regclass($1)`,
    [`"${db.schema}".event`],
  );
  for (const { name, now } of tables) {
    const [, before, digits] = tableForm.exec(name) ?? [];
    const week = before === undefined ? Number(digits) : -Number(digits);
    if (!(endOfWeek(week) < now - keepDays * dayMs)) continue;
    const [used] = await db.rows('SELECT 1 FROM millrace.run WHERE week = $1 LIMIT 1', [week]);
    // A run that is recorded in the meantime would be that old when it is queued.
    if (used === undefined) await db.run(`DROP TABLE IF EXISTS millrace.${tableOfWeek(week)}`);
  }
}
