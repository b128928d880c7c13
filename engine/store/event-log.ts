/**
 * Events of runs in the database: a row for each group that became durable together.
 */
import type { EventEnvelope } from '../kernel/run-event.ts';
import type { TxDb } from './db.ts';
import { decodeGroup, type EventGroup, encodeGroup, type LogRoot } from './event-group.ts';

const seqsPerRun = 2 ** 32;

/** A run's place in the database, and what its events share. */
export interface RunLog extends LogRoot {
  /** The number of the run's row. */
  readonly rowId: number;
}

/** The key of the group whose last event has this `seq`, in the run with this row number. */
function groupKey(rowId: number, lastSeq: number): number {
  return rowId * seqsPerRun + lastSeq;
}

function lastKeyOf(rowId: number): number {
  return groupKey(rowId, seqsPerRun - 1);
}

/** Adds one group; durable at once when `db` is no transaction. */
export function insertGroup(db: TxDb, log: RunLog, events: EventGroup): void {
  const lastSeq = events[0].seq + events.length - 1;
  db.run('INSERT INTO event_group (id, json) VALUES (?, ?)', groupKey(log.rowId, lastSeq), encodeGroup(events, log));
}

/** The number of the run's next event. */
export function nextSeqOf(db: TxDb, rowId: number): number {
  const last = db.get<{ last_seq: number }>(
    'SELECT last_seq FROM event_group WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1',
    groupKey(rowId, 0),
    lastKeyOf(rowId),
  );
  return last === undefined ? 0 : last.last_seq + 1;
}

const groupsPerPage = 200;

/** The stored texts of a run's events, or of all runs; a page of them at a time is in memory. */
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

/** At most `limit` events in `seq` order, from `afterSeq` (exclusive) on. */
export function readLog(
  db: TxDb,
  log: RunLog,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): readonly EventEnvelope[] {
  const { rowId } = log;
  const lastKey = lastKeyOf(rowId);
  // The group that holds the last event asked for ends there or later, and it is the first that does.
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
