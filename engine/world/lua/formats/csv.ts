/**
 * Reads and writes CSV (RFC 4180). Reading is lenient: rows may differ in length, lines may end with `\n`, `\r\n` or
 * `\r`, and a quote is special only at the start of a field. Writing quotes only where necessary and ends each row with
 * `\n`.
 */
import { isLuaMap, optionsTable } from '../api-arguments.ts';
import type { LuaMap, LuaValue } from '../api-module.ts';
import { jsonText } from './json-text.ts';

/** Options of the CSV functions. */
export interface CsvOptions {
  /** A single character, like `quote`, `escape` and `comment`. */
  readonly delimiter: string;
  readonly quote: string;
  /** Within quotes, makes the next character literal. A doubled quote always means one quote. */
  readonly escape: string | undefined;
  readonly trimFields: boolean;
  /** Undefined for the function's default. */
  readonly hasHeader: boolean | undefined;
  /** Labels in the file by the keys that scripts see. */
  readonly headerLabels: ReadonlyMap<string, string>;
  /** Omits rows with only blank fields. Empty lines are never rows. */
  readonly skipEmptyLines: boolean;
  /** Lines that begin with this character are skipped. */
  readonly comment: string | undefined;
  /** Writes no header row even if there are headers. */
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
 * Reads a script's options table. Options that are absent or have another type keep their defaults. Only the first
 * character of a text is used.
 * @throws EngineError `lua.refused-argument` if the value is neither nil nor a table with string keys
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

/** The content of a CSV file as scripts see it. */
export type CsvContent = {
  readonly _type: 'CsvContent';
  /** Empty if the first row is not a header. */
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

/** A range of bytes in a file; the end is exclusive. */
export type ByteSpan = {
  readonly start: number;
  readonly end: number;
};

class CsvReader {
  readonly #text: string;
  readonly #options: CsvOptions;
  #position: number;
  /** Position of an unclosed quote. */
  #openQuote: number | undefined;

  constructor(text: string, options: CsvOptions) {
    this.#text = text;
    this.#options = options;
    this.#position = text.startsWith('\uFEFF') ? 1 : 0;
  }

  /** Returns the next row, or undefined at the end. */
  nextRow(): string[] | undefined {
    this.#skipLinesWithoutRow();
    if (this.#position >= this.#text.length) return undefined;
    const fields: string[] = [];
    do fields.push(this.#field());
    while (this.#take(this.#options.delimiter));
    this.#skipLineEnd();
    return fields;
  }

  /** Describes likely mistakes in the text as sentences. Call it after the last row. */
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
    // Text after the closing quote also belongs to the field.
    const end = this.#plainEnd(this.#options.delimiter);
    const field = quoted + this.#text.slice(this.#position, end);
    this.#position = end;
    return this.#options.trimFields ? field.trim() : field;
  }

  /** Reads the text after an opening quote. Without a closing quote, it extends to the end of the text. */
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
      // The next character is literal.
      at = from;
    }
    this.#openQuote = this.#position - quote.length;
    this.#position = this.#text.length;
    return parts.join('') + this.#text.slice(from);
  }

  /** Returns the quote or the escape character if one of them is at this position. */
  #specialAt(at: number): string | undefined {
    const { quote, escape: escapeSign } = this.#options;
    if (this.#text.startsWith(quote, at)) return quote;
    return escapeSign !== undefined && this.#text.startsWith(escapeSign, at) ? escapeSign : undefined;
  }

  /** Returns the position of the next line end or delimiter. */
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

/** Returns the headers as scripts see them: the key if `header_labels` has one for the label in the file. */
function keysOf(headers: readonly string[], labels: ReadonlyMap<string, string>): string[] {
  const keyByLabel = new Map([...labels].map(([key, label]) => [label, key]));
  return headers.map((header) => keyByLabel.get(header) ?? header);
}

/** Receives a sentence about a likely mistake. */
export type CsvWarning = (sentence: string) => void;

const otherDelimiters: readonly (readonly [string, string])[] = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
];

/** Describes the problem with single-column text whose first rows all contain another delimiter. */
function delimiterProblem({ headers, rows }: CsvContent, { delimiter }: CsvOptions): string | undefined {
  const first = [...(headers.length === 0 ? [] : [headers]), ...rows.slice(0, 5)];
  if (first.length === 0 || first.some(({ length }) => length !== 1)) return undefined;
  const used = otherDelimiters.find(([sign]) => sign !== delimiter && first.every(([field]) => field?.includes(sign)));
  if (used === undefined) return undefined;
  const [sign, name] = used;
  return `The CSV has only one column, and each row contains ${name}. To split the rows there, use { delimiter = ${JSON.stringify(sign)} }.`;
}

/** Parses an entire CSV text. Its first row is the header unless `hasHeader` is false. */
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

/**
 * Returns the fields of the first row of a text. Comment lines count as rows. A text with only line ends has no fields.
 */
export function parseCsvRow(text: string, options: CsvOptions = defaultCsvOptions): string[] {
  return new CsvReader(text, { ...options, comment: undefined }).nextRow() ?? [];
}

const quoteByte = 0x22;
const lineFeedByte = 0x0a;
const returnByte = 0x0d;

/**
 * Returns the span of each row without its line end. Rows end at `\n` outside double quotes; quoted text may span
 * lines. The last row may end with the file.
 * @param content the bytes of a file, or a text that is measured in UTF-8
 */
export function csvRowSpans(content: Uint8Array | string): ByteSpan[] {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const spans: ByteSpan[] = [];
  let isQuoted = false;
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    // A doubled quote closes and reopens the quoted text, so it has no effect.
    if (byte === quoteByte) isQuoted = !isQuoted;
    if (byte !== lineFeedByte || isQuoted) continue;
    spans.push({ start, end: at > start && bytes[at - 1] === returnByte ? at - 1 : at });
    start = at + 1;
  }
  if (start < bytes.length) spans.push({ start, end: bytes.length });
  return spans;
}

/** Returns a value as cell text: empty for nil and null, `true`, `false`, numbers as text, tables as JSON. */
export function cellText(value: LuaValue): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : jsonText(value);
}

function fieldText(text: string, { delimiter, quote }: CsvOptions): string {
  const mustBeQuoted = [delimiter, quote, '\n', '\r'].some((sign) => text.includes(sign));
  return mustBeQuoted ? quote + text.replaceAll(quote, () => quote + quote) + quote : text;
}

/**
 * Returns a row without its line end. A row with one empty field is written as a pair of quotes, because an empty line
 * is not a row.
 */
export function csvRow(values: readonly LuaValue[], options: CsvOptions = defaultCsvOptions): string {
  const row = values.map((value) => fieldText(cellText(value), options)).join(options.delimiter);
  return row === '' && values.length === 1 ? options.quote + options.quote : row;
}

/**
 * Returns the text of a whole file: the header row (with `header_labels`) if there is one and it is not omitted, then
 * the rows.
 * @param headers empty for no header row
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
