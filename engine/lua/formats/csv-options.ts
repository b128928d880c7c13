/**
 * The options that functions for CSV take.
 */
import { isJsonMap, type JsonMap } from '../../flowspec/json-value.ts';
import type { LuaValue } from '../api-module.ts';
import { optionsTable } from '../api-options.ts';

export interface CsvOptions {
  /** One character, as are `quote`, `escape` and `comment`. */
  readonly delimiter: string;
  readonly quote: string;
  /** Within quotes, takes the next character as it is; a doubled quote is one quote with it and without it. */
  readonly escape: string | undefined;
  readonly trimFields: boolean;
  /** Undefined = the function's own default. */
  readonly hasHeader: boolean | undefined;
  /** What stands in the file (label), by what scripts see (key). */
  readonly headerLabels: ReadonlyMap<string, string>;
  /** Leaves out rows whose fields are all blank. Lines without any sign are never rows. */
  readonly skipEmptyLines: boolean;
  /** Lines that begin with it are passed over. */
  readonly comment: string | undefined;
  /** When writing: no header row, although there are headers. */
  readonly skipHeaderRow: boolean;
}

export const defaultCsvOptions: CsvOptions = {
  delimiter: ',',
  quote: '"',
  escape: undefined,
  trimFields: false,
  hasHeader: undefined,
  headerLabels: new Map(),
  skipEmptyLines: true,
  comment: undefined,
  skipHeaderRow: false,
};

function firstCharacter(options: JsonMap, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' && value !== '' ? String.fromCodePoint(value.codePointAt(0) ?? 0) : undefined;
}

function flag(options: JsonMap, name: string): boolean | undefined {
  const value = options[name];
  return typeof value === 'boolean' ? value : undefined;
}

function labelsOf(value: LuaValue): ReadonlyMap<string, string> {
  if (!isJsonMap(value)) return new Map();
  return new Map(Object.entries(value).map(([key, label]) => [key, String(label)]));
}

/**
 * Reads a script's options table; what is absent or of another type keeps its default. Of texts only the first character
 * counts.
 * @throws EngineError `lua.refused-argument` when the value is neither nil nor a table with names
 */
export function csvOptions(functionName: string, value: LuaValue): CsvOptions {
  const options = optionsTable(functionName, value);
  const quote = firstCharacter(options, 'quote') ?? defaultCsvOptions.quote;
  const escapeSign = firstCharacter(options, 'escape');
  return {
    delimiter: firstCharacter(options, 'delimiter') ?? defaultCsvOptions.delimiter,
    quote,
    escape: escapeSign === quote ? undefined : escapeSign,
    trimFields: flag(options, 'trim_fields') ?? false,
    hasHeader: flag(options, 'has_header'),
    headerLabels: labelsOf(options['header_labels']),
    skipEmptyLines: flag(options, 'skip_empty_lines') ?? true,
    comment: firstCharacter(options, 'comment'),
    skipHeaderRow: flag(options, 'skip_header_row') ?? false,
  };
}
