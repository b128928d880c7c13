/**
 * The columns of a dataset's table: what they run, their figures, and which one is best.
 */
import type { CaseResult, ListedCase } from '../../../engine/isomorphic.ts';
import { caseKey } from './case-list.ts';

/** What the rows of a column run with instead of the flow on screen and its own models. */
export interface ColumnSource {
  /** Branch, tag, commit, or a run as `runVersion` returns it. */
  readonly version?: string;
  readonly model?: string;
}

export interface DatasetColumn extends ColumnSource {
  /** Unique in the table. */
  readonly id: string;
  /** By key of the case. */
  readonly results: ReadonlyMap<string, CaseResult>;
}

/** The first column: the flow on screen with its own models. */
export const nowColumn = 'now';

export function columnId({ version = '', model = '' }: ColumnSource): string {
  return version === '' && model === '' ? nowColumn : `${version}\0${model}`;
}

/** The figures of a column. */
export interface ColumnSummary {
  readonly total: number;
  /** Rows with a result. */
  readonly done: number;
  readonly passed: number;
  /** Average of the rows that have one. */
  readonly score?: number;
  readonly tokens: number;
  /** US dollars; absent if no call has a known price. */
  readonly costUsd?: number;
  /** Absent if calls were replayed: the time of a replay is not the time of the calls. */
  readonly durationMs?: number;
}

/** Results change as a whole, so that the figures of a column are computed once for all views. */
const summaries = new WeakMap<DatasetColumn['results'], WeakMap<readonly ListedCase[], ColumnSummary>>();

export function summaryOf(rows: readonly ListedCase[], { results }: Pick<DatasetColumn, 'results'>): ColumnSummary {
  const byRows = summaries.get(results) ?? new WeakMap<readonly ListedCase[], ColumnSummary>();
  summaries.set(results, byRows);
  const known = byRows.get(rows) ?? sumUp(rows, results);
  byRows.set(rows, known);
  return known;
}

function sumUp(rows: readonly ListedCase[], results: DatasetColumn['results']): ColumnSummary {
  const known = rows.flatMap((row) => results.get(caseKey(row)) ?? []);
  const scores = known.flatMap(({ score }) => score ?? []);
  const costs = known.flatMap(({ use }) => use.costUsd ?? []);
  return {
    ...{ total: rows.length, done: known.length, passed: known.filter(({ isOk }) => isOk).length },
    ...(scores.length === 0 ? {} : { score: sum(scores) / scores.length }),
    tokens: sum(known.map(({ use }) => use.tokens)),
    ...(costs.length === 0 ? {} : { costUsd: sum(costs) }),
    ...(known.length > 0 && known.every(isTimed) ? { durationMs: sum(known.map(({ durationMs }) => durationMs)) } : {}),
  };
}

/** Returns whether the time of a result is the time of its calls: none of them was replayed. */
function isTimed({ use }: CaseResult): boolean {
  return use.replayed === 0;
}

/** Returns whether a case got no answer that checks could judge: it could not run, its run failed, or calls are missing. */
export function isError(result: CaseResult): boolean {
  const { error, checks } = result;
  return error !== undefined || checks.some(({ kind, isOk }) => !isOk && kind === 'status') || lacksRecording(result);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export type RowFilter = 'all' | 'failing' | 'differ';

/** Returns the rows that a filter shows. A row differs if its columns don't agree about the state or the score. */
export function filteredRows(
  rows: readonly ListedCase[],
  columns: readonly DatasetColumn[],
  filter: RowFilter,
): readonly ListedCase[] {
  if (filter === 'all') return rows;
  return rows.filter((row) => {
    const known = columns.flatMap(({ results }) => results.get(caseKey(row)) ?? []);
    if (filter === 'failing') return known.some(({ isOk }) => !isOk);
    return new Set(known.map(({ isOk, score }) => `${isOk} ${score}`)).size > 1;
  });
}

/** Smaller differences of averages come from rounding. */
const sameScore = 1e-9;

/** Returns a negative number if the first column is better: by score, then by passed rows, then by cost. */
function compareColumns(one: ColumnSummary, other: ColumnSummary): number {
  const byScore = (other.score ?? -1) - (one.score ?? -1);
  if (Math.abs(byScore) > sameScore) return byScore;
  if (one.passed !== other.passed) return other.passed - one.passed;
  // The cost of a model without a known price may be high.
  const [cost, otherCost] = [one.costUsd ?? Number.POSITIVE_INFINITY, other.costUsd ?? Number.POSITIVE_INFINITY];
  return cost === otherCost ? 0 : cost - otherCost;
}

export interface Winner {
  readonly column: DatasetColumn;
  readonly summary: ColumnSummary;
  /** Other columns with the same score, passed rows and cost. */
  readonly equal: readonly DatasetColumn[];
  /** The figures of the first column, if it is complete and not the winner. */
  readonly first?: ColumnSummary;
}

/** Returns the best of the columns in which all rows have run. Undefined if there are not at least two of them. */
export function winnerOf(rows: readonly ListedCase[], columns: readonly DatasetColumn[]): Winner | undefined {
  const complete = columns
    .map((column) => ({ column, summary: summaryOf(rows, column) }))
    .filter(({ summary }) => summary.total > 0 && summary.done === summary.total);
  if (complete.length < 2) return undefined;
  const [best] = complete.toSorted((one, other) => compareColumns(one.summary, other.summary));
  const first = complete.find(({ column }) => column.id === columns[0]?.id);
  if (best === undefined) return undefined;
  const others = complete.filter(({ column }) => column !== best.column);
  const equal = others.filter(({ summary }) => compareColumns(best.summary, summary) === 0).map(({ column }) => column);
  return { ...best, equal, ...(first === undefined || first.column === best.column ? {} : { first: first.summary }) };
}

/** Returns whether a call of the case, or of its judges, is missing in the recording. */
export function lacksRecording({ checks, error }: CaseResult): boolean {
  if (error?.code.startsWith('cassette.') === true) return true;
  return checks.some(
    ({ kind, isOk, score }) => !isOk && (kind === 'recording' || (kind === 'judge' && score === undefined)),
  );
}
