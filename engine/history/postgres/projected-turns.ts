/**
 * Converts a run's starts, ends and suspensions to changes of its row in PostgreSQL.
 */
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { changesRunRow, turnOf } from '../store/run-turns.ts';
import type { PgValue } from './pg-db.ts';
import type { RecordedRun } from './run-records.ts';

/** The result of all turns in a batch of events. Null leaves a column unchanged. */
export interface RowChange {
  readonly run: number;
  readonly status: string;
  readonly wait: string | null;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly duration_ms: number | null;
  readonly error: string | null;
  readonly failed_nodes: string | null;
  readonly spending: string | null;
  readonly part: string | null;
}

/** Returns how the events change the row of their run; undefined if they do not. */
export function rowChangeOf({ number, runId }: RecordedRun, events: readonly EventEnvelope[]): RowChange | undefined {
  let change: RowChange | undefined;
  for (const envelope of events) {
    const turn = changesRunRow(runId, envelope) ? turnOf(envelope) : undefined;
    if (turn === undefined) continue;
    const { status, ...rest } = turn;
    change = {
      ...(change ?? { ...unchanged, run: number }),
      ...rest,
      ...moreOf(envelope),
      status,
      // A run that starts, resumes or ends does not wait.
      wait: turn.wait ?? null,
    };
  }
  return change;
}

const unchanged = {
  started_at: null,
  ended_at: null,
  duration_ms: null,
  error: null,
  failed_nodes: null,
  spending: null,
  part: null,
};

/** Returns data that SQLite reads from the first and last event when it lists runs. */
function moreOf({ at, event }: EventEnvelope): Partial<Pick<RowChange, 'ended_at' | 'spending' | 'part'>> {
  switch (event.type) {
    case 'run:start':
      return event.kind === 'flow' || event.startedBy !== undefined
        ? { part: JSON.stringify([event.scope ?? null, event.pinned ?? null, event.startedBy ?? null]) }
        : {};
    case 'run:refused':
      return { ended_at: at };
    case 'run:end': {
      const { costUsd = null, unpricedCalls = null, reason = null, usage } = event;
      const tokens = usage === undefined ? [] : [usage.promptTokens, usage.completionTokens];
      return { ended_at: at, spending: JSON.stringify([costUsd, unpricedCalls, reason, ...tokens]) };
    }
    default:
      return {};
  }
}

const columns = [
  'status',
  'wait',
  'started_at',
  'ended_at',
  'duration_ms',
  'error',
  'failed_nodes',
  'spending',
  'part',
] as const;
const types: Readonly<Record<(typeof columns)[number], string>> = {
  status: 'text',
  wait: 'text',
  started_at: 'double precision',
  ended_at: 'bigint',
  duration_ms: 'double precision',
  error: 'text',
  failed_nodes: 'text',
  spending: 'text',
  part: 'text',
};

const parameters = columns.length + 1;

/** Returns the values of `turnedRows`: a list for each column. */
export function valuesOfChanges(changes: readonly RowChange[]): readonly PgValue[] {
  return [changes.map(({ run }) => run), ...columns.map((column) => changes.map((change) => change[column]))];
}

/**
 * Returns SQL that changes rows. A run that ends or is suspended has no owner.
 * @param first number of its first parameter. @param condition restricts the runs, by `turn.run`
 */
export function turnedRows(first: number, condition: string): string {
  const lists = ['bigint', ...columns.map((column) => types[column])].map(
    (type, i) => `unnest($${first + i}::${type}[])`,
  );
  const kept = columns.slice(2).map((column) => `${column} = coalesce(turn.${column}, run.${column})`);
  return `UPDATE millrace.run SET status = turn.status, wait = turn.wait, ${kept.join(', ')},
      owner = CASE WHEN turn.status = 'running' THEN run.owner END
    FROM ROWS FROM (${lists.join(', ')}) AS turn (run, ${columns.join(', ')})
    WHERE run.number = turn.run AND ${condition}`;
}

/** Number of parameters of `turnedRows`. */
export const turnedParameters = parameters;
