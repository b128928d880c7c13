/**
 * Stores open requests in PostgreSQL, and reads them.
 */
import type { RunId } from '../../base/ids.ts';
import { conversationRequestKey } from '../../runtime/kernel/requests/ask-request.ts';
import { contentHash } from '../store/large-value.ts';
import type { WaitingChange, WaitingPlace, WaitingRow } from '../store/waiting-projection.ts';
import {
  type DueAsk,
  type EntryRow,
  toAsk,
  toDue,
  toEntry,
  type WaitingEntry,
  type WaitingQuery,
} from '../store/waiting-store.ts';
import type { PgQueries } from './pg-db.ts';
import { longestName } from './run-reads.ts';
import { decodeText, encodeText } from './safe-text.ts';
import { hashOfCut, type SharedAsk } from './shared-history.ts';

/** Returns the key of a request of a run. Names may be too long for an index. */
function placeOf({ name, key }: WaitingPlace): string {
  return contentHash(JSON.stringify([name, key]));
}

/** Returns the key of the answer to a request: a repeated request with the same hash has the same answer. */
export function answerPlaceOf(place: WaitingPlace, requestHash: string): string {
  return contentHash(JSON.stringify([place.name, place.key, requestHash]));
}

interface PlacesRow {
  readonly applied_seq: number;
  readonly name: string | null;
  readonly key: string | null;
}

/** Reads the number of the last applied event, and the open requests at that event. */
export async function readWaitingPlaces(
  queries: PgQueries,
  run: number,
): Promise<{ readonly seq: number; readonly places: readonly WaitingPlace[] }> {
  const rows = await queries.prepared<PlacesRow>(
    `SELECT applied_seq, name, key FROM millrace.progress LEFT JOIN millrace.waiting USING (run) WHERE run = $1`,
    [run],
  );
  const places = rows.flatMap(({ name, key }) =>
    name === null || key === null ? [] : [{ name: decodeText(name), key: decodeText(key) }],
  );
  return { seq: rows[0]?.applied_seq ?? -1, places };
}

/** Changes the open requests of a run. */
export async function writeWaiting(
  tx: PgQueries,
  at: { readonly run: number; readonly workspace: number },
  changes: readonly WaitingChange[],
): Promise<void> {
  // Only the last change of each request matters.
  const last = new Map<string, WaitingRow | undefined>();
  for (const change of changes)
    if ('put' in change) last.set(placeOf(change.put), change.put);
    else last.set(placeOf(change.drop), undefined);
  if (last.size === 0) return;
  await tx.run('DELETE FROM millrace.waiting WHERE run = $1 AND place = ANY ($2::text[])', [at.run, [...last.keys()]]);
  for (const [place, row] of last) if (row !== undefined) await insert(tx, { ...at, place }, row);
}

async function insert(
  tx: PgQueries,
  { run, workspace, place }: { readonly run: number; readonly workspace: number; readonly place: string },
  row: WaitingRow,
): Promise<void> {
  const { requestHash, request } = row.asked ?? {};
  const isPermission = request?.kind === 'approval' && request.permission !== undefined;
  const isAutomatic = request?.kind === 'input' && request.schema[conversationRequestKey] === true;
  await tx.run(
    `INSERT INTO millrace.waiting (run, workspace, place, answer_place, name, key, request_hash, title, request, kind,
       is_permission, is_automatic, on_deadline, asked_seq, asked_at, deadline_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      ...[run, workspace, place, answerPlaceOf(row, requestHash ?? hashOfCut(row.askedSeq))],
      ...[encodeText(row.name), encodeText(row.key), requestHash ?? null, encodeText(row.title)],
      ...[request === undefined ? null : JSON.stringify(request), request?.kind ?? null, isPermission, isAutomatic],
      ...[request?.onDeadline ?? null, row.askedSeq, row.askedAt, request?.deadlineAt ?? null],
    ],
  );
}

/** SQL that tells whether a request has an answer, even if the run has not processed it yet. */
const isAnswered = `EXISTS (
  SELECT 1 FROM millrace.answer WHERE answer.run = waiting.run AND answer.place = waiting.answer_place
)`;

/** Reads the open requests of one workspace. */
export class WaitingReads {
  readonly #queries: PgQueries;
  readonly #workspace: number;

  constructor(queries: PgQueries, workspace: number) {
    this.#queries = queries;
    this.#workspace = workspace;
  }

  async list(limit: number): Promise<readonly WaitingEntry[]> {
    const rows = await this.#queries.rows<StoredEntryRow>(
      // The subquery keeps the server from reading all runs, which are many more than open requests.
      `SELECT run.run_id, run.number, left(source.name, ${longestName}) AS flow, waiting.name, waiting.key,
         left(source.path, ${longestName}) AS source_path, waiting.request_hash, waiting.kind, waiting.is_permission,
         left(waiting.title, ${longestName}) AS title, waiting.asked_at, waiting.deadline_at, waiting.on_deadline,
         waiting.reminded_at
       FROM millrace.waiting
       CROSS JOIN LATERAL (SELECT run_id, number, source FROM millrace.run WHERE number = waiting.run OFFSET 0) run
       LEFT JOIN millrace.source ON source.id = run.source
       WHERE waiting.workspace = $1 AND NOT is_automatic AND NOT ${isAnswered}
       ORDER BY deadline_at NULLS LAST, asked_at, waiting.run, asked_seq LIMIT $2`,
      [this.#workspace, limit],
    );
    return rows.map((row) =>
      toEntry({
        ...row,
        flow: decodeText(row.flow ?? ''),
        source_path: decodeText(row.source_path ?? ''),
        name: decodeText(row.name),
        key: decodeText(row.key),
        title: decodeText(row.title),
        is_permission: row.is_permission ? 1 : 0,
        asked_at: momentOf(row.asked_at),
        deadline_at: momentOf(row.deadline_at),
        reminded_at: momentOf(row.reminded_at),
      }),
    );
  }

  async ofRun(runId: RunId, { name, key }: WaitingQuery = {}): Promise<readonly SharedAsk[]> {
    const rows = await this.#queries.rows<StoredAskRow>(
      `SELECT waiting.name, key, request_hash, request, title, asked_at, asked_seq, run.number, ${isAnswered} AS is_answered
       FROM millrace.waiting JOIN millrace.run ON run.number = waiting.run
       WHERE run.run_id = $1 AND run.workspace = $2 AND waiting.name = coalesce($3, waiting.name)
         AND waiting.key = coalesce($4, waiting.key) ORDER BY asked_seq`,
      [
        ...[runId, this.#workspace],
        ...[name === undefined ? null : encodeText(name), key === undefined ? null : encodeText(key)],
      ],
    );
    return rows.map(({ asked_seq: askedSeq, is_answered, ...row }) => {
      const texts = { name: decodeText(row.name), key: decodeText(row.key), title: decodeText(row.title) };
      const asked_at = momentOf(row.asked_at);
      return { ...toAsk({ ...row, ...texts, asked_at, is_answered: is_answered ? 1 : 0 }), askedSeq };
    });
  }

  /** Unanswered requests of durable hosts with a passed deadline that has had no effect yet. */
  async due(now: number, limit: number): Promise<readonly DueAsk[]> {
    const rows = await this.#queries.prepared<{
      run_id: string;
      name: string;
      key: string;
      request_hash: string;
      on_deadline: string | null;
    }>(
      `SELECT run.run_id, waiting.name, key, request_hash, on_deadline
       FROM millrace.waiting JOIN millrace.run ON run.number = waiting.run
       WHERE waiting.workspace = $1 AND deadline_at <= $2 AND reminded_at IS NULL AND run.host_engine IS NOT NULL
         AND request_hash IS NOT NULL AND NOT ${isAnswered} ORDER BY deadline_at, waiting.run, asked_seq LIMIT $3`,
      [this.#workspace, now, limit],
    );
    return rows.map((row) => toDue({ ...row, name: decodeText(row.name), key: decodeText(row.key) }));
  }

  async nextDeadline(after: number): Promise<number | undefined> {
    const [row] = await this.#queries.prepared<{ deadline_at: number }>(
      `SELECT deadline_at FROM millrace.waiting WHERE workspace = $1 AND deadline_at > $2 AND deadline_at <= 9007199254740991
         AND NOT ${isAnswered} ORDER BY deadline_at LIMIT 1`,
      [this.#workspace, after],
    );
    return row?.deadline_at;
  }

  async remind({ runId, name, key, requestHash }: DueAsk, now: number): Promise<boolean> {
    const changed = await this.#queries.run(
      `UPDATE millrace.waiting SET reminded_at = $4 FROM millrace.run WHERE run.number = waiting.run AND run.run_id = $1
         AND run.workspace = $5 AND place = $2 AND request_hash = $3 AND reminded_at IS NULL`,
      [runId, placeOf({ name, key }), requestHash, now, this.#workspace],
    );
    return changed > 0;
  }

  /** Returns the open request that an answer is for, and locks it; undefined if it is no longer open. */
  static async lockOpen(
    tx: PgQueries,
    run: number,
    answer: WaitingPlace & { readonly requestHash: string },
  ): Promise<{ readonly askedSeq: number } | undefined> {
    const [row] = await tx.rows<{ asked_seq: number; request_hash: string | null }>(
      'SELECT asked_seq, request_hash FROM millrace.waiting WHERE run = $1 AND place = $2 FOR SHARE',
      [run, placeOf(answer)],
    );
    if (row === undefined) return undefined;
    const hash = row.request_hash ?? hashOfCut(row.asked_seq);
    return hash === answer.requestHash ? { askedSeq: row.asked_seq } : undefined;
  }
}

/** The latest time that a `Date` can represent, in epoch milliseconds. */
const lastMoment = 8.64e15;

/** Returns the time; null for none, or for one of a damaged row. */
function momentOf(at: number | null): number | null {
  return at !== null && Math.abs(at) <= lastMoment ? at : null;
}

interface StoredEntryRow extends Omit<EntryRow, 'is_permission' | 'flow' | 'source_path'> {
  readonly flow: string | null;
  readonly source_path: string | null;
  readonly is_permission: boolean;
}

interface StoredAskRow {
  readonly number: number;
  readonly name: string;
  readonly key: string;
  readonly request_hash: string | null;
  readonly request: string | null;
  readonly title: string;
  readonly asked_at: number;
  readonly asked_seq: number;
  readonly is_answered: boolean;
}
