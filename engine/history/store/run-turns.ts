/**
 * Inserts a run's row, and computes how it changes when the run starts, ends, is suspended or resumes.
 */
import type { RunId } from '../../base/ids.ts';
import type { EventEnvelope, SuspendReason } from '../../runtime/kernel/events/run-event.ts';
import type { TxDb } from './db.ts';
import { contentHash, keepText } from './large-value.ts';
import type { RunRow, StoredWait } from './run-row.ts';
import type { NewRun } from './run-store.ts';

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
  paused: 'PAUSED',
  breakpoint: 'PAUSED',
  budget: 'PAUSED',
};

/** New values of columns; other columns are unchanged. */
export type RunTurn = Pick<RunRow, 'status'> &
  Partial<Pick<RunRow, 'started_at' | 'duration_ms' | 'wait' | 'error' | 'failed_nodes'>>;

/** Returns the changes of the row; undefined for an event that does not change it. */
export function turnOf({ at, event }: Pick<EventEnvelope, 'at' | 'event'>): RunTurn | undefined {
  switch (event.type) {
    case 'run:start':
      return { status: 'running', started_at: at };
    case 'run:suspended':
      return { status: 'suspended', wait: waits[event.reason] ?? null };
    case 'run:resumed':
      return { status: 'running', wait: null };
    case 'run:refused': {
      const { code, message, details } = event;
      const error = JSON.stringify({ code, message, details });
      return { status: 'failed', started_at: at, duration_ms: 0, error, failed_nodes: '[]' };
    }
    case 'run:end':
      return {
        status: event.status,
        duration_ms: event.durationMs,
        error: event.error === undefined ? null : JSON.stringify(event.error),
        failed_nodes: JSON.stringify(event.failedNodes),
      };
    default:
      return undefined;
  }
}

/** Updates the run's row. A suspended run has no owner, and an ended run no open requests to its owner. */
export function updateRun(tx: TxDb, rowId: number, envelope: Pick<EventEnvelope, 'at' | 'event'>): void {
  const turn = turnOf(envelope);
  if (turn === undefined) return;
  const assignments = Object.keys(turn).map((column) => `${column} = ?`);
  if (turn.status === 'suspended') assignments.push('owner_host = NULL', 'owner_pid = NULL');
  tx.run(`UPDATE run SET ${assignments.join(', ')} WHERE id = ?`, ...Object.values(turn), rowId);
  const { type } = envelope.event;
  if (type === 'run:resumed') tx.run("DELETE FROM run_request WHERE run = ? AND kind = 'continue'", rowId);
  if (type !== 'run:end' && type !== 'run:refused') return;
  for (const table of ['run_request', 'run_pause']) tx.run(`DELETE FROM ${table} WHERE run = ?`, rowId);
}

/** Returns the row number of the new run. */
export function insertRun(tx: TxDb, run: NewRun, definitionHash: string): number {
  const { lastRowId } = tx.run(
    `INSERT INTO run (id, run_id, session_id, kind, name, source_path, definition_hash, inputs, status, started_at, redo_of,
       redo_count, rerun_of, node_settings_hash, started_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?)`,
    run.number ?? null,
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
    run.rerunOf ?? null,
    run.nodeSettings === undefined ? null : keepSettings(tx, run.nodeSettings),
    run.startedBy === undefined ? null : JSON.stringify(run.startedBy),
  );
  return lastRowId;
}

/**
 * Stores settings under their hash, because they are the same for all runs of a definition and grow with the number of
 * nodes. Returns the hash.
 */
function keepSettings(tx: TxDb, settings: Readonly<Record<string, string>>): string {
  const text = JSON.stringify(settings);
  const hash = contentHash(text);
  keepText(tx, hash, text);
  return hash;
}
