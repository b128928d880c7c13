/**
 * Stores conversations in the history: their rows, numbered events and snapshots. A store writes only conversations
 * that it created or claimed. The path of a catalog is not part of a conversation; it is updated through
 * `moveCatalogue`.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { SessionId } from '../../base/ids.ts';
import type { SessionEnvelope, SessionEvent } from '../../conversations/session/session-event.ts';
import type { Db } from './db.ts';
import { contentHash } from './large-value.ts';
import type { Owner } from './owner.ts';
import { elsewhere, SessionOwnership } from './session-ownership.ts';
import { rowOf, type SessionRecord, type SessionRow, sessionColumns, toRecord } from './session-row.ts';

export interface NewSession {
  readonly sessionId: SessionId;
  readonly catalogue: { readonly path: string; readonly name: string; readonly text: string };
}

/** A conversation's state after an event, as text. */
export interface StoredSnapshot {
  readonly seq: number;
  readonly text: string;
}

export interface SessionStore {
  /**
   * Records a conversation owned by this process. @returns the hash of its catalog @throws EngineError `session.exists`
   */
  create(session: NewSession): string;
  /** Lists conversations, most recently changed first. @param path lists only this catalog's conversations */
  list(path?: string): readonly SessionRecord[];
  get(sessionId: SessionId): SessionRecord | undefined;
  /**
   * Records the new path of a catalog, or of a folder with catalogs, for all conversations that use it, regardless of
   * their owner.
   * @param sessionId updates only this conversation
   */
  moveCatalogue(from: string, to: string, sessionId?: SessionId): void;
  /** Claims a conversation without a live owner. @throws EngineError `session.not-found` | `session.elsewhere` */
  claim(sessionId: SessionId): void;
  /** Gives up a conversation, so that others can claim it. Has no effect if it is not owned. */
  release(sessionId: SessionId): void;
  /**
   * Makes events durable in one transaction. @throws EngineError `session.elsewhere` if another process has claimed it
   */
  append(sessionId: SessionId, events: readonly SessionEnvelope[]): void;
  /** Returns the number of the last event; -1 if there is none. */
  lastSeq(sessionId: SessionId): number;
  /** Returns events in order from `fromSeq` to `toSeq`, both inclusive. */
  readEvents(
    sessionId: SessionId,
    range: { readonly fromSeq: number; readonly toSeq?: number; readonly limit?: number },
  ): readonly SessionEnvelope[];
  /** Returns the latest events of these types before `before`, in order. */
  readMarks(
    sessionId: SessionId,
    wanted: {
      readonly type: 'message' | 'turn:start' | 'plan:decomposed';
      readonly before: number;
      readonly limit: number;
    },
  ): readonly SessionEnvelope[];
  /** Returns the turns that were rolled back between two events. */
  readTakenBack(sessionId: SessionId, range: { readonly fromSeq: number; readonly toSeq: number }): readonly string[];
  /** Returns whether the message already exists. */
  hasMessage(sessionId: SessionId, messageId: string): boolean;
  /** Returns the number of the event that started the turn; undefined if unknown. */
  turnStart(sessionId: SessionId, turnId: string): number | undefined;
  keepSnapshot(sessionId: SessionId, snapshot: StoredSnapshot): void;
  /** Returns the latest snapshot at or before `seq`. */
  snapshotAt(sessionId: SessionId, seq: number): StoredSnapshot | undefined;
  /** Gives up all conversations. */
  close(): void;
}

const longestTitle = 80;
const everything = Number.MAX_SAFE_INTEGER;

interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly turn_id: string | null;
  readonly json: string;
}

export class SqliteSessionStore implements SessionStore {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #ownership: SessionOwnership;

  constructor(db: Db, context: { readonly clock: Clock; readonly owner: Owner }) {
    this.#db = db;
    this.#clock = context.clock;
    this.#ownership = new SessionOwnership(db, context);
  }

  create({ sessionId, catalogue: { path, name, text } }: NewSession): string {
    const hash = contentHash(text);
    const now = this.#clock.now();
    const rowId = this.#db.execTx((tx) => {
      if (rowOf(tx, sessionId) !== undefined)
        throw new EngineError({ code: 'session.exists', message: `Conversation ${sessionId} already exists.` });
      tx.run('INSERT INTO value (hash, text) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING', hash, text);
      const { lastRowId } = tx.run(
        `INSERT INTO session (session_id, catalogue_path, catalogue_name, catalogue_hash, started_at, changed_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
        ...[sessionId, path, name, hash, now, now],
      );
      this.#ownership.sign(tx, lastRowId);
      return lastRowId;
    });
    this.#ownership.add(sessionId, rowId);
    return hash;
  }

  list(path?: string): readonly SessionRecord[] {
    const rows =
      path === undefined
        ? this.#db.all<SessionRow>(`SELECT ${sessionColumns} FROM session ORDER BY changed_at DESC, id DESC LIMIT 1000`)
        : this.#db.all<SessionRow>(
            `SELECT ${sessionColumns} FROM session WHERE catalogue_path = ? ORDER BY changed_at DESC, id DESC LIMIT 1000`,
            path,
          );
    return rows.map(toRecord);
  }

  get(sessionId: SessionId): SessionRecord | undefined {
    const row = rowOf(this.#db, sessionId);
    return row && toRecord(row);
  }

  moveCatalogue(from: string, to: string, sessionId?: SessionId): void {
    this.#db.run(
      `UPDATE session SET catalogue_path = ? || substr(catalogue_path, length(?) + 1) WHERE session_id = coalesce(?, session_id)
         AND (catalogue_path = ? OR substr(catalogue_path, 1, length(?) + 1) = ? || '/')`,
      ...[to, from, sessionId ?? null, from, from, from],
    );
  }

  claim(sessionId: SessionId): void {
    if (this.#ownership.rowId(sessionId) !== undefined) return;
    const rowId = this.#db.execTx((tx) => {
      const row = rowOf(tx, sessionId);
      if (row === undefined) throw sessionNotFound(sessionId);
      if (this.#ownership.isHeld(row)) throw elsewhere(sessionId, row);
      this.#ownership.sign(tx, row.id);
      return row.id;
    });
    this.#ownership.add(sessionId, rowId);
  }

  release(sessionId: SessionId): void {
    this.#ownership.release(sessionId);
  }

  append(sessionId: SessionId, events: readonly SessionEnvelope[]): void {
    const rowId = this.#rowIdOf(sessionId);
    const last = events.at(-1);
    if (last === undefined) return;
    this.#db.execTx((tx) => {
      for (const { seq, at, turnId, event } of events)
        tx.run(
          'INSERT INTO session_event (session, seq, at, turn_id, type, json) VALUES (?, ?, ?, ?, ?, ?)',
          ...[rowId, seq, at, turnId ?? null, event.type, JSON.stringify(event)],
        );
      const turns = events.filter(({ event }) => event.type === 'turn:start').length;
      const title = events.flatMap(({ event }) => titleIn(event))[0] ?? '';
      const assignments = `changed_at = ?, turn_count = turn_count + ?, title = CASE title WHEN '' THEN ? ELSE title END`;
      const isOwn = this.#ownership.update(tx, rowId, assignments, [last.at, turns, title]);
      if (!isOwn) throw elsewhere(sessionId, rowOf(tx, sessionId));
    });
  }

  lastSeq(sessionId: SessionId): number {
    const row = this.#db.get<{ seq: number | null }>(
      'SELECT max(seq) AS seq FROM session_event WHERE session = (SELECT id FROM session WHERE session_id = ?)',
      sessionId,
    );
    return row?.seq ?? -1;
  }

  readEvents(
    sessionId: SessionId,
    { fromSeq, toSeq = everything, limit = everything }: Parameters<SessionStore['readEvents']>[1],
  ): readonly SessionEnvelope[] {
    const rows = this.#db.all<EventRow>(
      `SELECT seq, at, turn_id, json FROM session_event
       WHERE session = (SELECT id FROM session WHERE session_id = ?) AND seq >= ? AND seq <= ? ORDER BY seq LIMIT ?`,
      ...[sessionId, fromSeq, toSeq, limit],
    );
    return rows.map((row) => toEnvelope(sessionId, row));
  }

  readMarks(
    sessionId: SessionId,
    { type, before, limit }: Parameters<SessionStore['readMarks']>[1],
  ): readonly SessionEnvelope[] {
    const rows = this.#db.all<EventRow>(
      `SELECT seq, at, turn_id, json FROM session_event INDEXED BY session_event_marks
       WHERE session = (SELECT id FROM session WHERE session_id = ?) AND type = ? AND seq < ?
         AND type IN ('message', 'turn:start', 'plan:decomposed') ORDER BY seq DESC LIMIT ?`,
      ...[sessionId, type, before, limit],
    );
    return rows.map((row) => toEnvelope(sessionId, row)).reverse();
  }

  readTakenBack(
    sessionId: SessionId,
    { fromSeq, toSeq }: { readonly fromSeq: number; readonly toSeq: number },
  ): readonly string[] {
    const rows = this.#db.all<{ turns: string }>(
      `SELECT json_extract(json, '$.turnIds') AS turns FROM session_event
       WHERE session = (SELECT id FROM session WHERE session_id = ?) AND seq >= ? AND seq <= ? AND type = 'turn:rolledback'`,
      ...[sessionId, fromSeq, toSeq],
    );
    return rows.flatMap(({ turns }) => JSON.parse(turns) as string[]);
  }

  hasMessage(sessionId: SessionId, messageId: string): boolean {
    const row = this.#db.get(
      `SELECT 1 FROM session_event WHERE session = (SELECT id FROM session WHERE session_id = ?) AND type = 'message'
         AND json_extract(json, '$.messageId') = ?`,
      ...[sessionId, messageId],
    );
    return row !== undefined;
  }

  turnStart(sessionId: SessionId, turnId: string): number | undefined {
    const row = this.#db.get<{ seq: number }>(
      `SELECT seq FROM session_event WHERE session = (SELECT id FROM session WHERE session_id = ?)
         AND type = 'turn:start' AND turn_id = ?`,
      ...[sessionId, turnId],
    );
    return row?.seq;
  }

  keepSnapshot(sessionId: SessionId, { seq, text }: StoredSnapshot): void {
    const rowId = this.#rowIdOf(sessionId);
    this.#db.run('INSERT OR REPLACE INTO session_snapshot (session, seq, text) VALUES (?, ?, ?)', rowId, seq, text);
  }

  snapshotAt(sessionId: SessionId, seq: number): StoredSnapshot | undefined {
    return this.#db.get<StoredSnapshot>(
      `SELECT seq, text FROM session_snapshot WHERE session = (SELECT id FROM session WHERE session_id = ?) AND seq <= ?
       ORDER BY seq DESC LIMIT 1`,
      ...[sessionId, seq],
    );
  }

  close(): void {
    this.#ownership.releaseAll();
  }

  #rowIdOf(sessionId: SessionId): number {
    const rowId = this.#ownership.rowId(sessionId);
    if (rowId === undefined) throw elsewhere(sessionId, rowOf(this.#db, sessionId));
    return rowId;
  }
}

/** Converts a row to an event without validation, because only `append` writes these rows. */
function toEnvelope(sessionId: SessionId, { seq, at, turn_id, json }: EventRow): SessionEnvelope {
  const turn = turn_id === null ? {} : { turnId: turn_id };
  return { seq, at, sessionId, ...turn, event: JSON.parse(json) as SessionEvent };
}

function titleIn(event: SessionEvent): readonly string[] {
  if (event.type !== 'message' || event.from !== 'user') return [];
  const text = event.text.trim().replaceAll(/\s+/g, ' ');
  return text === '' ? [] : [text.slice(0, longestTitle)];
}

/** Creates the error for a conversation that does not exist. */
export function sessionNotFound(sessionId: SessionId): EngineError {
  return new EngineError({
    code: 'session.not-found',
    message: `Conversation ${sessionId} is not in this history.`,
  });
}
