/**
 * Reads CSV (RFC 4180, leniently): rows may differ in length, lines may end with `\n`, `\r\n` or `\r`, a quote means
 * something only at the begin of a field.
 */
import { type CsvOptions, defaultCsvOptions } from './csv-options.ts';

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

/** Reads a whole CSV text. Unless `hasHeader` is false its first row is the header. */
export function parseCsv(text: string, options: CsvOptions = defaultCsvOptions): CsvContent {
  const reader = new CsvReader(text, options);
  const headers = (options.hasHeader ?? true) ? (reader.nextRow() ?? []) : [];
  const rows: string[][] = [];
  for (let row = reader.nextRow(); row !== undefined; row = reader.nextRow()) {
    if (!options.skipEmptyLines || row.some((field) => field.trim() !== '')) rows.push(row);
  }
  return { _type: 'CsvContent', headers: keysOf(headers, options.headerLabels), rows };
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
