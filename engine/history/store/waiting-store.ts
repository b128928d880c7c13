/**
 * Reads all runs' open requests from the table `waiting`. An answered request is not open, even if the run has not
 * processed the answer yet.
 */
import { asRunId, type RunId } from '../../base/ids.ts';
import type { AskRequest, DeadlinePolicy } from '../../runtime/kernel/requests/ask.ts';
import { conversationRequestKey } from '../../runtime/kernel/requests/ask-request.ts';
import type { Db } from './db.ts';
import { safeNumber } from './run-row.ts';
import { noKey } from './waiting-projection.ts';

/** An open request, without the details that are needed only to answer it. */
export interface WaitingEntry {
  readonly runId: RunId;
  /** Number of the run. */
  readonly number: number;
  /** Name of the flow or agent. */
  readonly flow: string;
  /** Path of its file relative to the workspace, with forward slashes. */
  readonly sourcePath: string;
  /** Full name of the node, as used in answers. */
  readonly name: string;
  /** Absent, like the next two fields, if the request asks whether interrupted work may run again. */
  readonly key?: string;
  readonly requestHash?: string;
  readonly kind?: AskRequest['kind'];
  /** Set if the run waits for a permission, which an answer cannot grant. */
  readonly isPermission?: true;
  /** One-line description of the request for people. */
  readonly message: string;
  /** Time of the request in epoch milliseconds. */
  readonly askedAt: number;
  /** Deadline in epoch milliseconds, and what happens then. */
  readonly deadlineAt?: number;
  readonly onDeadline?: DeadlinePolicy;
  /** When a reminder was sent because of the deadline, in epoch milliseconds. */
  readonly remindedAt?: number;
}

/** A request of one run. */
export interface StoredAsk {
  readonly name: string;
  /** Absent if the request asks whether interrupted work may run again. */
  readonly asked?: { readonly key: string; readonly requestHash: string; readonly request: AskRequest };
  readonly message: string;
  readonly askedAt: number;
  /** Whether the request was answered, but the run has not processed the answer yet. */
  readonly isAnswered: boolean;
}

/** Selects the requests of a run. */
export interface WaitingQuery {
  readonly name?: string | undefined;
  readonly key?: string | undefined;
}

export interface WaitingStore {
  /**
   * Returns at most `limit` requests: those with the nearest deadline first, then those without a deadline, oldest
   * first.
   */
  list(limit: number): readonly WaitingEntry[];
  /** Returns the requests of one run in chronological order. Large parts of requests are handles. */
  ofRun(runId: RunId, query?: WaitingQuery): readonly StoredAsk[];
  /** Returns whether the run has an answer that it has not processed yet. */
  hasNews(runId: RunId): boolean;
  /** Returns the runs with unprocessed answers. */
  runsWithNews(): readonly RunId[];
  /** Returns the requests with a passed deadline that has had no effect yet. @param now epoch milliseconds */
  due(now: number): readonly DueAsk[];
  /** Returns the first deadline after a time; undefined if there is none. Both are in epoch milliseconds. */
  nextDeadline(after: number): number | undefined;
  /**
   * Records that a reminder was sent because of the deadline. Returns false if it was already sent. @throws EngineError
   * `store.*`
   */
  remind(ask: DueAsk, now: number): boolean;
}

/** A request whose deadline has passed. */
export interface DueAsk {
  readonly runId: RunId;
  readonly name: string;
  readonly key: string;
  readonly requestHash: string;
  readonly onDeadline: DeadlinePolicy;
}

/** A row of the list of open requests. */
export interface EntryRow {
  readonly run_id: string;
  readonly number: number;
  readonly flow: string;
  readonly source_path: string;
  readonly name: string;
  readonly key: string;
  readonly request_hash: string | null;
  /** Null for a request without a question, or a damaged one. */
  readonly kind: unknown;
  readonly is_permission: number | null;
  readonly title: string;
  readonly asked_at: number | null;
  readonly deadline_at: number | null;
  readonly on_deadline: unknown;
  readonly reminded_at: number | null;
}

export type DueRow = Pick<EntryRow, 'run_id' | 'name' | 'on_deadline'> & {
  readonly key: string;
  readonly request_hash: string;
};

/** A row of a run's requests. */
export interface AskRow {
  readonly number: number;
  readonly name: string;
  readonly key: string;
  readonly request_hash: string | null;
  readonly request: string | null;
  readonly title: string;
  readonly asked_at: number | null;
  readonly is_answered: number;
}

const isAnswered = `EXISTS (
  SELECT 1 FROM answer WHERE answer.run = waiting.run AND answer.name = waiting.name AND answer.key = waiting.key
    AND answer.request_hash = waiting.request_hash
)`;

/** SQL for the request, or null if it is damaged. Reading a damaged request would make all rows fail. */
const soundRequest = 'CASE WHEN json_valid(request) THEN request END';

/** SQL that excludes requests that a conversation answers automatically because one of its flows waits for another. */
const isOfPerson = `json_extract(${soundRequest}, '$.schema."${conversationRequestKey}"') IS NOT 1`;

/** Creates the store on a migrated database. */
export function createWaitingStore(db: Db): WaitingStore {
  return {
    list: (limit) =>
      db
        .all<EntryRow>(
          `SELECT run.run_id, run.id AS number, run.name AS flow, run.source_path, waiting.name, key, request_hash,
             json_extract(${soundRequest}, '$.kind') AS kind,
             json_type(${soundRequest}, '$.permission') IS NOT NULL AS is_permission, title,
             ${safeNumber('asked_at')}, ${safeNumber('deadline_at')},
             json_extract(${soundRequest}, '$.onDeadline') AS on_deadline, ${safeNumber('reminded_at')}
           FROM waiting JOIN run ON run.id = waiting.run WHERE NOT ${isAnswered} AND ${isOfPerson}
           ORDER BY deadline_at NULLS LAST, asked_at, waiting.id LIMIT ?`,
          limit,
        )
        .map(toEntry),
    ofRun: (runId, { name, key } = {}) =>
      db
        .all<AskRow>(
          `SELECT name, key, request_hash, request, title, ${safeNumber('asked_at')}, run AS number, ${isAnswered} AS is_answered FROM waiting
           WHERE run = (SELECT id FROM run WHERE run_id = ?) AND name = ifnull(?, name) AND key = ifnull(?, key) ORDER BY id`,
          runId,
          name ?? null,
          key ?? null,
        )
        .map(toAsk),
    hasNews: (runId) =>
      db.get(
        `SELECT 1 FROM waiting WHERE run = (SELECT id FROM run WHERE run_id = ?) AND ${isAnswered} LIMIT 1`,
        runId,
      ) !== undefined,
    runsWithNews: () =>
      db
        .all<{ run_id: string }>(
          `SELECT DISTINCT run_id FROM waiting JOIN run ON run.id = waiting.run WHERE ${isAnswered} ORDER BY run.id`,
        )
        .map(({ run_id }) => asRunId(run_id)),
    due: (now) =>
      db
        .all<DueRow>(
          `SELECT run_id, waiting.name, key, request_hash, json_extract(${soundRequest}, '$.onDeadline') AS on_deadline
           FROM waiting JOIN run ON run.id = waiting.run
           WHERE deadline_at <= ? AND reminded_at IS NULL AND NOT ${isAnswered} ORDER BY deadline_at, waiting.id`,
          now,
        )
        .map(toDue),
    nextDeadline: (after) =>
      db.get<{ deadline_at: number }>(
        `SELECT deadline_at FROM waiting WHERE deadline_at > ? AND deadline_at <= 9007199254740991 AND NOT ${isAnswered} ORDER BY deadline_at LIMIT 1`,
        after,
      )?.deadline_at,
    remind: ({ runId, name, key, requestHash }, now) =>
      db.run(
        `UPDATE waiting SET reminded_at = ? WHERE run = (SELECT id FROM run WHERE run_id = ?) AND name = ? AND key = ?
           AND request_hash = ? AND reminded_at IS NULL`,
        now,
        runId,
        name,
        key,
        requestHash,
      ).changes > 0,
  };
}

/** Converts a row. A damaged request is described in `message`. */
export function toEntry(row: EntryRow): WaitingEntry {
  const { request_hash: requestHash, kind, deadline_at: deadlineAt, on_deadline: onDeadline } = row;
  return {
    ...{ runId: asRunId(row.run_id), number: row.number, flow: row.flow, sourcePath: row.source_path, name: row.name },
    ...(row.key === noKey || requestHash === null || !isKind(kind)
      ? { message: requestHash === null ? row.title : damagedRequest(row.number) }
      : { key: row.key, requestHash, kind, message: row.title }),
    askedAt: row.asked_at ?? 0,
    ...(row.is_permission === 1 ? { isPermission: true } : {}),
    ...(deadlineAt === null ? {} : { deadlineAt }),
    ...(isPolicy(onDeadline) ? { onDeadline } : {}),
    ...(row.reminded_at === null ? {} : { remindedAt: row.reminded_at }),
  };
}

export function toDue({ run_id, name, key, request_hash: requestHash, on_deadline }: DueRow): DueAsk {
  return { runId: asRunId(run_id), name, key, requestHash, onDeadline: isPolicy(on_deadline) ? on_deadline : 'remind' };
}

/** Converts a row. A damaged request is described in `message`. */
export function toAsk(row: AskRow): StoredAsk {
  const { name, key, request_hash: requestHash, request, title, asked_at, is_answered } = row;
  const ask = { name, message: title, askedAt: asked_at ?? 0, isAnswered: is_answered !== 0 };
  if (requestHash === null || request === null) return ask;
  const asked = readRequest(request);
  return asked === undefined
    ? { ...ask, message: damagedRequest(row.number) }
    : { ...ask, asked: { key, requestHash, request: asked } };
}

/** Parses a stored request; undefined for a damaged one. Only `WaitingProjection` writes requests. */
function readRequest(text: string): AskRequest | undefined {
  try {
    const request = JSON.parse(text) as AskRequest | null;
    return isKind(request?.kind) ? (request as AskRequest) : undefined;
  } catch {
    return undefined;
  }
}

function damagedRequest(number: number): string {
  return `The stored request is damaged and cannot be answered. Cancel or delete run #${number}.`;
}

function isKind(value: unknown): value is AskRequest['kind'] {
  return value === 'approval' || value === 'input';
}

const policies: ReadonlySet<unknown> = new Set<DeadlinePolicy>(['approve', 'reject', 'fail', 'remind']);

function isPolicy(value: unknown): value is DeadlinePolicy {
  return policies.has(value);
}
