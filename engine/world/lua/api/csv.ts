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
      summary: 'The fields of the first row of a text. Of the options, those for fields count.',
      call: ([text, options]) => parseCsvRow(requiredString(text, 1), csvOptions('aip.csv.parse_row', options)),
    },
    {
      name: 'parse',
      signature: 'parse(text: string, options?: CsvOptions) -> { headers: string[], rows: string[][] }',
      summary:
        'The header and the rows of a CSV text. The first row is the header unless `has_header` is false; a header that `header_labels` has as a label becomes its key. Rows of blank fields are left out unless `skip_empty_lines` is false. Logs a warning for a quote that is never closed, and for one column that looks like several with another delimiter.',
      call: ([text, options], { host }) =>
        parseCsv(requiredString(text, 1), csvOptions('aip.csv.parse', options), (sentence) =>
          host('log', { level: 'warn', text: sentence }),
        ),
    },
    {
      name: 'values_to_row',
      signature: 'values_to_row(values: any[], options?: CsvOptions) -> string',
      summary:
        'A list of values as a CSV row, without a line end. `null` becomes an empty field, tables become JSON; fields are quoted where they must be.',
      call: ([values, options]) => {
        const name = 'aip.csv.values_to_row';
        return rowText(name, values, csvOptions(name, options));
      },
    },
    {
      name: 'value_lists_to_rows',
      signature: 'value_lists_to_rows(value_lists: any[][], options?: CsvOptions) -> string[]',
      summary: 'Like `values_to_row` for each of several lists. Raises with the number of the row that is no list.',
      call: ([lists, options]) => rowTexts(lists, options),
    },
  ],
};
