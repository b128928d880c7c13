/**
 * What waits for people in all runs, as the table `waiting` has it. What was answered, and no run has taken up yet, does not wait.
 */
import { asRunId, type RunId } from '../base/ids.ts';
import type { AskRequest, DeadlinePolicy } from '../kernel/ask.ts';
import { askedOfConversation } from '../kernel/ask-request.ts';
import type { Db } from './db.ts';
import { noKey } from './waiting-projection.ts';

/** Something that waits, without what only whoever answers has to see. */
export interface WaitingEntry {
  readonly runId: RunId;
  /** Of the run, as people name it. */
  readonly number: number;
  /** Name of the flow or agent. */
  readonly flow: string;
  /** Path of its file relative to the workspace, with `/`. */
  readonly sourcePath: string;
  /** Full name of the node, as an answer names it. */
  readonly name: string;
  /** These three are absent where the question is whether what a crash has cut may run again. */
  readonly key?: string;
  readonly requestHash?: string;
  readonly kind?: AskRequest['kind'];
  /** It waits for a permission, which no answer gives. */
  readonly isPermission?: true;
  /** What is asked, for people, in a line. */
  readonly message: string;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  /** Epoch milliseconds; and what is done then. */
  readonly deadlineAt?: number;
  readonly onDeadline?: DeadlinePolicy;
  /** When the deadline had the person told again, in epoch milliseconds. */
  readonly remindedAt?: number;
}

/** A question of one run. */
export interface StoredAsk {
  readonly name: string;
  /** Absent where the question is whether what a crash has cut may run again. */
  readonly asked?: { readonly key: string; readonly requestHash: string; readonly request: AskRequest };
  readonly message: string;
  readonly askedAt: number;
  /** Somebody has answered, and the run has not taken it up. */
  readonly isAnswered: boolean;
}

/** Which questions of a run. */
export interface WaitingQuery {
  readonly name?: string | undefined;
  readonly key?: string | undefined;
}

export interface WaitingStore {
  /** At most `limit`: those whose deadline comes first, then those without one, the oldest first. */
  list(limit: number): readonly WaitingEntry[];
  /** Those of one run, in the order in which they were asked; large parts of requests as handles. */
  ofRun(runId: RunId, query?: WaitingQuery): readonly StoredAsk[];
  /** Whether something that the run asks was answered, and the run has not taken it up. */
  hasNews(runId: RunId): boolean;
  /** The runs of which that is so. */
  runsWithNews(): readonly RunId[];
  /** Those whose deadline has come, and has not done anything yet. @param now epoch milliseconds */
  due(now: number): readonly DueAsk[];
  /** The first deadline after a time; undefined when there is none. Both in epoch milliseconds. */
  nextDeadline(after: number): number | undefined;
  /** The deadline has the person told again. False when it has done so before. @throws EngineError `store.*` */
  remind(ask: DueAsk, now: number): boolean;
}

/** A question whose deadline has come. */
export interface DueAsk {
  readonly runId: RunId;
  readonly name: string;
  readonly key: string;
  readonly requestHash: string;
  readonly onDeadline: DeadlinePolicy;
}

interface EntryRow {
  readonly run_id: string;
  readonly number: number;
  readonly flow: string;
  readonly source_path: string;
  readonly name: string;
  readonly key: string;
  readonly request_hash: string | null;
  readonly kind: AskRequest['kind'] | null;
  readonly is_permission: number | null;
  readonly title: string;
  readonly asked_at: number;
  readonly deadline_at: number | null;
  readonly on_deadline: DeadlinePolicy | null;
  readonly reminded_at: number | null;
}

type DueRow = Pick<EntryRow, 'run_id' | 'name' | 'on_deadline'> & {
  readonly key: string;
  readonly request_hash: string;
};

interface AskRow {
  readonly name: string;
  readonly key: string;
  readonly request_hash: string | null;
  readonly request: string | null;
  readonly title: string;
  readonly asked_at: number;
  readonly is_answered: number;
}

const isAnswered = `EXISTS (
  SELECT 1 FROM answer WHERE answer.run = waiting.run AND answer.name = waiting.name AND answer.key = waiting.key
    AND answer.request_hash = waiting.request_hash
)`;

/** A conversation answers for itself when one of its flows waits for another. */
const isOfPerson = `json_extract(request, '$.schema."${askedOfConversation}"') IS NOT 1`;

/** Makes it on a database that has been migrated. */
export function createWaitingStore(db: Db): WaitingStore {
  return {
    list: (limit) =>
      db
        .all<EntryRow>(
          `SELECT run.run_id, run.id AS number, run.name AS flow, run.source_path, waiting.name, key, request_hash,
             json_extract(request, '$.kind') AS kind, json_type(request, '$.permission') IS NOT NULL AS is_permission, title, asked_at, deadline_at,
             json_extract(request, '$.onDeadline') AS on_deadline, reminded_at
           FROM waiting JOIN run ON run.id = waiting.run WHERE NOT ${isAnswered} AND ${isOfPerson}
           ORDER BY deadline_at NULLS LAST, asked_at, waiting.id LIMIT ?`,
          limit,
        )
        .map(toEntry),
    ofRun: (runId, { name, key } = {}) =>
      db
        .all<AskRow>(
          `SELECT name, key, request_hash, request, title, asked_at, ${isAnswered} AS is_answered FROM waiting
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
          `SELECT run_id, waiting.name, key, request_hash, json_extract(request, '$.onDeadline') AS on_deadline
           FROM waiting JOIN run ON run.id = waiting.run
           WHERE deadline_at <= ? AND reminded_at IS NULL AND NOT ${isAnswered} ORDER BY deadline_at, waiting.id`,
          now,
        )
        .map(toDue),
    nextDeadline: (after) =>
      db.get<{ deadline_at: number }>(
        `SELECT deadline_at FROM waiting WHERE deadline_at > ? AND NOT ${isAnswered} ORDER BY deadline_at LIMIT 1`,
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

function toEntry(row: EntryRow): WaitingEntry {
  const { request_hash: requestHash, kind, deadline_at: deadlineAt, on_deadline: onDeadline } = row;
  return {
    ...{ runId: asRunId(row.run_id), number: row.number, flow: row.flow, sourcePath: row.source_path, name: row.name },
    ...(row.key === noKey || requestHash === null || kind === null ? {} : { key: row.key, requestHash, kind }),
    ...{ message: row.title, askedAt: row.asked_at },
    ...(row.is_permission === 1 ? { isPermission: true } : {}),
    ...(deadlineAt === null ? {} : { deadlineAt }),
    ...(onDeadline === null ? {} : { onDeadline }),
    ...(row.reminded_at === null ? {} : { remindedAt: row.reminded_at }),
  };
}

function toDue({ run_id, name, key, request_hash: requestHash, on_deadline }: DueRow): DueAsk {
  return { runId: asRunId(run_id), name, key, requestHash, onDeadline: on_deadline ?? 'remind' };
}

function toAsk({ name, key, request_hash: requestHash, request, title, asked_at, is_answered }: AskRow): StoredAsk {
  const ask = { name, message: title, askedAt: asked_at, isAnswered: is_answered !== 0 };
  if (requestHash === null || request === null) return ask;
  // Written by `WaitingProjection` alone.
  return { ...ask, asked: { key, requestHash, request: JSON.parse(request) as AskRequest } };
}
