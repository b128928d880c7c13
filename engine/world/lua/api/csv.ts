/**
 * `aip.csv`: reads and writes CSV.
 */
import { luaSequence, requiredString } from '../api-arguments.ts';
import type { ApiModule, LuaValue } from '../api-module.ts';
import { type CsvOptions, csvOptions, csvRow, parseCsv, parseCsvRow } from '../formats/csv.ts';
import { scriptError } from '../script-error.ts';

function rowText(name: string, values: LuaValue, options: CsvOptions): string {
  const items = luaSequence(values);
  if (items === undefined) throw scriptError(`${name} - values must be a table (list)`);
  return csvRow(items, options);
}

function rowTexts(lists: LuaValue, given: LuaValue): readonly string[] {
  const name = 'aip.csv.value_lists_to_rows';
  const items = luaSequence(lists);
  if (items === undefined) throw scriptError(`${name} - value_lists must be a table (list of lists)`);
  const options = csvOptions(name, given);
  return items.map((item, at) => rowText(`Row ${at + 1}: ${name}`, item, options));
}

export const csvApi: ApiModule = {
  name: 'csv',
  summary:
    'Reads and writes CSV. `CsvOptions` is `{ delimiter = ",", quote = "\\"", escape?, trim_fields = false, has_header = true, header_labels? = { key = label }, skip_empty_lines = true, comment?, skip_header_row = false }`.',
  members: [
    {
      name: 'parse_row',
      signature: 'parse_row(text: string, options?: CsvOptions) -> string[]',
      summary: 'Returns the fields of the first row of a CSV string. Only options about fields apply.',
      call: ([text, options]) => parseCsvRow(requiredString(text, 1), csvOptions('aip.csv.parse_row', options)),
    },
    {
      name: 'parse',
      signature: 'parse(text: string, options?: CsvOptions) -> { headers: string[], rows: string[][] }',
      summary:
        'Returns the header and the rows of a CSV string. The first row is the header unless `has_header` is false. Headers that are labels in `header_labels` are replaced by their keys. Rows with only blank fields are skipped unless `skip_empty_lines` is false. Logs a warning if a quote is never closed, or if the only column looks like several columns with another delimiter.',
      call: ([text, options], { host }) =>
        parseCsv(requiredString(text, 1), csvOptions('aip.csv.parse', options), (sentence) =>
          host('log', { level: 'warn', text: sentence }),
        ),
    },
    {
      name: 'values_to_row',
      signature: 'values_to_row(values: any[], options?: CsvOptions) -> string',
      summary:
        'Returns a list of values as a CSV row without a line break. `null` becomes an empty field and tables become JSON. Fields are quoted if necessary.',
      call: ([values, options]) => {
        const name = 'aip.csv.values_to_row';
        return rowText(name, values, csvOptions(name, options));
      },
    },
    {
      name: 'value_lists_to_rows',
      signature: 'value_lists_to_rows(value_lists: any[][], options?: CsvOptions) -> string[]',
      summary:
        'Like `values_to_row`, for each list in a list. Raises an error with the row number if a row is not a list.',
      call: ([lists, options]) => rowTexts(lists, options),
    },
  ],
};
