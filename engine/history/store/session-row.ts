/**
 * Converts rows of the `session` table to list entries.
 */
import type { SessionId } from '../../base/ids.ts';
import type { CatalogueVersion } from '../../conversations/session/session-state.ts';
import type { TxDb } from './db.ts';
import { safeNumber } from './run-row.ts';
import type { OwnerColumns } from './session-ownership.ts';

/** A conversation as listed in the history. */
export interface SessionRecord {
  readonly sessionId: SessionId;
  readonly catalogue: CatalogueVersion;
  /** Start time in epoch milliseconds. */
  readonly startedAt: number;
  /** Time of its last event, in epoch milliseconds. */
  readonly changedAt: number;
  readonly turnCount: number;
  /** The beginning of the first message; empty if there are no messages. */
  readonly title: string;
}

export interface SessionRow extends OwnerColumns {
  readonly id: number;
  readonly session_id: SessionId;
  readonly catalogue_path: string;
  readonly catalogue_name: string;
  readonly catalogue_hash: string;
  readonly title: string;
  readonly turn_count: number | null;
  readonly started_at: number | null;
  readonly changed_at: number | null;
}

/** The columns of a row. A damaged number in one row must not make reading other rows fail. */
export const sessionColumns = `id, session_id, catalogue_path, catalogue_name, catalogue_hash, title, ${safeNumber('turn_count')},
  ${safeNumber('started_at')}, ${safeNumber('changed_at')}, owner_host, ${safeNumber('owner_pid')}, owner_start,
  ${safeNumber('lease_until')}`;

export function rowOf(db: TxDb, sessionId: SessionId): SessionRow | undefined {
  return db.get<SessionRow>(`SELECT ${sessionColumns} FROM session WHERE session_id = ?`, sessionId);
}

export function toRecord(row: SessionRow): SessionRecord {
  return {
    sessionId: row.session_id,
    catalogue: { path: row.catalogue_path, hash: row.catalogue_hash, name: row.catalogue_name },
    startedAt: row.started_at ?? 0,
    changedAt: row.changed_at ?? 0,
    turnCount: row.turn_count ?? 0,
    title: row.title,
  };
}
