/**
 * Stores answers and requests to the owners of runs in PostgreSQL, until someone has delivered them.
 */
import { EngineError } from '../../base/engine-error.ts';
import { asRunId, type RunId } from '../../base/ids.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';
import { alreadyAnswered } from '../store/answer-store.ts';
import type { RunRequestKind } from '../store/request-store.ts';
import { isMap, parsedJson } from '../store/run-row.ts';
import type { PgDb, PgQueries } from './pg-db.ts';
import { notFound } from './run-records.ts';
import { decodeText, encodeText } from './safe-text.ts';
import { serverNow } from './schema.ts';
import type { DurableHost, RunRequest, UndeliveredAnswer } from './shared-history.ts';
import { answerPlaceOf, WaitingReads } from './waiting-table.ts';

interface HostColumns {
  readonly run_id: string;
  readonly host_engine: string | null;
  readonly host_reference: string | null;
}

interface AnswerRow {
  readonly name: string;
  readonly key: string;
  readonly request_hash: string;
  readonly payload: string;
  readonly answered_by: string | null;
  readonly answered_at: number;
}

interface LockedRun {
  readonly number: number;
  readonly status: string;
  readonly wait: string | null;
  readonly host_engine: string | null;
}

/** The kinds of requests about starting nodes. The latest one counts. */
const holdKinds: readonly RunRequestKind[] = ['pause', 'continue', 'step'];

const answerColumns = 'answer.name, key, request_hash, payload, answered_by, answered_at';

/** The runs to look for: those of durable hosts, or those with a log in one local history. */
export type Owner = 'durable' | { readonly home: string };

/** Notifies other processes of a change, at the end of the transaction. */
export type Announce = (queries: PgQueries, change: 'answers' | 'requests') => Promise<void>;

/** Answers and requests of one workspace. */
export class RunAnswers {
  readonly #db: PgDb;
  readonly #workspace: number;
  readonly #announce: Announce;

  constructor(db: PgDb, { workspace, announce }: { readonly workspace: number; readonly announce: Announce }) {
    this.#db = db;
    this.#workspace = workspace;
    this.#announce = announce;
  }

  /** @throws EngineError as `SharedHistory.claimAnswer` */
  async claim(runId: RunId, answer: ReceivedAnswer): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const run = await this.#lockRun(tx, runId);
      // A retry after a lost connection, after which it is unknown whether the transaction was committed.
      if (await this.#isStored(tx, run.number, answer)) return;
      if (run.status !== 'running' && run.status !== 'suspended' && run.status !== 'queued')
        throw invalidState(`Run ${runId} is ${run.status} and is not waiting for an answer.`);
      const open = await WaitingReads.lockOpen(tx, run.number, answer);
      if (open === undefined) throw invalidState(`The request of "${answer.name}" of run ${runId} is no longer open.`);
      await this.#insert(tx, run.number, answer, open.askedSeq);
      await this.#announce(tx, 'answers');
    });
  }

  /** Returns all answers of a run in chronological order. */
  static async list(queries: PgQueries, workspace: number, runId: RunId): Promise<readonly ReceivedAnswer[]> {
    const rows = await queries.rows<AnswerRow>(
      `SELECT ${answerColumns} FROM millrace.answer JOIN millrace.run ON run.number = answer.run
       WHERE run.run_id = $1 AND run.workspace = $2 ORDER BY id`,
      [runId, workspace],
    );
    return rows.map(toAnswer);
  }

  async undelivered(of: Owner, limit: number): Promise<readonly UndeliveredAnswer[]> {
    const [condition, owner] = conditionOf(of, '$3');
    const rows = await this.#db.prepared<AnswerRow & HostColumns & { readonly id: number; readonly asked_seq: number }>(
      `SELECT id, asked_seq, run_id, host_engine, host_reference, ${answerColumns}
       FROM millrace.answer JOIN millrace.run ON run.number = answer.run
       WHERE delivered_at IS NULL AND run.workspace = $1 AND ${condition} ORDER BY id LIMIT $2`,
      [this.#workspace, limit, ...owner],
    );
    return rows.map((row) => ({ id: row.id, ...subjectOf(row), answer: toAnswer(row), askedSeq: row.asked_seq }));
  }

  async markDelivered(ids: readonly number[]): Promise<void> {
    await this.#db.run(
      `UPDATE millrace.answer SET delivered_at = ${serverNow} WHERE id = ANY ($1::bigint[]) AND delivered_at IS NULL`,
      [ids],
    );
  }

  async reject(id: number): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const removed = await tx.run('DELETE FROM millrace.answer WHERE id = $1 AND delivered_at IS NULL', [id]);
      if (removed > 0) await this.#announce(tx, 'answers');
    });
  }

  /** @throws EngineError as `SharedHistory.request` */
  async request(runId: RunId, kind: RunRequestKind, by: string | undefined): Promise<boolean> {
    return await this.#db.transaction(async (tx) => {
      const run = await this.#lockRun(tx, runId);
      if (!(await canTake(tx, run, kind))) return false;
      // What a person has requested before no longer counts.
      if (kind !== 'cancel')
        await tx.run(
          'DELETE FROM millrace.run_request WHERE run = $1 AND done_at IS NULL AND kind = ANY ($2::text[]) AND kind <> $3',
          [run.number, holdKinds, kind],
        );
      const added = await tx.run(
        `INSERT INTO millrace.run_request (run, kind, requested_by, requested_at) VALUES ($1, $2, $3, ${serverNow})
         ON CONFLICT DO NOTHING`,
        [run.number, kind, by === undefined ? null : encodeText(by)],
      );
      if (added > 0) await this.#announce(tx, 'requests');
      return true;
    });
  }

  async openRequests(of: Owner, limit: number): Promise<readonly RunRequest[]> {
    const [condition, owner] = conditionOf(of, '$3');
    const rows = await this.#db.prepared<
      HostColumns & {
        readonly id: number;
        readonly kind: RunRequestKind;
        readonly requested_by: string | null;
        readonly requested_at: number;
      }
    >(
      `SELECT id, run_id, run_request.kind, host_engine, host_reference, requested_by, requested_at
       FROM millrace.run_request JOIN millrace.run ON run.number = run_request.run
       WHERE done_at IS NULL AND run_request.kind IN ('cancel', 'pause', 'continue', 'step') AND run.workspace = $1
         AND ${condition} ORDER BY id LIMIT $2`,
      [this.#workspace, limit, ...owner],
    );
    return rows.map((row) => ({
      ...{ id: row.id, kind: row.kind, ...subjectOf(row), at: row.requested_at },
      ...(row.requested_by === null ? {} : { by: decodeText(row.requested_by) }),
    }));
  }

  async markDone(ids: readonly number[]): Promise<void> {
    await this.#db.run(
      `UPDATE millrace.run_request SET done_at = ${serverNow} WHERE id = ANY ($1::bigint[]) AND done_at IS NULL`,
      [ids],
    );
  }

  /** The lock keeps the run's row until the answer is stored. */
  async #lockRun(tx: PgQueries, runId: RunId): Promise<LockedRun> {
    const [row] = await tx.rows<LockedRun>(
      'SELECT number, status, wait, host_engine FROM millrace.run WHERE run_id = $1 AND workspace = $2 FOR SHARE',
      [runId, this.#workspace],
    );
    if (row === undefined) throw notFound(runId);
    return row;
  }

  async #isStored(tx: PgQueries, run: number, answer: ReceivedAnswer): Promise<boolean> {
    const former = await this.#find(tx, run, answer);
    if (former === undefined) return false;
    const isSame =
      former.by === answer.by &&
      former.at === answer.at &&
      JSON.stringify(former.payload) === JSON.stringify(answer.payload);
    if (!isSame) throw alreadyAnswered(await runIdOf(tx, run), former);
    return true;
  }

  async #find(tx: PgQueries, run: number, answer: ReceivedAnswer): Promise<ReceivedAnswer | undefined> {
    const [row] = await tx.rows<AnswerRow>(
      `SELECT ${answerColumns} FROM millrace.answer WHERE run = $1 AND place = $2`,
      [run, answerPlaceOf(answer, answer.requestHash)],
    );
    return row && toAnswer(row);
  }

  async #insert(tx: PgQueries, run: number, answer: ReceivedAnswer, askedSeq: number): Promise<void> {
    const { name, key, requestHash, payload, by, at } = answer;
    const added = await tx.run(
      `INSERT INTO millrace.answer (run, place, name, key, request_hash, payload, answered_by, answered_at, asked_seq)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
      [
        ...[run, answerPlaceOf(answer, requestHash), encodeText(name), encodeText(key), requestHash],
        ...[JSON.stringify(payload), by === undefined ? null : encodeText(by), at, askedSeq],
      ],
    );
    // Another process was first. The insertion has waited for the end of its transaction.
    if (added === 0) await this.#isStored(tx, run, answer);
  }
}

/** Returns whether a run's owner can do what is requested. Only runs of durable hosts can be paused from elsewhere. */
async function canTake(tx: PgQueries, run: LockedRun, kind: RunRequestKind): Promise<boolean> {
  const { number, status, wait } = run;
  const isActive = status === 'queued' || status === 'running';
  if (!isActive && status !== 'suspended') return false;
  if (kind === 'cancel') return true;
  if (run.host_engine === null) return false;
  if (kind === 'pause') return isActive;
  if (wait === 'PAUSED') return true;
  // Its nodes may still be running, so it is not suspended yet.
  const [last] = await tx.rows<{ kind: RunRequestKind }>(
    'SELECT kind FROM millrace.run_request WHERE run = $1 AND kind = ANY ($2::text[]) ORDER BY id DESC LIMIT 1',
    [number, holdKinds],
  );
  return last !== undefined && last.kind !== 'continue';
}

async function runIdOf(tx: PgQueries, number: number): Promise<RunId> {
  const [row] = await tx.rows<{ run_id: string }>('SELECT run_id FROM millrace.run WHERE number = $1', [number]);
  return asRunId(row?.run_id ?? '');
}

function conditionOf(of: Owner, parameter: string): readonly [condition: string, values: readonly string[]] {
  return of === 'durable'
    ? ['run.host_engine IS NOT NULL', []]
    : [`run.host_engine IS NULL AND run.home = ${parameter}`, [of.home]];
}

function subjectOf({ run_id, host_engine, host_reference }: HostColumns): { runId: RunId; host?: DurableHost } {
  const runId = asRunId(run_id);
  if (host_engine === null) return { runId };
  return { runId, host: { engine: host_engine, ...(host_reference === null ? {} : { reference: host_reference }) } };
}

/** A damaged payload becomes an empty one, which no request accepts. */
function toAnswer(row: AnswerRow): ReceivedAnswer {
  const payload = parsedJson(row.payload);
  return {
    name: decodeText(row.name),
    key: decodeText(row.key),
    requestHash: row.request_hash,
    payload: isMap(payload) ? (payload as JsonMap) : {},
    at: row.answered_at,
    ...(row.answered_by === null ? {} : { by: decodeText(row.answered_by) }),
  };
}

function invalidState(message: string): EngineError {
  return new EngineError({ code: 'run.invalid-state', message });
}
