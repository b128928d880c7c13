/**
 * Stores run events in the database, with one row for each group of events that became durable together.
 */
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { TxDb } from './db.ts';
import { decodeGroup, type EventGroup, encodeGroup, type LogRoot } from './event-group.ts';

const seqsPerRun = 2 ** 32;

/** A run's location in the database, and the properties that its events share. */
export interface StoredRunLog extends LogRoot {
  /** Number of the run's row. */
  readonly rowId: number;
}

/** Returns the key of the group that ends with this `seq`, in the run with this row number. */
function groupKey(rowId: number, lastSeq: number): number {
  return rowId * seqsPerRun + lastSeq;
}

function lastKeyOf(rowId: number): number {
  return groupKey(rowId, seqsPerRun - 1);
}

/** Inserts one group; durable immediately unless `db` is a transaction. */
export function insertGroup(db: TxDb, log: StoredRunLog, events: EventGroup): void {
  const lastSeq = events[0].seq + events.length - 1;
  db.run('INSERT INTO event_group (id, json) VALUES (?, ?)', groupKey(log.rowId, lastSeq), encodeGroup(events, log));
}

/** Returns the number of the run's next event. */
export function nextSeqOf(db: TxDb, rowId: number): number {
  const last = db.get<{ last_seq: number }>(
    'SELECT last_seq FROM event_group WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1',
    groupKey(rowId, 0),
    lastKeyOf(rowId),
  );
  return last === undefined ? 0 : last.last_seq + 1;
}

const groupsPerPage = 200;

/** Yields the stored texts of one run's events, or of all runs. Keeps one page in memory at a time. */
export function* readLogTexts(db: TxDb, rowId?: number): Generator<string, void> {
  const lastKey = rowId === undefined ? Number.MAX_SAFE_INTEGER : lastKeyOf(rowId);
  for (let after = rowId === undefined ? -1 : groupKey(rowId, -1); ; ) {
    const page = db.all<{ id: number; json: string }>(
      'SELECT id, json FROM event_group WHERE id > ? AND id <= ? ORDER BY id LIMIT ?',
      after,
      lastKey,
      groupsPerPage,
    );
    for (const { json } of page) yield json;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Deletes all events of a run. */
export function deleteLog(db: TxDb, rowId: number): void {
  db.run('DELETE FROM event_group WHERE id BETWEEN ? AND ?', groupKey(rowId, 0), lastKeyOf(rowId));
}

/** Returns at most `limit` events in `seq` order after `afterSeq`. */
export function readLog(
  db: TxDb,
  log: StoredRunLog,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): readonly EventEnvelope[] {
  const { rowId } = log;
  const lastKey = lastKeyOf(rowId);
  // The last requested event is in the first group that ends at or after it.
  const groups = db.all<{ json: string }>(
    `SELECT json FROM event_group
     WHERE id > ? AND id <= ifnull((SELECT min(id) FROM event_group WHERE id BETWEEN ? AND ?), ?)
     ORDER BY id`,
    groupKey(rowId, afterSeq),
    Math.min(groupKey(rowId, afterSeq + limit), lastKey),
    lastKey,
    lastKey,
  );
  const events = groups.flatMap(({ json }) => decodeGroup(json, log));
  const skipped = events.findIndex(({ seq }) => seq > afterSeq);
  return skipped < 0 ? [] : events.slice(skipped, skipped + limit);
}
