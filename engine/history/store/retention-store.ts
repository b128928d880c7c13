/**
 * Selects runs by age and number, and deletes them in batches.
 */
import { asRunId, type RunId } from '../../base/ids.ts';
import type { Db, TxDb } from './db.ts';
import { deleteEndedRuns } from './delete-run.ts';
import type { OwnedRow } from './run-row.ts';

/** Selects ended runs that at least one of the conditions applies to; no runs without a condition. */
export interface OldRunQuery {
  /** Runs that ended before this time, in epoch milliseconds. */
  readonly endedBefore?: number;
  /** Runs that this number of later runs of the same file follow. */
  readonly keepPerFlow?: number;
}

/** How many runs a query selects. */
export interface OldRunCount {
  readonly runs: number;
  /** When the first of them started, in epoch milliseconds. Undefined if there are none. */
  readonly oldestAt?: number;
}

/** Never selects a run that has not ended, or that an unfinished run reuses results of. */
export interface RetentionStore {
  /** Returns the selected runs, the oldest first. */
  find(query: OldRunQuery, limit: number): readonly RunId[];
  /** Returns the number of selected runs, and when the first of them started. */
  count(query: OldRunQuery): OldRunCount;
  /**
   * Deletes the oldest of the selected runs, up to the limit, in one transaction. Data that only they used is deleted
   * too, unless any run is active.
   * @returns the deleted runs
   * @throws EngineError `store.full` | `store.write-failed` | `store.unreadable`
   */
  delete(query: OldRunQuery, limit: number): readonly RunId[];
  /** Returns the number of runs, and the bytes of the file that are in use. */
  size(): { readonly runs: number; readonly bytes: number };
}

/** @param createAbandonedCheck returns a function that tells whether no live process owns a row's run */
export function createRetentionStore(db: Db, createAbandonedCheck: () => (row: OwnedRow) => boolean): RetentionStore {
  return {
    find: (query, limit) => findOldRuns(db, query, limit),
    count(query) {
      const { where, values } = selectionOf(query);
      const sql = `SELECT count(*) AS runs, min(started_at) AS oldestAt FROM run WHERE ${where}`;
      const { runs = 0, oldestAt = null } = db.get<{ runs: number; oldestAt: number | null }>(sql, ...values) ?? {};
      return { runs, ...(oldestAt === null ? {} : { oldestAt }) };
    },
    delete(query, limit) {
      const isAbandoned = createAbandonedCheck();
      return db.execTx((tx) => {
        const runIds = findOldRuns(tx, query, limit);
        if (runIds.length > 0) deleteEndedRuns(tx, runIds, isAbandoned);
        return runIds;
      });
    },
    size: () => ({
      runs: db.get<{ count: number }>('SELECT count(*) AS count FROM run')?.count ?? 0,
      bytes: (pragma(db, 'page_count') - pragma(db, 'freelist_count')) * pragma(db, 'page_size'),
    }),
  };
}

function pragma(db: Db, name: 'page_count' | 'freelist_count' | 'page_size'): number {
  return db.get<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0;
}

function findOldRuns(db: TxDb, query: OldRunQuery, limit: number): readonly RunId[] {
  const { where, values } = selectionOf(query);
  const rows = db.all<{ run_id: string }>(
    `SELECT run_id FROM run WHERE ${where} ORDER BY id LIMIT ?`,
    ...values,
    limit,
  );
  return rows.map(({ run_id }) => asRunId(run_id));
}

/** Returns the condition on the rows of the selected runs. */
function selectionOf({ endedBefore, keepPerFlow }: OldRunQuery): { where: string; values: readonly number[] } {
  const conditions: readonly (readonly [condition: string, value: number])[] = [
    ...(endedBefore === undefined ? [] : [['started_at + ifnull(duration_ms, 0) < ?', endedBefore] as const]),
    ...(keepPerFlow === undefined ? [] : [[isBeyondKept, keepPerFlow] as const]),
  ];
  const isOld = conditions.length === 0 ? 'FALSE' : conditions.map(([condition]) => condition).join(' OR ');
  return {
    where: `(${isOld})
       AND status NOT IN (${unfinished})
       AND run_id NOT IN (SELECT rerun_of FROM run WHERE rerun_of IS NOT NULL AND status IN (${unfinished}))`,
    values: conditions.map(([, value]) => value),
  };
}

/** An interrupted run is stored as running. */
const unfinished = "'queued', 'running', 'suspended'";

const isBeyondKept = `id IN (
  SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY source_path ORDER BY id DESC) AS place FROM run)
  WHERE place > ?)`;
