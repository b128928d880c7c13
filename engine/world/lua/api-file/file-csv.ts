/**
 * `aip.file` functions that write CSV.
 */
import { asMap, luaSequence, requiredString, stringList } from '../api-arguments.ts';
import type { ApiContext, LuaValue, NativeFunction } from '../api-module.ts';
import { type CsvOptions, cellText, csvOptions, csvText } from '../formats/csv.ts';
import { scriptError } from '../script-error.ts';
import { infoWithScriptPath } from './file-arguments.ts';

type CsvRow = readonly LuaValue[];

function rowsOf(name: string, value: LuaValue): readonly CsvRow[] {
  const lists = luaSequence(value);
  if (lists === undefined) throw scriptError(`${name} - the rows must be a list of lists`);
  return lists.map((list, at) => {
    const row = luaSequence(list);
    if (row === undefined) throw scriptError(`${name} - row ${at + 1} is not a list`);
    return row;
  });
}

interface CsvTable {
  readonly headers: readonly string[];
  readonly rows: readonly CsvRow[];
}

/**
 * Accepts a list of rows, where the first is the header if `has_header` is set, or a table with `headers` and `rows`.
 */
function tableOf(name: string, value: LuaValue, options: CsvOptions): CsvTable {
  const map = asMap(value);
  if (map !== undefined && ('headers' in map || 'rows' in map)) {
    return { headers: stringList(map['headers'] ?? [], name), rows: rowsOf(name, map['rows'] ?? []) };
  }
  const [first, ...rest] = rowsOf(name, value);
  if (options.hasHeader !== true || first === undefined)
    return { headers: [], rows: first === undefined ? [] : [first, ...rest] };
  return { headers: first.map(cellText), rows: rest };
}

function recordsTable(name: string, records: LuaValue, keys: readonly string[]): CsvTable {
  const items = luaSequence(records);
  if (items === undefined) throw scriptError(`${name} - the records must be a list of tables`);
  const rows = items.map((item) => {
    const record = asMap(item);
    if (record === undefined) throw scriptError('Records must be a list of tables');
    return keys.map((key) => record[key]);
  });
  return { headers: keys, rows };
}

function write(
  path: LuaValue,
  { text, mode }: { readonly text: string; readonly mode: 'overwrite' | 'append' },
  { host }: ApiContext,
): LuaValue {
  const given = requiredString(path, 1);
  return infoWithScriptPath(host('file.write', { path: given, content: text, mode }).info, given);
}

function appendRows(path: LuaValue, rows: readonly CsvRow[], options: CsvOptions, context: ApiContext): LuaValue {
  return write(path, { text: csvText({ headers: [], rows }, options), mode: 'append' }, context);
}

export const fileCsvMembers: readonly NativeFunction[] = [
  {
    name: 'save_as_csv',
    signature:
      'save_as_csv(path: string, data: any[][] | { headers?: string[], rows?: any[][] }, options?: CsvOptions) -> FileInfo',
    summary:
      'Writes rows as CSV. In a list of rows, the first is the header only with `has_header = true`. Nil and `null` become empty cells, and tables become JSON.',
    call: ([path, data, given], context) => {
      const name = 'aip.file.save_as_csv';
      const options = csvOptions(name, given);
      return write(path, { text: csvText(tableOf(name, data, options), options), mode: 'overwrite' }, context);
    },
  },
  {
    name: 'save_records_as_csv',
    signature:
      'save_records_as_csv(path: string, records: table[], header_keys: string[], options?: CsvOptions) -> FileInfo',
    summary: 'Writes a list of tables as CSV, with one column for each key.',
    call: ([path, records, keys, given], context) => {
      const name = 'aip.file.save_records_as_csv';
      const options = csvOptions(name, given);
      const table = recordsTable(name, records, stringList(keys, name));
      return write(path, { text: csvText(table, options), mode: 'overwrite' }, context);
    },
  },
  {
    name: 'append_csv_rows',
    signature: 'append_csv_rows(path: string, value_lists: any[][], options?: CsvOptions) -> FileInfo',
    summary: 'Appends rows to a CSV file. Never writes a header.',
    call: ([path, lists, given], context) => {
      const name = 'aip.file.append_csv_rows';
      return appendRows(path, rowsOf(name, lists), csvOptions(name, given), context);
    },
  },
  {
    name: 'append_csv_row',
    signature: 'append_csv_row(path: string, values: any[], options?: CsvOptions) -> FileInfo',
    summary: 'Appends a row to a CSV file.',
    call: ([path, values, given], context) => {
      const name = 'aip.file.append_csv_row';
      const row = luaSequence(values);
      if (row === undefined) throw scriptError(`${name} - the values must be a list`);
      return appendRows(path, [row], csvOptions(name, given), context);
    },
  },
];
