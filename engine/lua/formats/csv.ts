/**
 * CSV (RFC 4180). Read leniently: rows may differ in length, lines may end with `\n`, `\r\n` or `\r`, a quote means
 * something only at the begin of a field. Written with quotes where they must be, and `\n` behind each row.
 */
import { isLuaMap, optionsTable } from '../api-arguments.ts';
import type { LuaMap, LuaValue } from '../api-module.ts';
import { jsonText } from './json-text.ts';

/** The options that functions for CSV take. */
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

const defaultCsvOptions: CsvOptions = {
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

function firstCharacter(options: LuaMap, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' && value !== '' ? String.fromCodePoint(value.codePointAt(0) ?? 0) : undefined;
}

function flag(options: LuaMap, name: string): boolean | undefined {
  const value = options[name];
  return typeof value === 'boolean' ? value : undefined;
}

function labelsOf(value: LuaValue): ReadonlyMap<string, string> {
  if (!isLuaMap(value)) return new Map();
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

/** A CSV file as scripts see it. */
export type CsvContent = {
  readonly _type: 'CsvContent';
  /** Empty when the first row is no header. */
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

/** A part of a file in bytes; the end is not part of it. */
export type ByteSpan = {
  readonly start: number;
  readonly end: number;
};

class CsvReader {
  readonly #text: string;
  readonly #options: CsvOptions;
  #position: number;
  /** Where the quote is that nothing closes. */
  #openQuote: number | undefined;

  constructor(text: string, options: CsvOptions) {
    this.#text = text;
    this.#options = options;
    this.#position = text.startsWith('\uFEFF') ? 1 : 0;
  }

  /** Undefined at the end. */
  nextRow(): string[] | undefined {
    this.#skipLinesWithoutRow();
    if (this.#position >= this.#text.length) return undefined;
    const fields: string[] = [];
    do fields.push(this.#field());
    while (this.#take(this.#options.delimiter));
    this.#skipLineEnd();
    return fields;
  }

  /** What was likely not meant, as sentences. To be called after the last row. */
  problems(): readonly string[] {
    if (this.#openQuote === undefined) return [];
    const line = this.#text.slice(0, this.#openQuote).split(/\r\n|\r|\n/).length;
    const { quote } = this.#options;
    return [
      `The CSV has a quote (${quote}) in line ${line} that is never closed, so the rest of the text is one field. Close it, or write a quote in a quoted field twice.`,
    ];
  }

  #skipLinesWithoutRow(): void {
    const { comment } = this.#options;
    for (;;) {
      if (comment !== undefined && this.#text.startsWith(comment, this.#position)) this.#position = this.#plainEnd('');
      if (!this.#skipLineEnd()) return;
    }
  }

  #field(): string {
    const quoted = this.#take(this.#options.quote) ? this.#quoted() : '';
    // What follows the closing quote belongs to the field, too.
    const end = this.#plainEnd(this.#options.delimiter);
    const field = quoted + this.#text.slice(this.#position, end);
    this.#position = end;
    return this.#options.trimFields ? field.trim() : field;
  }

  /** Behind the opening quote; without a closing one the rest of the text is meant. */
  #quoted(): string {
    const { quote } = this.#options;
    const parts: string[] = [];
    let from = this.#position;
    for (let at = from; at < this.#text.length; at++) {
      const sign = this.#specialAt(at);
      if (sign === undefined) continue;
      parts.push(this.#text.slice(from, at));
      from = at + sign.length;
      if (sign === quote && !this.#text.startsWith(quote, from)) {
        this.#position = from;
        return parts.join('');
      }
      // What follows is taken as it is.
      at = from;
    }
    this.#openQuote = this.#position - quote.length;
    this.#position = this.#text.length;
    return parts.join('') + this.#text.slice(from);
  }

  /** The quote or the escape sign, if one of them stands here. */
  #specialAt(at: number): string | undefined {
    const { quote, escape: escapeSign } = this.#options;
    if (this.#text.startsWith(quote, at)) return quote;
    return escapeSign !== undefined && this.#text.startsWith(escapeSign, at) ? escapeSign : undefined;
  }

  /** Where the line ends or the delimiter stands. */
  #plainEnd(delimiter: string): number {
    for (let at = this.#position; at < this.#text.length; at++) {
      const sign = this.#text[at];
      if (sign === '\n' || sign === '\r') return at;
      if (delimiter !== '' && this.#text.startsWith(delimiter, at)) return at;
    }
    return this.#text.length;
  }

  #take(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#position)) return false;
    this.#position += sign.length;
    return true;
  }

  #skipLineEnd(): boolean {
    return this.#take('\r\n') || this.#take('\n') || this.#take('\r');
  }
}

/** A header as scripts see it: the key, where `header_labels` names one for what stands in the file. */
function keysOf(headers: readonly string[], labels: ReadonlyMap<string, string>): string[] {
  const keyByLabel = new Map([...labels].map(([key, label]) => [label, key]));
  return headers.map((header) => keyByLabel.get(header) ?? header);
}

/** Takes a sentence about something that was likely not meant. */
export type CsvWarning = (sentence: string) => void;

const otherDelimiters: readonly (readonly [string, string])[] = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
];

/** About a text of one column whose first rows all have another delimiter. */
function delimiterProblem({ headers, rows }: CsvContent, { delimiter }: CsvOptions): string | undefined {
  const first = [...(headers.length === 0 ? [] : [headers]), ...rows.slice(0, 5)];
  if (first.length === 0 || first.some(({ length }) => length !== 1)) return undefined;
  const used = otherDelimiters.find(([sign]) => sign !== delimiter && first.every(([field]) => field?.includes(sign)));
  if (used === undefined) return undefined;
  const [sign, name] = used;
  return `The CSV has only one column, and each row has ${name} in it. To split it there, give { delimiter = ${JSON.stringify(sign)} }.`;
}

/** Reads a whole CSV text. Unless `hasHeader` is false its first row is the header. */
export function parseCsv(text: string, options: CsvOptions = defaultCsvOptions, warn?: CsvWarning): CsvContent {
  const reader = new CsvReader(text, options);
  const headers = (options.hasHeader ?? true) ? (reader.nextRow() ?? []) : [];
  const rows: string[][] = [];
  for (let row = reader.nextRow(); row !== undefined; row = reader.nextRow()) {
    if (!options.skipEmptyLines || row.some((field) => field.trim() !== '')) rows.push(row);
  }
  const content: CsvContent = { _type: 'CsvContent', headers: keysOf(headers, options.headerLabels), rows };
  const delimiter = delimiterProblem({ ...content, headers }, options);
  for (const sentence of [...reader.problems(), ...(delimiter === undefined ? [] : [delimiter])]) warn?.(sentence);
  return content;
}

/** The fields of the first row of a text; comments, too, are rows here. Nothing but line ends has no fields. */
export function parseCsvRow(text: string, options: CsvOptions = defaultCsvOptions): string[] {
  return new CsvReader(text, { ...options, comment: undefined }).nextRow() ?? [];
}

const quoteByte = 0x22;
const lineFeedByte = 0x0a;
const returnByte = 0x0d;

/**
 * Where each row stands, without its line end. Rows end at `\n` outside of double quotes; what stands in quotes may have
 * lines of its own. Without its last line end the last row ends with the file.
 * @param content the bytes of a file, or a text, which is measured in UTF-8
 */
export function csvRowSpans(content: Uint8Array | string): ByteSpan[] {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const spans: ByteSpan[] = [];
  let isQuoted = false;
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    // Two quotes for one sign open and close: nothing changes.
    if (byte === quoteByte) isQuoted = !isQuoted;
    if (byte !== lineFeedByte || isQuoted) continue;
    spans.push({ start, end: at > start && bytes[at - 1] === returnByte ? at - 1 : at });
    start = at + 1;
  }
  if (start < bytes.length) spans.push({ start, end: bytes.length });
  return spans;
}

/** A value as a cell: nothing for nil and null, `true`, `false`, numbers as text, tables as JSON. */
export function cellText(value: LuaValue): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : jsonText(value);
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
