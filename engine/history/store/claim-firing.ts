/**
 * Starts runs for firings: a run and its firing are recorded in one transaction.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { TxDb } from './db.ts';
import { type OwnedRow, ownedColumns } from './run-row.ts';

/** A trigger of a flow, all triggers of a flow, or all triggers. */
interface MaybeTrigger {
  readonly flow?: string;
  readonly trigger?: string;
}

/** The firing that a new run belongs to. */
export interface ClaimedFiring {
  readonly id: number;
  /** Maximum number of unfinished runs of its trigger, including the new one; unlimited if absent. */
  readonly mostOfTrigger?: number;
  /** Maximum number of unfinished runs that triggers of its flow have started. */
  readonly mostOfFlow?: number;
  /** Maximum number of runs that its trigger starts within an hour, including the new one. */
  readonly mostPerHour?: number;
}

const hourMs = 3_600_000;

/**
 * Marks a firing as started, in the transaction that records its run.
 * @param isAbandoned whether no live process owns a row's run
 * @throws EngineError `firing.taken` if it no longer waits; `firing.limited` with `details.againAt` if its trigger has
 * started too many runs; `firing.blocked` if too many runs of its trigger or flow (`details.by`) are unfinished. Nothing is
 * recorded then
 */
export function claimFiring(
  tx: TxDb,
  { id, mostOfTrigger, mostOfFlow, mostPerHour }: ClaimedFiring,
  { runId, isAbandoned }: { readonly runId: RunId; readonly isAbandoned: (row: OwnedRow) => boolean },
): void {
  const row = tx.get<{ readonly flow: string; readonly trigger: string; readonly at: number }>(
    `SELECT flow, trigger_id AS "trigger", created_at AS at FROM firing WHERE id = ? AND state = 'waiting'`,
    id,
  );
  if (row === undefined) throw firingTaken();
  const { flow, trigger } = row;
  if (mostPerHour !== undefined) refuseMore(tx, row, mostPerHour);
  const count = (name: MaybeTrigger): number => unfinishedRows(tx, name, isAbandoned).length;
  if (mostOfTrigger !== undefined && count({ flow, trigger }) >= mostOfTrigger)
    throw blocked(`trigger ${trigger}`, 'trigger');
  if (mostOfFlow !== undefined && count({ flow }) >= mostOfFlow) throw blocked(`triggers of ${flow}`, 'flow');
  tx.run(`UPDATE firing SET state = 'started', run_id = ? WHERE id = ?`, runId, id);
}

/** Creates the error for a firing that starts no run, because it has been handled. */
export function firingTaken(): EngineError {
  const message = 'Another process has started or settled this firing.';
  return new EngineError({ code: 'firing.taken', message });
}

function refuseMore(tx: TxDb, row: Required<MaybeTrigger> & { readonly at: number }, most: number): void {
  const first = tx.get<{ readonly at: number }>(
    `SELECT created_at AS at FROM firing WHERE flow = ? AND trigger_id = ? AND state = 'started' AND created_at > ?
     ORDER BY created_at DESC LIMIT 1 OFFSET ?`,
    ...[row.flow, row.trigger, row.at - hourMs, most - 1],
  );
  if (first === undefined) return;
  const message = `${most} runs have started in the last hour.`;
  throw new EngineError({ code: 'firing.limited', message, details: { againAt: first.at + hourMs } });
}

function blocked(who: string, by: 'trigger' | 'flow'): EngineError {
  const message = `Earlier runs that were started by ${who} are not finished.`;
  return new EngineError({ code: 'firing.blocked', message, details: { by } });
}

/**
 * Returns the unfinished runs of a trigger, of all triggers of a flow, or of all triggers, oldest first. Runs that crashed
 * are finished for this purpose if no process owns them; those that wait for a person are not.
 */
export function unfinishedRows(
  db: TxDb,
  { flow, trigger }: MaybeTrigger,
  isAbandoned: (row: OwnedRow) => boolean,
): readonly OwnedRow[] {
  const rows = db.all<OwnedRow & { status: string }>(
    `SELECT status, ${ownedColumns} FROM run WHERE status IN ('queued', 'running', 'suspended') AND EXISTS (
       SELECT 1 FROM firing WHERE firing.run_id = run.run_id AND (?1 IS NULL OR flow = ?1) AND (?2 IS NULL OR trigger_id = ?2)) ORDER BY id`,
    flow ?? null,
    trigger ?? null,
  );
  return rows.filter((row) => row.status === 'suspended' || !isAbandoned(row));
}
