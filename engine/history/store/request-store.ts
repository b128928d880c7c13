/**
 * Stores requests to the process that executes a run. Only that process writes the run's log, so other processes record
 * here what they want it to do.
 */
import { EngineError } from '../../base/engine-error.ts';
import { asRunId, type RunId } from '../../base/ids.ts';
import type { RunResumedEvent } from '../../runtime/kernel/events/run-event.ts';
import type { Breakpoint, BreakpointsByFile, HeldAnswer, NamedHeldAnswer } from '../../runtime/kernel/hub/run-pause.ts';
import type { Db, TxDb } from './db.ts';

/**
 * What the owner of a run is requested to do. A run stays paused as long as the request to pause it is open; a request
 * for a step lets its next node start. A suspended run that a person has let continue has a request for that until it
 * continues.
 */
export type RunRequestKind = 'cancel' | 'pause' | 'step' | 'continue';

/** The higher limits of a run's budget, and who has set them. */
export type BudgetRaise = Required<Pick<RunResumedEvent, 'raised'>> & Pick<RunResumedEvent, 'by'>;

/** Open requests. A request stays open until its run ends, also if the run is interrupted or suspended before that. */
export interface RunRequestStore {
  /**
   * Records a request at `at` (epoch milliseconds). A request of the same kind that is already open is kept.
   * @returns false if the run is neither queued nor running, so that no process would handle the request
   * @throws EngineError `run.not-found` | `store.full` | `store.write-failed`
   */
  add(runId: RunId, kind: RunRequestKind, at: number): boolean;
  /** Withdraws the request to pause a run, which then continues. @throws EngineError `store.full` | `store.write-failed` */
  letGo(runId: RunId): void;
  /** Withdraws a request, if it is open. @throws EngineError `store.full` | `store.write-failed` */
  remove(runId: RunId, kind: RunRequestKind): void;
  /** Returns whether a request is open. */
  has(runId: RunId, kind: RunRequestKind): boolean;
  /** Returns the runs that have an open request, the oldest request first. */
  runsWith(kind: RunRequestKind): readonly RunId[];
  /**
   * Records what a person has given a held node, and withdraws the request to pause the run.
   * @param given with the node's full name. @throws EngineError `store.full` | `store.write-failed`
   */
  give(runId: RunId, given: NamedHeldAnswer): void;
  /** Returns what people have given the held nodes of a run, by full name. Kept until the run ends. */
  answersOf(runId: RunId): ReadonlyMap<string, HeldAnswer>;
  /** Records that a person has raised the budget of a run, until the run ends. @throws EngineError as `give` does */
  raise(runId: RunId, raise: BudgetRaise): void;
  /** Returns how a person has raised the budget of a run for the last time. The run's log may not contain it yet. */
  raiseOf(runId: RunId): BudgetRaise | undefined;
  /** Returns the breakpoints with which a run was started, by file. Kept until the run ends. */
  breakpointsOf(runId: RunId): ReadonlyMap<string, readonly Breakpoint[]>;
}

function letGo(tx: TxDb, runId: RunId): void {
  tx.run(
    `INSERT INTO run_request (run, kind, requested_at)
     SELECT run, 'continue', requested_at FROM run_request JOIN run ON run.id = run_request.run
     WHERE run_id = ? AND run_request.kind = 'pause' AND status = 'suspended' ON CONFLICT DO NOTHING`,
    runId,
  );
  tx.run(
    "DELETE FROM run_request WHERE run = (SELECT id FROM run WHERE run_id = ?) AND kind IN ('pause', 'step')",
    runId,
  );
}

type PauseRowKind = 'answer' | 'breakpoints' | 'raise';

const putPauseRow = `INSERT INTO run_pause (run, kind, name, value) SELECT id, ?, ?, ? FROM run WHERE run_id = ?
  ON CONFLICT DO UPDATE SET value = excluded.value`;

function pauseRows<Value>(db: Db, runId: RunId, kind: PauseRowKind): ReadonlyMap<string, Value> {
  const rows = db.all<{ name: string; value: string }>(
    'SELECT name, value FROM run_pause WHERE run = (SELECT id FROM run WHERE run_id = ?) AND kind = ?',
    runId,
    kind,
  );
  return new Map(rows.map(({ name, value }) => [name, JSON.parse(value) as Value]));
}

/** Keeps the breakpoints of a run that is being recorded, by file. */
export function keepBreakpoints(tx: TxDb, runId: RunId, byFile: BreakpointsByFile): void {
  for (const [path, list] of Object.entries(byFile))
    tx.run(putPauseRow, 'breakpoints', path, JSON.stringify(list), runId);
}

/** Creates the store on a migrated database. */
export function createRunRequestStore(db: Db): RunRequestStore {
  return {
    add: (runId, kind, at) =>
      db.execTx((tx) => {
        const run = tx.get<{ id: number; status: string }>('SELECT id, status FROM run WHERE run_id = ?', runId);
        if (run === undefined) {
          throw new EngineError({ code: 'run.not-found', message: `Run ${runId} is not in this history.` });
        }
        if (run.status !== 'queued' && run.status !== 'running') return false;
        tx.run(
          'INSERT INTO run_request (run, kind, requested_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
          run.id,
          kind,
          at,
        );
        return true;
      }),
    letGo: (runId) => db.execTx((tx) => letGo(tx, runId)),
    remove: (runId, kind) =>
      db.execTx((tx) => {
        tx.run('DELETE FROM run_request WHERE run = (SELECT id FROM run WHERE run_id = ?) AND kind = ?', runId, kind);
      }),
    give: (runId, { name, answer }) =>
      db.execTx((tx) => {
        tx.run(putPauseRow, 'answer', name, JSON.stringify(answer), runId);
        letGo(tx, runId);
      }),
    raise: (runId, raise) => db.execTx((tx) => void tx.run(putPauseRow, 'raise', '', JSON.stringify(raise), runId)),
    raiseOf: (runId) => pauseRows<BudgetRaise>(db, runId, 'raise').get(''),
    answersOf: (runId) => pauseRows(db, runId, 'answer'),
    breakpointsOf: (runId) => pauseRows(db, runId, 'breakpoints'),
    has: (runId, kind) =>
      db.get(
        'SELECT 1 FROM run_request WHERE run = (SELECT id FROM run WHERE run_id = ?) AND kind = ?',
        runId,
        kind,
      ) !== undefined,
    runsWith: (kind) =>
      db
        .all<{ run_id: string }>(
          'SELECT run_id FROM run_request JOIN run ON run.id = run_request.run WHERE run_request.kind = ? ORDER BY run_request.id',
          kind,
        )
        .map(({ run_id }) => asRunId(run_id)),
  };
}
