/**
 * Updates the row of a run when it starts, ends, is suspended or resumes.
 */
import type { RunId } from '../../base/ids.ts';
import type { EventEnvelope, SuspendReason } from '../../runtime/kernel/events/run-event.ts';
import type { TxDb } from './db.ts';
import type { StoredWait } from './run-row.ts';

const turns: ReadonlySet<string> = new Set(['run:start', 'run:suspended', 'run:resumed', 'run:end', 'run:refused']);

/**
 * Returns whether the event changes the run's row. Events of child runs, which are in their root's log, do not change
 * it.
 */
export function changesRunRow(rootId: RunId, { runId, event: { type } }: EventEnvelope): boolean {
  return turns.has(type) && runId === rootId;
}

/** Values of the column `wait`, by suspension reason. */
const waits: Readonly<Partial<Record<SuspendReason, StoredWait>>> = {
  approval: 'PENDING_HUMAN',
  user_input: 'PENDING_USER_INPUT',
  permission: 'PENDING_PERMISSION',
};

/** Updates the run's row after a start, end, suspension or resumption. An ended run has no open requests to its owner. */
export function updateRun(tx: TxDb, rowId: number, { at, event }: Pick<EventEnvelope, 'at' | 'event'>): void {
  if (event.type === 'run:start') {
    tx.run(`UPDATE run SET status = 'running', started_at = ? WHERE id = ?`, at, rowId);
  } else if (event.type === 'run:suspended') {
    const wait = waits[event.reason] ?? null;
    tx.run(
      `UPDATE run SET status = 'suspended', wait = ?, owner_host = NULL, owner_pid = NULL WHERE id = ?`,
      wait,
      rowId,
    );
  } else if (event.type === 'run:resumed') {
    tx.run(`UPDATE run SET status = 'running', wait = NULL WHERE id = ?`, rowId);
  } else if (event.type === 'run:refused') {
    const { code, message, details } = event;
    tx.run(
      `UPDATE run SET status = 'failed', started_at = ?, duration_ms = 0, error = ?, failed_nodes = '[]' WHERE id = ?`,
      at,
      JSON.stringify({ code, message, details }),
      rowId,
    );
    tx.run('DELETE FROM run_request WHERE run = ?', rowId);
  } else if (event.type === 'run:end') {
    tx.run(
      'UPDATE run SET status = ?, duration_ms = ?, error = ?, failed_nodes = ? WHERE id = ?',
      event.status,
      event.durationMs,
      event.error === undefined ? null : JSON.stringify(event.error),
      JSON.stringify(event.failedNodes),
      rowId,
    );
    tx.run('DELETE FROM run_request WHERE run = ?', rowId);
  }
}
