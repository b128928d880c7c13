/**
 * Stores open requests in the table `waiting`, in the transaction that makes the events durable. A log without requests
 * needs no SQL statement.
 */
import type { RunId } from '../../base/ids.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { TxDb } from './db.ts';
import { decodeGroup } from './event-group.ts';
import { readLogTexts, type StoredRunLog } from './event-log.ts';
import { type WaitingPlace, WaitingProjection } from './waiting-projection.ts';

/** Returns the projection of a run that is continued. */
export function readWaitingRows(db: TxDb, log: StoredRunLog): WaitingProjection {
  const rows = db.all<WaitingPlace>('SELECT name, key FROM waiting WHERE run = ?', log.rowId);
  return WaitingProjection.ofStored(log.runId, rows);
}

/** Passes the next events of a run to its projection, and changes the rows. */
export function updateWaitingRows(
  tx: TxDb,
  { log, waiting }: { readonly log: StoredRunLog; readonly waiting: WaitingProjection },
  events: readonly EventEnvelope[],
): void {
  for (const change of waiting.apply(events, () => readStarts(tx, log))) {
    if ('drop' in change) {
      const { name, key } = change.drop;
      tx.run('DELETE FROM waiting WHERE run = ? AND name = ? AND key = ?', log.rowId, name, key);
      continue;
    }
    const { name, key, asked, title, askedAt } = change.put;
    tx.run(
      `INSERT INTO waiting (run, name, key, request_hash, title, request, asked_at, deadline_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      log.rowId,
      name,
      key,
      asked?.requestHash ?? null,
      title,
      asked === undefined ? null : JSON.stringify(asked.request),
      askedAt,
      asked?.request.deadlineAt ?? null,
    );
  }
}

function* readStarts(db: TxDb, log: StoredRunLog): Generator<EventEnvelope, void> {
  for (const text of readLogTexts(db, log.rowId)) {
    // Most groups contain no start event, and parsing them would take most of the time.
    if (text.includes('"run:start"')) yield* decodeGroup(text, log);
  }
}

/** Calls `decode`, and returns undefined for damaged events, which affect only one run's requests. */
function unlessDamaged<Result>(decode: () => Result): Result | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Fills the table from the logs of all unfinished runs. */
export function fillWaiting(tx: TxDb): void {
  const runs = tx.all<{ id: number; run_id: RunId; session_id: StoredRunLog['sessionId'] }>(
    `SELECT id, run_id, session_id FROM run WHERE status IN ('queued', 'running', 'suspended')`,
  );
  for (const { id, run_id, session_id } of runs) {
    const log = { rowId: id, runId: run_id, sessionId: session_id };
    const waiting = WaitingProjection.ofNew(run_id);
    for (const text of readLogTexts(tx, id)) {
      const events = unlessDamaged(() => decodeGroup(text, log));
      if (events !== undefined) updateWaitingRows(tx, { log, waiting }, events);
    }
  }
}
