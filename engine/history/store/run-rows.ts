/**
 * Reads rows of the `run` table. An unreadable row affects only itself.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { TxDb } from './db.ts';
import { keyColumns, type RunRow, runColumns } from './run-row.ts';
import { type RunListQuery, startedByTexts } from './run-store.ts';

/** Returns rows, newest first. */
export function listRows(
  db: TxDb,
  { sourcePath, status, startedBy, find = {}, limit }: RunListQuery,
): readonly RunRow[] {
  const wanted: readonly (readonly [condition: string, value: string | number | undefined])[] = [
    ['source_path = ?', sourcePath],
    ['status = ?', status],
    [`instr(lower(name || '\n' || source_path), lower(?)) > 0`, find.text],
    ['id = ?', find.number],
    ...(startedBy === undefined ? [] : startedByTexts(startedBy)).map(
      (text) => ['instr(started_by, ?) > 0', text] as const,
    ),
  ];
  const conditions = wanted.filter((entry): entry is [string, string | number] => entry[1] !== undefined);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([condition]) => condition).join(' AND ')}`;
  return readRows(db, `${where} ORDER BY id DESC LIMIT ?`, [...conditions.map(([, value]) => value), limit]);
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
