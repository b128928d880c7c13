/**
 * Writes CSV: fields are quoted where they must be, rows end with `\n`.
 */
import type { LuaValue } from '../api-module.ts';
import { type CsvOptions, defaultCsvOptions } from './csv-options.ts';

/** A value as a cell: nothing for nil and null, `true`, `false`, numbers as text, tables as JSON. */
export function cellText(value: LuaValue): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function fieldText(text: string, { delimiter, quote }: CsvOptions): string {
  const mustBeQuoted = [delimiter, quote, '\n', '\r'].some((sign) => text.includes(sign));
  return mustBeQuoted ? quote + text.replaceAll(quote, () => quote + quote) + quote : text;
}

/** A row without its line end. A row of one empty field is a pair of quotes, since an empty line is no row. */
export function csvRow(values: readonly LuaValue[], options: CsvOptions = defaultCsvOptions): string {
  const row = values.map((value) => fieldText(cellText(value), options)).join(options.delimiter);
  return row === '' && values.length === 1 ? options.quote + options.quote : row;
}

/**
 * A whole file: the header row (with `header_labels`), if there is one and it is not to be left out, then the rows.
 * @param headers empty = no header row
 */
export function csvText(
  { headers, rows }: { readonly headers: readonly string[]; readonly rows: readonly (readonly LuaValue[])[] },
  options: CsvOptions = defaultCsvOptions,
): string {
  const labels = headers.map((header) => options.headerLabels.get(header) ?? header);
  const hasHeaderRow = headers.length > 0 && !options.skipHeaderRow;
  const all = hasHeaderRow ? [labels, ...rows] : rows;
  return all.map((row) => `${csvRow(row, options)}\n`).join('');
}
