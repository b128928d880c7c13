/**
 * A list of records as a table: its columns, and the rows that are shown after filtering and sorting.
 */
import { csvText } from '../../ui/csv-text.ts';
import { isLargeValue, isRecord } from '../../ui/value-parts.ts';
import { valueKey } from './distinct-values.ts';
import { isIterationList, isSkipMarker, iterationTitle } from './iterations.ts';
import { jsonText, shortText } from './json-text.ts';

export interface TableColumn {
  /** The keys that lead to the value in a record. Empty for the items of a mixed list that are not records. */
  readonly keys: readonly string[];
  /** The last keys, as many as it takes to differ from the other columns. Null for the column of whole items. */
  readonly title: string | null;
  /** Whether the columns of its fields show a value that is a record. */
  readonly isSplit: boolean;
  /** Whether its cells are the lengths of the texts and lists in the column to its right. */
  readonly isLength: boolean;
  /** Whether its cells are the numbers of the rows in the list, from 1. */
  readonly isPosition: boolean;
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
/** Fields of nested records have separate columns down to this level, for example `outputs.draft.text`. */
const mostLevels = 3;
/** A record with more different fields is a map, not a part of the row, and stays one value. */
const mostFields = 30;
/** Rows that decide whether a list is a table and how wide its columns are. */
const sampledRows = 200;
const letterWidth = 7;
/** Titles are bolder. */
const titleLetterWidth = 8;
const cellPadding = 20;
/** Of the button beside the name of a column. */
const menuWidth = 12;
const [narrowest, widest] = [64, 280];
const narrowestNumber = 40;
/** Pixels for the title of a column of lengths with its arrow. */
const lengthWidth = 84;
/** Characters of a text that the widest cell shows. */
const shownCharacters = Math.floor(widest / letterWidth);

function isRow(item: unknown): boolean {
  return isRecord(item) && !isLargeValue(item) && Object.keys(item).length > 0;
}

/** Returns whether a value is a list of mostly records. */
export function isRecordList(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  const sample = value.slice(0, sampledRows);
  return sample.filter(isRow).length * 2 >= sample.length;
}

/** Returns a text that identifies a column in its table. */
export function columnId({ keys, isLength, isPosition }: TableColumn): string {
  if (isPosition) return '#';
  return `${JSON.stringify(keys)}${isLength ? ' length' : ''}`;
}

/** Returns the column of the numbers of rows. */
export function positionColumn(rowCount: number): TableColumn {
  const width = Math.max(narrowestNumber, String(rowCount).length * titleLetterWidth + cellPadding + 2);
  return { keys: [], title: '#', isSplit: false, isLength: false, isPosition: true, isNumeric: true, width };
}

/**
 * Returns what a cell shows: its value, or the number of characters or items in that value.
 * @param index of the row in the list, which only the column of the numbers needs
 */
export function cellOf(row: unknown, column: TableColumn, index = -1): unknown {
  if (column.isPosition) return index + 1;
  const value = valueAt(row, column);
  if (!column.isLength) return value;
  return typeof value === 'string' || Array.isArray(value) ? value.length : undefined;
}

/** Returns a cell's value. Undefined if the record does not have the key, or other columns show the value. */
export function valueAt(row: unknown, { keys, isSplit }: ColumnPlace): unknown {
  if (keys.length === 0) return isRow(row) ? undefined : row;
  let value: unknown = row;
  for (const key of keys) {
    if (!isRow(value) || !Object.hasOwn(value as object, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return isSplit && isRow(value) ? undefined : value;
}

/** The fields of records at one place, in the order in which they first occur. */
interface FieldTree {
  /** Whether there are values here that are not records. */
  hasValues: boolean;
  readonly fields: Map<string, FieldTree>;
}

/** @param isOfLoop whether the records are the iterations of a loop */
function addFields(tree: FieldTree, value: unknown, level: number, isOfLoop: boolean): void {
  // A skipped node has no fields. A node that all items have skipped has one column.
  if (isOfLoop && level === 2 && isSkipMarker(value)) return;
  if (level >= mostLevels || !isRow(value)) {
    tree.hasValues = true;
    return;
  }
  for (const [key, field] of Object.entries(value as object)) {
    const next = tree.fields.get(key) ?? { hasValues: false, fields: new Map() };
    tree.fields.set(key, next);
    addFields(next, field, level + 1, isOfLoop);
  }
}

type ColumnPlace = Pick<TableColumn, 'keys' | 'isSplit'>;

function placesOf({ hasValues, fields }: FieldTree, keys: readonly string[]): readonly ColumnPlace[] {
  const isSplit = keys.length === 0 || (fields.size > 0 && fields.size <= mostFields);
  if (!isSplit) return [{ keys, isSplit }];
  const ofFields = [...fields].flatMap(([key, field]) => placesOf(field, [...keys, key]));
  return hasValues ? [...ofFields, { keys, isSplit }] : ofFields;
}

/** Returns the columns in the order in which their keys first occur. Those of one record are side by side. */
export function columnsOf(rows: readonly unknown[]): TableColumns {
  const tree: FieldTree = { hasValues: false, fields: new Map() };
  const isOfLoop = isIterationList(rows);
  for (const row of rows) addFields(tree, row, 0, isOfLoop);
  // Items that have skipped all nodes have no outputs.
  const all = placesOf(tree, []).filter(({ keys }) => !(isOfLoop && keys.join('.') === 'outputs'));
  const places = all.slice(0, mostColumns);
  const counts = new Map<string, number>();
  for (const { keys } of places)
    for (const ending of endingsOf(keys)) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  const sample = rows.slice(0, sampledRows);
  const columns = places.flatMap((place) => {
    const endings = endingsOf(place.keys);
    const title = isOfLoop
      ? iterationTitle(place.keys)
      : (endings.find((ending) => counts.get(ending) === 1) ?? endings.at(-1) ?? null);
    return columnsAt(place, title, sample);
  });
  return { columns, omittedCount: all.length - places.length };
}

/** Returns the last key, the last two keys, and so on. */
function endingsOf(keys: readonly string[]): readonly string[] {
  return keys.map((_, index) => keys.slice(keys.length - 1 - index).join('.'));
}

/** Returns the column for a place and, if cells are too narrow for its texts or lists, one for their lengths. */
function columnsAt(place: ColumnPlace, title: string | null, sample: readonly unknown[]): readonly TableColumn[] {
  const values = sample.map((row) => valueAt(row, place)).filter((value) => value !== undefined);
  const longest = values.reduce(
    (length: number, value) => Math.max(length, shortText(value, shownCharacters).length),
    0,
  );
  const name = (title?.length ?? 0) * titleLetterWidth + menuWidth;
  const content = Math.max(longest * letterWidth, name) + cellPadding;
  const width = Math.round(Math.min(widest, Math.max(narrowest, content)));
  const isNumeric = values.length > 0 && values.every((value) => typeof value === 'number');
  const column = { ...place, title, isLength: false, isPosition: false, isNumeric, width };
  return values.some(isCut) ? [{ ...column, isLength: true, isNumeric: true, width: lengthWidth }, column] : [column];
}

function isCut(value: unknown): boolean {
  if (typeof value === 'string') return value.length > shownCharacters;
  return Array.isArray(value) && shortText(value, shownCharacters).length > shownCharacters;
}

/** Different texts of a column that have the same length, which none exceeds. */
export interface SameLength {
  readonly column: TableColumn;
  readonly count: number;
  readonly length: number;
}

/** Fewer texts may have the same length by chance. */
const fewestSame = 3;

/** Limits on the length of texts are nearly always such numbers. */
function isLikelyLimit(length: number): boolean {
  return length > shownCharacters && (length % 50 === 0 || Number.isInteger(Math.log2(length)) || length === 255);
}

/** Returns the columns whose longest texts a limit has probably cut. */
export function sameLengths(rows: readonly unknown[], columns: readonly TableColumn[]): readonly SameLength[] {
  return columns.flatMap((column) => {
    if (!column.isLength) return [];
    const texts = rows.map((row) => valueAt(row, column)).filter((value) => typeof value === 'string');
    const length = texts.reduce((longest, text) => Math.max(longest, text.length), 0);
    if (!isLikelyLimit(length)) return [];
    const same = texts.filter((text) => text.length === length);
    const isOfAll = same.length === texts.length;
    return isOfAll || new Set(same).size < fewestSame ? [] : [{ column, count: same.length, length }];
  });
}

/** Values of different types are sorted by type. Missing values come last in both directions. */
const typeOrder = { number: 0, string: 1, boolean: 2, object: 3, missing: 4 } as const;

/** Texts that differ only in case are side by side, but not mixed. */
type SortKey = readonly [order: number, key: number | string, exact?: string];

function sortKeyOf(value: unknown): SortKey {
  if (value === undefined || value === null) return [typeOrder.missing, 0];
  if (typeof value === 'number') return [typeOrder.number, value];
  if (typeof value === 'string') return [typeOrder.string, value.toLowerCase(), value];
  if (typeof value === 'boolean') return [typeOrder.boolean, Number(value)];
  return [typeOrder.object, shortText(value, 200)];
}

function compareKeys([orderA, a, exactA = '']: SortKey, [orderB, b, exactB = '']: SortKey): number {
  if (orderA !== orderB) return orderA - orderB;
  if (a === b) return exactA < exactB ? -1 : exactA > exactB ? 1 : 0;
  return a < b ? -1 : 1;
}

function sorted(shown: readonly number[], rows: readonly unknown[], column: TableColumn, sign: 1 | -1): number[] {
  const keys = new Map(shown.map((index) => [index, sortKeyOf(cellOf(rows[index], column, index))]));
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

/** Keeps the rows with one value in a column. */
export interface OnlyValue {
  readonly column: TableColumn;
  readonly value: unknown;
}

interface TableQuery {
  readonly query: string;
  readonly sort: TableSort | null;
  readonly only?: OnlyValue | null;
}

/** Returns the indexes of the rows to show, in order. */
export function shownRows(
  rows: readonly unknown[],
  columns: readonly TableColumn[],
  { query, sort, only = null }: TableQuery,
): readonly number[] {
  const matches = matcherOf(query);
  // Digits of a length that are part of it would match by chance.
  const isMatch = (value: unknown, { isLength, isPosition }: TableColumn) =>
    isLength || isPosition ? String(value) === query : matches(value);
  const wanted = only === null ? '' : valueKey(only.value);
  const shown: number[] = [];
  for (const [index, row] of rows.entries()) {
    if (only !== null && valueKey(cellOf(row, only.column)) !== wanted) continue;
    if (query === '' || columns.some((column) => isMatch(cellOf(row, column, index), column))) shown.push(index);
  }
  const column = sort === null ? undefined : columns[sort.column];
  return sort === null || column === undefined ? shown : sorted(shown, rows, column, sort.isDescending ? -1 : 1);
}

function csvCell(value: unknown): string | number | null | undefined {
  return value === undefined || value === null || typeof value === 'number' || typeof value === 'string'
    ? value
    : jsonText(value);
}

/**
 * Returns rows as CSV text with a header. Numbers of rows and lengths are not part of the data.
 * @param itemName header of the column without a key
 */
export function tableCsv(rows: readonly unknown[], shown: readonly TableColumn[], itemName: string): string {
  const columns = shown.filter(({ isLength, isPosition }) => !(isLength || isPosition));
  return csvText([
    columns.map(({ keys }) => (keys.length === 0 ? itemName : keys.join('.'))),
    ...rows.map((row) => columns.map((column) => csvCell(cellOf(row, column)))),
  ]);
}
