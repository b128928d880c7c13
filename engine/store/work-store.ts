/**
 * Work that a person has to agree to before it is done.
 */
import type { JsonMap } from '../flowspec/json-value.ts';
import type { TxDb } from './db.ts';

type WorkStatus = 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled';

/** A piece of work. */
export interface WorkRecord {
  readonly workId: string;
  readonly kind: 'install';
  readonly status: WorkStatus;
  /** What it is about; for `install` the pack's reference and the run that waits for it. */
  readonly data: JsonMap;
  /** How it ended, for people. */
  readonly message?: string;
}

/** The history of such work. Times are epoch milliseconds. */
export interface WorkStore {
  /** @throws EngineError `store.full` | `store.write-failed`, as all that writes here does */
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

/** Makes the store of work on a database that has been migrated. */
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
  // Written by `create` alone.
  const record = { workId, kind, status, data: JSON.parse(data) as JsonMap };
  return message === null ? record : { ...record, message };
}
