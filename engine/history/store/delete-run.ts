/**
 * Deletes runs from the history: their rows, their logs including child runs, and values that only these runs used.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { TxDb } from './db.ts';
import { deleteLog, readLogTexts } from './event-log.ts';
import { type OwnedRow, ownedColumns } from './run-row.ts';

/** Matches the hash of a value, a definition or settings in text. */
const hashes = /\b[0-9a-f]{64}\b/g;

type DeletedRow = OwnedRow & { readonly definition_hash: string; readonly node_settings_hash: string | null };
type OpenRow = OwnedRow & { readonly rerun_of: string | null };

/**
 * Deletes a run. Must be called in a transaction, so that no other process can claim the run in the meantime. Also
 * deletes large values and definitions that no other run uses, unless any run is active, because it may be about to use
 * one.
 * @param isAbandoned returns whether no live process owns a row's run
 * @throws EngineError `run.not-found`; `run.invalid-state` for a run that is active, or with results that an unfinished
 * run uses
 */
export function deleteRun(tx: TxDb, runId: RunId, isAbandoned: (row: OwnedRow) => boolean): void {
  const row = findDeletedRow(tx, runId);
  if (row === undefined)
    throw new EngineError({ code: 'run.not-found', message: `Run ${runId} is not in this workspace's history` });
  const open = readOpenRuns(tx);
  refuseInUse(row, open, isAbandoned);
  deleteRows(
    tx,
    [row],
    open.every((other) => other.id === row.id || isAbandoned(other)),
  );
}

/**
 * Deletes runs that have ended and that no unfinished run uses, as `deleteRun` does. Looks only once for the data that
 * other runs still use. Must be called in a transaction, in which the runs were selected.
 */
export function deleteEndedRuns(tx: TxDb, runIds: readonly string[], isAbandoned: (row: OwnedRow) => boolean): void {
  const rows = runIds.flatMap((runId) => findDeletedRow(tx, runId) ?? []);
  deleteRows(tx, rows, readOpenRuns(tx).every(isAbandoned));
}

function findDeletedRow(tx: TxDb, runId: string): DeletedRow | undefined {
  return tx.get<DeletedRow>(
    `SELECT definition_hash, node_settings_hash, ${ownedColumns} FROM run WHERE run_id = ?`,
    runId,
  );
}

function readOpenRuns(tx: TxDb): readonly OpenRow[] {
  return tx.all<OpenRow>(
    `SELECT rerun_of, ${ownedColumns} FROM run WHERE status IN ('queued', 'running', 'suspended')`,
  );
}

function deleteRows(tx: TxDb, rows: readonly DeletedRow[], mayDeleteValues: boolean): void {
  const held = new Set<string>();
  for (const row of rows) {
    held.add(row.definition_hash);
    if (row.node_settings_hash !== null) held.add(row.node_settings_hash);
    for (const text of readLogTexts(tx, row.id)) for (const [hash] of text.matchAll(hashes)) held.add(hash);
    deleteLog(tx, row.id);
    tx.run('DELETE FROM answer WHERE run = ?', row.id);
    tx.run('DELETE FROM waiting WHERE run = ?', row.id);
    tx.run('DELETE FROM run_request WHERE run = ?', row.id);
    tx.run('DELETE FROM run_label WHERE run = ?', row.id);
    tx.run('DELETE FROM run_pause WHERE run = ?', row.id);
    tx.run('DELETE FROM run WHERE id = ?', row.id);
  }
  if (mayDeleteValues) deleteUnheld(tx, held);
}

function refuseInUse(row: OwnedRow, open: readonly OpenRow[], isAbandoned: (row: OwnedRow) => boolean): void {
  if (open.some(({ id }) => id === row.id) && !isAbandoned(row)) {
    throw inUse(row, 'is still in progress. Cancel it or wait until it ends, then delete it.');
  }
  const user = open.find(({ rerun_of }) => rerun_of === row.run_id);
  if (user === undefined) return;
  throw inUse(
    row,
    `is used by run #${user.id}, which has not ended and reuses its results. End or delete that run first.`,
  );
}

function inUse({ id }: OwnedRow, why: string): EngineError {
  return new EngineError({ code: 'run.invalid-state', message: `Run #${id} ${why}` });
}

/** Deletes stored texts that no run, conversation or firing uses anymore. */
function deleteUnheld(tx: TxDb, candidates: Set<string>): void {
  for (const hash of candidates) {
    const isHeld = tx.get('SELECT 1 FROM run WHERE ? IN (definition_hash, node_settings_hash) LIMIT 1', hash);
    const isText = tx.get('SELECT 1 FROM value WHERE hash = ?', hash);
    if (isHeld !== undefined || isText === undefined || isHeldElsewhere(tx, hash)) candidates.delete(hash);
  }
  // Scans all logs, which is slow for a long history. Skipped if there is nothing to delete.
  if (candidates.size === 0) return;
  for (const text of readLogTexts(tx)) {
    for (const [hash] of text.matchAll(hashes)) candidates.delete(hash);
    if (candidates.size === 0) return;
  }
  for (const hash of candidates) tx.run('DELETE FROM value WHERE hash = ?', hash);
}

function isHeldElsewhere(tx: TxDb, hash: string): boolean {
  const found = tx.get(
    `SELECT 1 FROM session WHERE catalogue_hash = ?1
     UNION ALL SELECT 1 FROM firing WHERE event = '$' || ?1 AND state = 'waiting'
     UNION ALL SELECT 1 FROM session_event WHERE instr(json, ?1)
     UNION ALL SELECT 1 FROM session_snapshot WHERE instr(text, ?1) LIMIT 1`,
    hash,
  );
  return found !== undefined;
}
