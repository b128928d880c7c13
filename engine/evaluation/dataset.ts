/**
 * Turns the rows of a CSV or JSON Lines file into cases.
 */
import { EngineError } from '../base/engine-error.ts';
import type { BindingContext } from '../language/bindings/binding-path.ts';
import { resolveBindings } from '../language/bindings/bindings.ts';
import type { CaseDoc, DatasetDoc } from '../language/cases/case-doc.ts';
import type { InputDocs, InputType } from '../language/flow/flow-interface.ts';
import { parseJson } from '../language/json/exact-json.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../language/json/json-value.ts';
import { readCsvTable } from '../world/lua/formats/csv-table.ts';

/** A row, and why it cannot be used if so. */
export type DatasetRow = { readonly row: JsonMap } | { readonly problem: string };

/** Number of rows that are read. */
const mostRows = 100_000;

/** Reads the rows. One invalid row does not affect the others. @param path decides the format, and is for messages */
export function readRows(path: string, text: string): readonly DatasetRow[] {
  const rows = /\.(?:jsonl|ndjson)$/i.test(path) ? jsonRows(path, text) : csvRows(path, text);
  if (rows.length <= mostRows) return rows;
  throw new EngineError({
    code: 'test.bad-dataset',
    message: `${path} has ${rows.length.toLocaleString('en')} rows, but a dataset can have at most ${mostRows.toLocaleString('en')}. Split it.`,
  });
}

/** @throws EngineError `test.bad-dataset` */
function csvRows(path: string, text: string): readonly DatasetRow[] {
  const table = readCsvTable(text);
  if ('rows' in table) return table.rows.map((row) => ({ row }));
  throw new EngineError({ code: 'test.bad-dataset', message: `${path} cannot be used. ${table.problem}` });
}

function jsonRows(path: string, text: string): readonly DatasetRow[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.flatMap((line, index): readonly DatasetRow[] => {
    if (line.trim() === '') return [];
    const row = parseJson(line);
    if (isJsonMap(row)) return [{ row }];
    const what = row === undefined ? 'is not valid JSON' : 'is not a JSON object';
    return [{ problem: `${path}, line ${index + 1}: the row ${what}. Fix or delete it.` }];
  });
}

/**
 * Returns the case of a row.
 * @param index of the row, starting at 0
 * @param inputs the inputs that the flow declares
 * @throws EngineError `test.bad-row` for a binding to a column that does not exist
 */
export function caseOfRow(
  { from, map = {}, name, ...template }: DatasetDoc,
  row: JsonMap,
  { index, inputs = {} }: { readonly index: number; readonly inputs?: InputDocs },
): CaseDoc {
  const context: BindingContext = { get: (root) => (root === 'row' ? row : undefined) };
  const filled = filledIn(
    { ...template, ...(name === undefined ? {} : { name }) } as unknown as JsonMap,
    context,
    from,
  );
  const { name: title, ...rest } = filled as unknown as Partial<CaseDoc> & { readonly name?: JsonValue };
  const mapped = Object.entries(map).map(([input, column]) => {
    const value = Object.hasOwn(row, column) ? row[column] : undefined;
    if (value === undefined)
      throw badRow(
        from,
        `has no column "${column}", which \`map.${input}\` names. Columns: ${Object.keys(row).join(', ')}`,
      );
    return [input, typed(value, inputs[input]?.type)] as const;
  });
  const input =
    mapped.length === 0 ? rest.input : { ...(rest.input as JsonMap | undefined), ...Object.fromEntries(mapped) };
  return { ...rest, ...(input === undefined ? {} : { input }), name: titleOf(title, row, index) };
}

/** Returns the value of a text from CSV, which has no other types, if the flow declares a number or a boolean. */
function typed(value: JsonValue, type: InputType | undefined): JsonValue {
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && /^(?:true|false)$/i.test(value.trim())) return value.trim().toLowerCase() === 'true';
  if (type !== 'number' && type !== 'integer') return value;
  const number = parseJson(value.trim());
  return typeof number === 'number' ? number : value;
}

function titleOf(title: JsonValue | undefined, row: JsonMap, index: number): string {
  const value = title ?? Object.values(row)[0] ?? '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const short = [...text.replace(/\s+/g, ' ').trim()].slice(0, 80).join('');
  return title === undefined ? `row ${index + 1}${short === '' ? '' : `: ${short}`}` : short;
}

function filledIn(template: JsonMap, context: BindingContext, from: string): JsonMap {
  try {
    return withRow(template, context) as JsonMap;
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    throw new EngineError({ code: 'test.bad-row', message: `A row of ${from} cannot be used: ${error.message}` });
  }
}

/** Replaces bindings to the row. Other bindings, such as those of a judge's prompt, stay as they are. */
function withRow(value: JsonValue, context: BindingContext): JsonValue {
  if (typeof value === 'string') return /\{\{\s*row\b/.test(value) ? rowText(value, context) : value;
  if (Array.isArray(value)) return value.map((one: JsonValue) => withRow(one, context));
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withRow(one, context)]));
}

const rowBinding = /\{\{\s*row\b[^}]*\}\}/g;

function rowText(text: string, context: BindingContext): JsonValue {
  const whole = text.match(rowBinding);
  if (whole?.[0] === text) return resolveBindings(text, context);
  return text.replace(rowBinding, (binding) => {
    const value = resolveBindings(binding, context);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function badRow(from: string, what: string): EngineError {
  return new EngineError({ code: 'test.bad-row', message: `A row of ${from} ${what}.` });
}
