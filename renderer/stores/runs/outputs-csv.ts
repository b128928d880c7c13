/**
 * Converts a run's outputs to a table for spreadsheets.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../../engine/isomorphic.ts';

/** Column for values without fields. */
const valueColumn = 'value';
/** Column for the name of the output, if there are several. */
const outputColumn = 'output';

/** A list becomes one row per item, any other value one row. */
function rowsOf(value: JsonValue): JsonMap[] {
  const items = isJsonList(value) ? value : [value];
  return items.map((item) => (isJsonMap(item) ? item : { [valueColumn]: item }));
}

/**
 * Prefixes formulas with a quote, so that a spreadsheet does not execute them. Outputs often come from a model or a
 * server.
 */
function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return isJsonList(value) || isJsonMap(value) ? JSON.stringify(value) : String(value);
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Converts outputs, by name, to CSV (RFC 4180) with a header. Empty if there are none. */
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
