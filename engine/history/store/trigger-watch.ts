/**
 * Stores how far the past of each trigger has been turned into firings. The state is part of the history, so that
 * services that share a trigger compare with the same past, and a service that was killed loses nothing.
 */
import { asRunId, type RunId } from '../../base/ids.ts';
import type { TxDb } from './db.ts';
import { safeNumber } from './run-row.ts';

/** A trigger of a flow. */
export interface TriggerName {
  /** Path of the flow, relative to the workspace. */
  readonly flow: string;
  readonly trigger: string;
}

/** How far a trigger's past has been turned into firings. */
export interface TriggerWatch {
  /** Hash of the definition that a person has switched on. */
  readonly definitionHash: string;
  /** Epoch milliseconds; never moves back. */
  readonly lookedAt: number;
  /** What the firings were computed from, such as the files at that time; absent before the first look, and for times. */
  readonly state?: string;
}

/** Returns the watch of a trigger; undefined before its first look. */
export function watchOf(db: TxDb, { flow, trigger }: TriggerName): TriggerWatch | undefined {
  const row = db.get<{ definition_hash: string; looked_at: number; state: string | null }>(
    `SELECT definition_hash, ${safeNumber('looked_at')}, state FROM trigger_watch WHERE flow = ? AND trigger_id = ?`,
    flow,
    trigger,
  );
  if (row === undefined) return undefined;
  const { definition_hash: definitionHash, looked_at: lookedAt, state } = row;
  return { definitionHash, lookedAt, ...(state === null ? {} : { state }) };
}

/** Moves the watch of a trigger. Returns false if the watch is not the expected one. */
export function moveWatch(
  tx: TxDb,
  name: TriggerName,
  { from, to }: { readonly from: TriggerWatch | undefined; readonly to: TriggerWatch },
): boolean {
  const now = watchOf(tx, name);
  const isSame = (['lookedAt', 'definitionHash', 'state'] as const).every((key) => now?.[key] === from?.[key]);
  if (!isSame) return false;
  tx.run(
    `INSERT INTO trigger_watch (flow, trigger_id, definition_hash, looked_at, state) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET definition_hash = excluded.definition_hash, looked_at = max(looked_at, excluded.looked_at),
       state = excluded.state`,
    name.flow,
    name.trigger,
    to.definitionHash,
    to.lookedAt,
    to.state ?? null,
  );
  return true;
}

/** Runs that an `after` trigger has seen. Numbers of runs grow, and do not depend on a clock. */
export interface SeenRuns {
  /** All runs up to this number have been seen, except `open`. */
  readonly upTo: number;
  /** Numbers of runs that were unfinished, or whose firings are still to be recorded. */
  readonly open: readonly number[];
}

/** A run of a flow, as far as triggers need it. */
export interface AwaitedRun {
  readonly number: number;
  readonly runId: RunId;
  readonly status: string;
  /** When it ended, in epoch milliseconds; undefined if it is unfinished. */
  readonly endedAt: number | undefined;
}

/** Returns the runs of a flow that have not been seen, by number. */
export function unseenRuns(db: TxDb, sourcePath: string, { upTo, open }: SeenRuns): readonly AwaitedRun[] {
  const rows = db.all<{ id: number; run_id: string; status: string; started_at: number; duration_ms: number | null }>(
    `SELECT id, run_id, status, ${safeNumber('started_at')}, ${safeNumber('duration_ms')} FROM run
     WHERE source_path = ? AND (id > ? OR id IN (SELECT value FROM json_each(?))) ORDER BY id`,
    sourcePath,
    upTo,
    JSON.stringify(open),
  );
  return rows.map(({ id, run_id, status, started_at, duration_ms }) => {
    const isEnded = !['queued', 'running', 'suspended'].includes(status);
    const endedAt = isEnded ? (started_at ?? 0) + (duration_ms ?? 0) : undefined;
    return { number: id, runId: asRunId(run_id), status, endedAt };
  });
}
