/**
 * Reads a CSV file with a header as rows by column, for code that must not misread a damaged file.
 */
import type { JsonMap } from '../../../language/json/json-value.ts';
import { csvOptions, parseCsv } from './csv.ts';

/**
 * Returns the rows, whose values are texts; or why the file cannot be used, as a sentence. The separator can be a comma,
 * a semicolon or a tab. Missing cells are empty.
 */
export function readCsvTable(text: string): { readonly rows: readonly JsonMap[] } | { readonly problem: string } {
  const source = text.replace(/^\uFEFF/, '');
  const problems: string[] = [];
  const options = csvOptions('a dataset', { delimiter: delimiterOf(source) });
  const { headers, rows } = parseCsv(source, options, (problem) => problems.push(problem));
  const repeated = headers.find((name, index) => headers.indexOf(name) !== index);
  if (repeated !== undefined) problems.push(`Two columns have the name "${repeated}". Rename one of them.`);
  if (source.includes('\uFFFD')) problems.push('The file is not UTF-8. Save it as UTF-8.');
  const [problem] = problems;
  if (problem !== undefined) return { problem };
  return { rows: rows.map((cells) => Object.fromEntries(headers.map((name, index) => [name, cells[index] ?? '']))) };
}

/** Returns the separator that occurs most in the header. Spreadsheets write others than a comma in many countries. */
function delimiterOf(text: string): string {
  const [header = ''] = text.split(/\r?\n|\r/, 1);
  const count = (sign: string): number => header.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ',');
}
