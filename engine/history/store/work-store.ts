/**
 * Stores work that needs a person's approval.
 */
import type { JsonMap } from '../../language/json/json-value.ts';
import type { TxDb } from './db.ts';

type WorkStatus = 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled';

/** A piece of work. */
export interface WorkRecord {
  readonly workId: string;
  readonly kind: 'install';
  readonly status: WorkStatus;
  /** Subject of the work; for `install`, the pack's reference and the waiting run. */
  readonly data: JsonMap;
  /** The result of the work, for people. */
  readonly message?: string;
}

/** Stores work items. Times are in epoch milliseconds. */
export interface WorkStore {
  /** Records a work item. @throws EngineError `store.full` | `store.write-failed`, like all writing methods */
  create(work: Pick<WorkRecord, 'workId' | 'kind' | 'data'>, at: number): WorkRecord;
  get(workId: string): WorkRecord | undefined;
  setStatus(
    workId: string,
    news: { readonly status: WorkStatus; readonly message?: string; readonly at: number },
  ): void;
}

interface WorkRow {
  readonly work_id: string;
  readonly kind: 'install';
  readonly status: WorkStatus;
  readonly data: string;
  readonly message: string | null;
}

/** Creates the store on a migrated database. */
export function createWorkStore(db: TxDb): WorkStore {
  return {
    create(work, at) {
      db.run(
        `INSERT INTO work (work_id, kind, status, data, created_at) VALUES (?, ?, 'waiting', ?, ?)`,
        work.workId,
        work.kind,
        JSON.stringify(work.data),
        at,
      );
      return { ...work, status: 'waiting' };
    },
    get(workId) {
      const row = db.get<WorkRow>('SELECT work_id, kind, status, data, message FROM work WHERE work_id = ?', workId);
      return row && toRecord(row);
    },
    setStatus(workId, { status, message, at }) {
      const time = status === 'running' ? 'started_at' : 'ended_at';
      db.run(
        `UPDATE work SET status = ?, message = ?, ${time} = ? WHERE work_id = ?`,
        status,
        message ?? null,
        at,
        workId,
      );
    },
  };
}

function toRecord({ work_id: workId, kind, status, data, message }: WorkRow): WorkRecord {
  // Only `create` writes this column.
  const record = { workId, kind, status, data: JSON.parse(data) as JsonMap };
  return message === null ? record : { ...record, message };
}
