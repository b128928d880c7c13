/**
 * A list of records as a table: its columns, and the rows that are shown after filtering and sorting.
 */
import { csvText } from '../../ui/csv-text.ts';
import { isLargeValue, isRecord } from '../../ui/value-parts.ts';
import { jsonText, shortText } from './json-text.ts';

export interface TableColumn {
  /** The key in the records. Null for the items of a mixed list that are not records. */
  readonly key: string | null;
  /** Whether all known values are numbers. */
  readonly isNumeric: boolean;
  /** Pixels, from the length of the first values. */
  readonly width: number;
}

export interface TableColumns {
  readonly columns: readonly TableColumn[];
  /** Number of keys that have no column because there are too many. */
  readonly omittedCount: number;
}

export interface TableSort {
  /** Index of the column. */
  readonly column: number;
  readonly isDescending: boolean;
}

/** Records may have any number of different keys. */
const mostColumns = 200;
/** Rows that decide whether a list is a table and how wide its columns are. */
const sampledRows = 200;
const letterWidth = 7;
const cellPadding = 20;
const [narrowest, widest] = [64, 280];

function isRow(item: unknown): boolean {
  return isRecord(item) && !isLargeValue(item) && Object.keys(item).length > 0;
}

/** Returns whether a value is a list of mostly records. */
export function isRecordList(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  const sample = value.slice(0, sampledRows);
  return sample.filter(isRow).length * 2 >= sample.length;
}

/** Returns a cell's value. Undefined if the record does not have the key. */
export function cellOf(row: unknown, { key }: Pick<TableColumn, 'key'>): unknown {
  if (!isRow(row)) return key === null ? row : undefined;
  return key !== null && Object.hasOwn(row as object, key) ? (row as Record<string, unknown>)[key] : undefined;
}

/** Returns the columns in the order in which their keys first occur. */
export function columnsOf(rows: readonly unknown[]): TableColumns {
  const keys = new Set<string | null>();
  for (const row of rows) {
    if (isRow(row)) for (const key of Object.keys(row as object)) keys.add(key);
    else keys.add(null);
  }
  const sample = rows.slice(0, sampledRows);
  const columns = [...keys].slice(0, mostColumns).map((key) => columnOf(key, sample));
  return { columns, omittedCount: keys.size - columns.length };
}

function columnOf(key: string | null, sample: readonly unknown[]): TableColumn {
  const values = sample.map((row) => cellOf(row, { key })).filter((value) => value !== undefined);
  const longest = values.reduce(
    (length: number, value) => Math.max(length, shortText(value, widest / letterWidth).length),
    key?.length ?? 0,
  );
  const width = Math.round(Math.min(widest, Math.max(narrowest, longest * letterWidth + cellPadding)));
  return { key, isNumeric: values.length > 0 && values.every((value) => typeof value === 'number'), width };
}

/** Values of different types are sorted by type. Missing values come last in both directions. */
const typeOrder = { number: 0, string: 1, boolean: 2, object: 3, missing: 4 } as const;

type SortKey = readonly [order: number, key: number | string];

function sortKeyOf(value: unknown): SortKey {
  if (value === undefined || value === null) return [typeOrder.missing, 0];
  if (typeof value === 'number') return [typeOrder.number, value];
  if (typeof value === 'string') return [typeOrder.string, value.toLowerCase()];
  if (typeof value === 'boolean') return [typeOrder.boolean, Number(value)];
  return [typeOrder.object, shortText(value, 200)];
}

function compareKeys([orderA, a]: SortKey, [orderB, b]: SortKey): number {
  if (orderA !== orderB) return orderA - orderB;
  return a < b ? -1 : a > b ? 1 : 0;
}

function sorted(shown: readonly number[], rows: readonly unknown[], column: TableColumn, sign: 1 | -1): number[] {
  const keys = new Map(shown.map((index) => [index, sortKeyOf(cellOf(rows[index], column))]));
  return [...shown].sort((left, right) => {
    const [a, b] = [keys.get(left), keys.get(right)];
    if (a === undefined || b === undefined) return 0;
    const isMissing = a[0] === typeOrder.missing || b[0] === typeOrder.missing;
    return compareKeys(a, b) * (isMissing ? 1 : sign);
  });
}

/** Returns whether a value contains a text, regardless of case. */
export function matcherOf(query: string): (value: unknown) => boolean {
  const pattern = new RegExp(query.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'i');
  return (value) => {
    if (value === undefined) return false;
    return pattern.test(typeof value === 'string' ? value : jsonText(value));
  };
}

interface TableQuery {
  readonly query: string;
  readonly sort: TableSort | null;
}

/** Returns the indexes of the rows to show, in order. */
export function shownRows(
  rows: readonly unknown[],
  columns: readonly TableColumn[],
  { query, sort }: TableQuery,
): readonly number[] {
  const matches = matcherOf(query);
  const shown: number[] = [];
  for (const [index, row] of rows.entries()) {
    if (query === '' || columns.some((column) => matches(cellOf(row, column)))) shown.push(index);
  }
  const column = sort === null ? undefined : columns[sort.column];
  return sort === null || column === undefined ? shown : sorted(shown, rows, column, sort.isDescending ? -1 : 1);
}

/** A spreadsheet runs text that starts like this as a formula. */
function csvCell(value: unknown): string | number | null | undefined {
  return value === undefined || value === null || typeof value === 'number' || typeof value === 'string'
    ? value
    : jsonText(value);
}

/**
 * Returns rows as CSV text with a header.
 * @param itemName header of the column without a key
 */
export function tableCsv(rows: readonly unknown[], columns: readonly TableColumn[], itemName: string): string {
  return csvText([
    columns.map(({ key }) => key ?? itemName),
    ...rows.map((row) => columns.map((column) => csvCell(cellOf(row, column)))),
  ]);
}
