/**
 * Converts a run's outputs to a table for spreadsheets.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../../engine/isomorphic.ts';
import { csvText } from '../../ui/csv-text.ts';

/** Column for values without fields. */
const valueColumn = 'value';
/** Column for the name of the output, if there are several. */
const outputColumn = 'output';

/** A list becomes one row per item, any other value one row. */
function rowsOf(value: JsonValue): JsonMap[] {
  const items = isJsonList(value) ? value : [value];
  return items.map((item) => (isJsonMap(item) ? item : { [valueColumn]: item }));
}

function cellText(value: JsonValue | undefined): string | number | null | undefined {
  return isJsonList(value) || isJsonMap(value) || typeof value === 'boolean' ? JSON.stringify(value) : value;
}

/** Converts outputs, by name, to CSV (RFC 4180) with a header. Empty if there are none. */
export function outputsCsv(outputs: JsonMap): string {
  const all = Object.entries(outputs);
  const rows = all.flatMap(([name, value]) =>
    rowsOf(value).map((row): JsonMap => (all.length === 1 ? row : { [outputColumn]: name, ...row })),
  );
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0) return '';
  return csvText([columns, ...rows.map((row) => columns.map((column) => cellText(row[column])))]);
}
