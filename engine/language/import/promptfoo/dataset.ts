/**
 * Decides whether the rows of a CSV file can stay in it, as a dataset: all rows need the same expectations.
 */
import { isJsonList, type JsonMap } from '../../json/json-value.ts';
import { binding } from '../texts.ts';
import { listOf, mapOf } from './config-values.ts';
import { expectedColumns, isVariable, testOfRow } from './csv-tests.ts';
import { arePlain, textOf } from './templates.ts';

/** A dataset, and the test that each of its rows is. */
export interface RowsAsDataset {
  readonly from: string;
  readonly columns: readonly string[];
  readonly vars: JsonMap;
  readonly name: string | undefined;
  readonly test: JsonMap;
}

interface CsvRows {
  readonly path: string;
  readonly rows: readonly JsonMap[];
}

/** Returns the dataset; undefined if the rows must become cases. */
export function rowsAsDataset({ path, rows }: CsvRows, usual: JsonMap): RowsAsDataset | undefined {
  const [first] = rows;
  if (first === undefined || !rows.every(isPlainRow)) return undefined;
  const columns = Object.keys(first).filter(isVariable);
  const assertions = expectedColumns(first).map((column) => sharedAssertion(column, rows));
  const shared = mapOf(usual['vars']);
  const all = [...listOf(usual['assert']), ...assertions.filter((one) => one !== undefined)];
  if (assertions.includes(undefined) || typeof usual['vars'] === 'string' || !areFixed(shared)) return undefined;
  if (!canBind(JSON.stringify(all), new Set(columns))) return undefined;
  const descriptions = rows.filter((row) => textOf(row['__description']).trim() !== '').length;
  if (descriptions > 0 && descriptions < rows.length) return undefined;
  return {
    from: path,
    columns,
    vars: Object.fromEntries(Object.entries(shared).filter(([name]) => !columns.includes(name))),
    name: descriptions > 0 ? binding(['row', '__description']) : undefined,
    test: { assert: assertions.filter((one) => one !== undefined) },
  };
}

const ownColumns = /^__(?:expected\d*|description)$/;

/** Whether a row has only values, without templates, files and settings. */
function isPlainRow(row: JsonMap): boolean {
  return Object.entries(row).every(([column, value]) => {
    const text = textOf(value);
    if (!isVariable(column) && !ownColumns.test(column)) return text.trim() === '';
    return !text.includes('{{') && !text.startsWith('file://');
  });
}

/** Values that are the same in each case: no lists, files or templates. */
function areFixed(vars: JsonMap): boolean {
  return Object.values(vars).every((value) => !isJsonList(value) && !/^file:|\{\{/.test(textOf(value)));
}

/** Returns the assertion that a column contains in all rows; undefined if they differ in more than the expected text. */
function sharedAssertion(column: string, rows: readonly JsonMap[]): JsonMap | undefined {
  const cells = rows.map((row) => textOf(row[column]));
  const [first = ''] = cells;
  if (cells.some((cell) => cell === '' || cell !== cell.trim())) return undefined;
  const ofCell = (cell: string): JsonMap => (testOfRow({ __expected: cell })['assert'] as readonly JsonMap[])[0] ?? {};
  if (cells.every((cell) => cell === first)) return ofCell(first);
  const arePlainTexts = cells.every((cell) => ofCell(cell)['type'] === 'equals' && ofCell(cell)['value'] === cell);
  return arePlainTexts ? { type: 'equals', value: `{{${column}}}` } : undefined;
}

/** Whether templates in assertions can be bindings to a row: patterns and lists need the value itself. */
function canBind(assertions: string, columns: ReadonlySet<string>): boolean {
  const found = [...assertions.matchAll(/\{\{-?\s*([^}]*?)\s*-?\}\}/g)].map(([, inner = '']) => inner.split('|'));
  const usesColumns = found.some(([path = '']) => columns.has(path.trim().split('.')[0] ?? ''));
  if (usesColumns && /"(?:not-)?(?:regex|starts-with|i?contains-(?:all|any)|word-count)"/.test(assertions))
    return false;
  return !/\{%/.test(assertions) && found.every(([, ...filters]) => arePlain(filters.map((name) => name.trim())));
}
