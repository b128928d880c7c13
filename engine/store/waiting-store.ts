/**
 * What waits for people in all runs, as the table `waiting` has it. What was answered, and no run has taken up yet, does not wait.
 */
import { asRunId, type RunId } from '../base/ids.ts';
import type { AskRequest, DeadlinePolicy } from '../kernel/ask.ts';
import { askedOfConversation } from '../kernel/ask-request.ts';
import type { Db } from './db.ts';
import { safeNumber } from './run-row.ts';
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
  /** Null where nothing was asked, or the request is damaged. */
  readonly kind: unknown;
  readonly is_permission: number | null;
  readonly title: string;
  readonly asked_at: number | null;
  readonly deadline_at: number | null;
  readonly on_deadline: unknown;
  readonly reminded_at: number | null;
}

type DueRow = Pick<EntryRow, 'run_id' | 'name' | 'on_deadline'> & {
  readonly key: string;
  readonly request_hash: string;
};

interface AskRow {
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

/** The request, null where it is damaged: reading a damaged one would fail with all rows beside it. */
const soundRequest = 'CASE WHEN json_valid(request) THEN request END';

/** A conversation answers for itself when one of its flows waits for another. */
const isOfPerson = `json_extract(${soundRequest}, '$.schema."${askedOfConversation}"') IS NOT 1`;

/** Makes it on a database that has been migrated. */
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

function toEntry(row: EntryRow): WaitingEntry {
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

function toDue({ run_id, name, key, request_hash: requestHash, on_deadline }: DueRow): DueAsk {
  return { runId: asRunId(run_id), name, key, requestHash, onDeadline: isPolicy(on_deadline) ? on_deadline : 'remind' };
}

function toAsk(row: AskRow): StoredAsk {
  const { name, key, request_hash: requestHash, request, title, asked_at, is_answered } = row;
  const ask = { name, message: title, askedAt: asked_at ?? 0, isAnswered: is_answered !== 0 };
  if (requestHash === null || request === null) return ask;
  const asked = readRequest(request);
  return asked === undefined
    ? { ...ask, message: damagedRequest(row.number) }
    : { ...ask, asked: { key, requestHash, request: asked } };
}

/** Written by `WaitingProjection` alone: what is not a request has been damaged, and gives undefined. */
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
