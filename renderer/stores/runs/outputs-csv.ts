/**
 * The outputs of a run as a table for spreadsheets.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../../engine/isomorphic.ts';

/** The column of values that have no fields. */
const valueColumn = 'value';
/** The column that names the output, where there are several. */
const outputColumn = 'output';

/** A list is a row for each item, anything else one row. */
function rowsOf(value: JsonValue): JsonMap[] {
  const items = isJsonList(value) ? value : [value];
  return items.map((item) => (isJsonMap(item) ? item : { [valueColumn]: item }));
}

/** What a spreadsheet would run as a formula gets a quote before it: outputs are often a model's or a server's. */
function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return isJsonList(value) || isJsonMap(value) ? JSON.stringify(value) : String(value);
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Outputs, by name, as CSV (RFC 4180) with a header; empty without any. */
export function outputsCsv(outputs: JsonMap): string {
  const all = Object.entries(outputs);
  const rows = all.flatMap(([name, value]) =>
    rowsOf(value).map((row): JsonMap => (all.length === 1 ? row : { [outputColumn]: name, ...row })),
  );
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0) return '';
  const lines = [columns, ...rows.map((row) => columns.map((column) => cellText(row[column])))];
  return lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('');
}
