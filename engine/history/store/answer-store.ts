/**
 * Stores people's answers to runs' requests. Only the first answer counts; later callers get an error that names its
 * author.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';
import { deadlineName } from '../../runtime/kernel/requests/ask-deadline.ts';
import type { Db, TxDb } from './db.ts';
import { damagedRun, isMap, parsedJson, safeNumber } from './run-row.ts';

export interface AnswerStore {
  /**
   * Records an answer if it is the first one. The answer is durable when the function returns.
   * @throws EngineError `run.not-found`; `run.invalid-state` if the request was already answered (`details`: `by`,
   * `at`) or the run has ended; `store.full` | `store.write-failed`
   */
  claim(runId: RunId, answer: ReceivedAnswer): void;
  /** Records an answer and calls `also` in the same transaction. Returns the result of `also`. */
  claimWith<T>(runId: RunId, answer: ReceivedAnswer, also: (tx: TxDb) => T): T;
  /** Returns all answers of a run in chronological order. */
  list(runId: RunId): readonly ReceivedAnswer[];
}

interface AnswerRow {
  /** Row number of the run. */
  readonly run: number;
  readonly name: string;
  readonly key: string;
  readonly request_hash: string;
  readonly payload: string;
  readonly answered_by: string | null;
  readonly answered_at: number | null;
}

/** Creates the store on a migrated database. */
export function createAnswerStore(db: Db): AnswerStore {
  return {
    claim(runId, answer) {
      db.execTx((tx) => insertAnswer(tx, runId, answer));
    },
    claimWith: (runId, answer, also) =>
      db.execTx((tx) => {
        insertAnswer(tx, runId, answer);
        return also(tx);
      }),
    list: (runId) =>
      db
        .all<AnswerRow>(
          `SELECT run, name, key, request_hash, payload, answered_by, ${safeNumber('answered_at')} FROM answer
           WHERE run = (SELECT id FROM run WHERE run_id = ?) ORDER BY id`,
          runId,
        )
        .map((row) => toAnswer(row) ?? refuseDamaged(db.file, row)),
  };
}

function insertAnswer(tx: TxDb, runId: RunId, { name, key, requestHash, payload, by, at }: ReceivedAnswer): void {
  const run = tx.get<{ id: number; status: string }>('SELECT id, status FROM run WHERE run_id = ?', runId);
  if (run === undefined) {
    throw new EngineError({ code: 'run.not-found', message: `Run ${runId} is not in this history.` });
  }
  if (run.status !== 'running' && run.status !== 'suspended') {
    throw new EngineError({
      code: 'run.invalid-state',
      message: `Run ${runId} is ${run.status} and is not waiting for an answer.`,
    });
  }
  const { changes } = tx.run(
    `INSERT INTO answer (run, name, key, request_hash, payload, answered_by, answered_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    run.id,
    name,
    key,
    requestHash,
    JSON.stringify(payload),
    by ?? null,
    at,
  );
  if (changes > 0) return;
  const first = tx.get<AnswerRow>(
    `SELECT run, name, key, request_hash, payload, answered_by, ${safeNumber('answered_at')} FROM answer
     WHERE run = ? AND name = ? AND key = ? AND request_hash = ?`,
    run.id,
    name,
    key,
    requestHash,
  );
  throw alreadyAnswered(runId, (first && toAnswer(first)) ?? { name });
}

/** Returns the error for a second answer, with the author and time of the first one in `details`. */
export function alreadyAnswered(runId: RunId, { name, by, at }: Partial<ReceivedAnswer>): EngineError {
  const who = by === undefined ? '' : by === deadlineName ? ' by its deadline' : ` by ${by}`;
  const when = at === undefined ? '' : ` on ${new Date(at).toISOString()}`;
  return new EngineError({
    code: 'run.invalid-state',
    message: `"${name}" of run ${runId} was already answered${who}${when}. The first answer is kept.`,
    details: { ...(by === undefined ? {} : { by }), ...(at === undefined ? {} : { at }) },
  });
}

/** Converts a row to an answer; undefined for a damaged one. Only `claim` writes answers. */
function toAnswer({ name, key, request_hash: requestHash, payload, answered_by: by, answered_at: at }: AnswerRow) {
  const given = parsedJson(payload);
  if (!isMap(given)) return undefined;
  const answer = { name, key, requestHash, payload: given as JsonMap, at: at ?? 0 };
  return by === null ? answer : { ...answer, by };
}

function refuseDamaged(file: string | null, { run, name }: AnswerRow): never {
  throw damagedRun(file ?? 'the history in memory', run, `the answer to "${name}" is not valid JSON`);
}
