/**
 * Reads rows of the `run` table. An unreadable row affects only itself.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { TxDb } from './db.ts';
import { groupsOfRun, keyColumns, type RunRow, runColumns } from './run-row.ts';
import { mostSearchedRuns, type RunListQuery, startedByTexts } from './run-store.ts';

type Condition = readonly [sql: string, ...values: (string | number)[]];

/** Statuses that an interrupted run may be stored with. */
const openStatuses: readonly (string | undefined)[] = ['queued', 'running', 'interrupted'];

/**
 * Returns rows, newest first. If the query's status is one that an interrupted run may be stored with, returns all rows
 * with any of them, and the caller chooses.
 */
export function listRows(db: TxDb, query: RunListQuery): readonly RunRow[] {
  const { below, limit, find: { content } = {} } = query;
  const matching = conditionsOf(query);
  const searched: readonly Condition[] = content === undefined ? matching : [newestOf(matching), holdsText(content)];
  const conditions: readonly Condition[] = below === undefined ? searched : [['id < ?', below], ...searched];
  const mostRows = openStatuses.includes(query.status) ? -1 : limit;
  return readRows(db, `${whereOf(conditions)} ORDER BY id DESC LIMIT ?`, [...valuesOf(conditions), mostRows]);
}

function conditionsOf(query: RunListQuery): readonly Condition[] {
  const { sourcePath, status, startedBy, label, since, until, find = {} } = query;
  const conditions: readonly (Condition | undefined)[] = [
    sourcePath === undefined ? undefined : ['source_path = ?', sourcePath],
    status === undefined || openStatuses.includes(status) ? undefined : ['status = ?', status],
    openStatuses.includes(status) ? ["status IN ('queued', 'running')"] : undefined,
    label === undefined ? undefined : ['id IN (SELECT run FROM run_label WHERE label = ?)', label],
    since === undefined ? undefined : ['started_at >= ?', since],
    until === undefined ? undefined : ['started_at < ?', until],
    find.text === undefined ? undefined : [`instr(lower(name || '\n' || source_path), lower(?)) > 0`, find.text],
    find.number === undefined ? undefined : ['id = ?', find.number],
    ...(startedBy === undefined ? [] : startedByTexts(startedBy)).map(
      (text): Condition => ['instr(started_by, ?) > 0', text],
    ),
  ];
  return conditions.filter((one) => one !== undefined);
}

function whereOf(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`;
}

function valuesOf(conditions: readonly Condition[]): readonly (string | number)[] {
  return conditions.flatMap(([, ...values]) => values);
}

/** Limits a search of texts, which may be large, to the newest runs. */
function newestOf(conditions: readonly Condition[]): Condition {
  const where = whereOf(conditions);
  return [`id IN (SELECT id FROM run ${where} ORDER BY id DESC LIMIT ${mostSearchedRuns})`, ...valuesOf(conditions)];
}

/** The output is in the last group of a run that has ended. A large one is stored as a value. */
function holdsText(content: string): Condition {
  const text = JSON.stringify(content).slice(1, -1);
  const holds = (column: string): string => `instr(lower(${column}), lower(?)) > 0`;
  const sql = `(${holds('inputs')} OR ${holds('error')} OR (
    SELECT CASE WHEN json_valid(json) THEN ${holds("json -> '$[#-1].output'")} OR EXISTS (
      SELECT 1 FROM value WHERE hash = json ->> '$[#-1].output."$value"' AND ${holds('text')}
    ) END ${groupsOfRun} ORDER BY event_group.id DESC LIMIT 1
  ))`;
  return [sql, text, text, text, text];
}

export function findRow(db: TxDb, runId: RunId): RunRow | undefined {
  return readRows(db, 'WHERE run_id = ?', [runId])[0];
}

/** @param which the end of an SQL statement that reads the table `run` */
function readRows(db: TxDb, which: string, values: readonly (string | number)[]): readonly RunRow[] {
  try {
    return db.all<RunRow>(`SELECT ${runColumns} FROM run ${which}`, ...values);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  // One of the rows is on a damaged page, which must not affect the others.
  const ids = db.all<{ id: number }>(`SELECT id FROM run ${which}`, ...values);
  return ids.flatMap(({ id }) => readRow(db, runColumns, id) ?? readRow(db, keyColumns, id) ?? []);
}

function readRow(db: TxDb, columns: string, id: number): RunRow | undefined {
  try {
    return db.get<RunRow>(`SELECT ${columns} FROM run WHERE id = ?`, id);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** Returns whether the error means that the database or part of it cannot be read. */
export function isUnreadable(error: unknown): error is EngineError {
  return EngineError.is(error) && error.code === 'store.unreadable';
}
