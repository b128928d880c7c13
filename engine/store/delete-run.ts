/**
 * Takes a run out of the history: its row, its log, in which the runs that it called stand too, and what only they held.
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { TxDb } from './db.ts';
import { deleteLog, readLogTexts } from './event-log.ts';
import { type OwnedRow, ownedColumns } from './run-row.ts';

/** A hash wherever it stands in a text: of a value, a definition or settings. */
const hashes = /\b[0-9a-f]{64}\b/g;

type DeletedRow = OwnedRow & { readonly definition_hash: string; readonly node_settings_hash: string | null };
type OpenRow = OwnedRow & { readonly rerun_of: string | null };

/**
 * To be called in a transaction, so that nobody takes the run over meanwhile. Large values and definitions go with the run
 * that are in no other; all of them stay while any run goes on, which may be about to name them.
 * @param isAbandoned whether nobody alive has the run of a row
 * @throws EngineError `run.not-found`; `run.invalid-state` for a run that goes on, or one whose results a run uses that has
 *   not ended
 */
export function deleteRun(tx: TxDb, runId: RunId, isAbandoned: (row: OwnedRow) => boolean): void {
  const row = tx.get<DeletedRow>(
    `SELECT definition_hash, node_settings_hash, ${ownedColumns} FROM run WHERE run_id = ?`,
    runId,
  );
  if (row === undefined)
    throw new EngineError({ code: 'run.not-found', message: `There is no run ${runId} in this workspace's history` });
  const open = tx.all<OpenRow>(
    `SELECT rerun_of, ${ownedColumns} FROM run WHERE status IN ('queued', 'running', 'suspended')`,
  );
  refuseInUse(row, open, isAbandoned);
  const held = new Set([row.definition_hash, ...(row.node_settings_hash === null ? [] : [row.node_settings_hash])]);
  for (const text of readLogTexts(tx, row.id)) for (const [hash] of text.matchAll(hashes)) held.add(hash);
  deleteLog(tx, row.id);
  tx.run('DELETE FROM answer WHERE run = ?', row.id);
  tx.run('DELETE FROM waiting WHERE run = ?', row.id);
  tx.run('DELETE FROM run WHERE id = ?', row.id);
  if (open.every((other) => other.id === row.id || isAbandoned(other))) deleteUnheld(tx, held);
}

function refuseInUse(row: OwnedRow, open: readonly OpenRow[], isAbandoned: (row: OwnedRow) => boolean): void {
  if (open.some(({ id }) => id === row.id) && !isAbandoned(row)) {
    throw inUse(row, 'goes on. Cancel it, or wait for its end, and delete it then.');
  }
  const user = open.find(({ rerun_of }) => rerun_of === row.run_id);
  if (user === undefined) return;
  throw inUse(
    row,
    `is used by run #${user.id}, which has not ended and takes results over from it. End or delete that one first.`,
  );
}

function inUse({ id }: OwnedRow, why: string): EngineError {
  return new EngineError({ code: 'run.invalid-state', message: `Run #${id} ${why}` });
}

/** Deletes those of the texts that no run and no conversation holds any more. */
function deleteUnheld(tx: TxDb, candidates: Set<string>): void {
  for (const hash of candidates) {
    const isHeld = tx.get('SELECT 1 FROM run WHERE ? IN (definition_hash, node_settings_hash) LIMIT 1', hash);
    const isText = tx.get('SELECT 1 FROM value WHERE hash = ?', hash);
    if (isHeld !== undefined || isText === undefined || isInConversation(tx, hash)) candidates.delete(hash);
  }
  // All logs are looked through, which takes a while with a long history: only when there is something to be lost.
  if (candidates.size === 0) return;
  for (const text of readLogTexts(tx)) {
    for (const [hash] of text.matchAll(hashes)) candidates.delete(hash);
    if (candidates.size === 0) return;
  }
  for (const hash of candidates) tx.run('DELETE FROM value WHERE hash = ?', hash);
}

function isInConversation(tx: TxDb, hash: string): boolean {
  const found = tx.get(
    `SELECT 1 FROM session WHERE catalogue_hash = ?1
     UNION ALL SELECT 1 FROM session_event WHERE instr(json, ?1)
     UNION ALL SELECT 1 FROM session_snapshot WHERE instr(text, ?1) LIMIT 1`,
    hash,
  );
  return found !== undefined;
}
