/**
 * Parses values in braces, brackets or quotes, which may span several lines. Unclosed values are parsed as far as
 * possible.
 */
import { addEntry, type YamlEntry, type YamlToken } from './entry.ts';

const quoted = /"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?/sy;
const plain = /(?:[^\s,[\]{}:#]|:(?![\s,[\]{}]|$)|#)(?:[^\n,[\]{}:#]|:(?![\s,[\]{}]|$)|(?<!\s)#)*/my;
const gap = /(?:\s|#[^\n]*)*/y;
/** A line that starts like this is the next entry of the surrounding text, which means that a value was not closed. */
const nextEntry = /\n(?:[A-Za-z_][\w-]*:|[ ]*- [A-Za-z_][\w-]*:)(?:[ \r\n]|$)/g;

/** Parses the values of one text, from its beginning to its end. */
export class FlowStyleReader {
  readonly #text: string;
  /** No value continues beyond this offset. Not known before the first value. */
  #limit = -1;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Parses the value at `start`, which must be after all previous ones, into its entry. Returns the offset after it.
   */
  read(start: number, owner: YamlEntry): number {
    if (this.#limit <= start) {
      nextEntry.lastIndex = start;
      this.#limit = nextEntry.exec(this.#text)?.index ?? this.#text.length;
    }
    this.#position = start;
    this.#readInto(owner);
    return this.#position;
  }

  #readInto(entry: YamlEntry): void {
    const first = this.#text[this.#position];
    if (first === '{') this.#readCollection(entry, 'map', '}');
    else if (first === '[') this.#readCollection(entry, 'list', ']');
    else {
      const scalar = this.#readScalar();
      entry.kind = scalar === null ? 'empty' : 'scalar';
      entry.value = scalar;
    }
    entry.end = Math.max(entry.end, this.#position);
  }

  #readCollection(entry: YamlEntry, kind: 'map' | 'list', close: string): void {
    const start = this.#position++;
    entry.kind = kind;
    let isClosed = false;
    for (;;) {
      this.#skipGap();
      const sign = this.#sign();
      if (sign === undefined) break;
      if (sign === close) {
        this.#position++;
        isClosed = true;
        break;
      }
      if (sign === '}' || sign === ']') break;
      if (sign === ',') this.#position++;
      else this.#readMember(entry, kind);
    }
    entry.inline = { start, end: this.#position, isClosed };
  }

  #readMember(parent: YamlEntry, kind: 'map' | 'list'): void {
    const start = this.#position;
    const place = { column: parent.column, isInline: true, start };
    if (kind === 'list') {
      this.#readInto(addEntry(parent, { ...place, key: null }));
    } else {
      const key = this.#readScalar();
      const entry = addEntry(parent, { ...place, key });
      entry.end = this.#position;
      this.#skipGap();
      if (this.#sign() === ':') {
        this.#position++;
        this.#skipGap();
        entry.end = this.#position;
        const sign = this.#sign();
        if (sign !== undefined && sign !== ',' && sign !== '}') this.#readInto(entry);
      }
    }
    // Skips a character that could not be parsed, to avoid an endless loop.
    if (this.#position === start) this.#position++;
  }

  #readScalar(): YamlToken | null {
    const start = this.#position;
    const sign = this.#sign();
    const isQuoted = sign === '"' || sign === "'";
    const found = this.#take(isQuoted ? quoted : plain);
    if (found === null) return null;
    const text = found.trimEnd();
    return { text: isQuoted ? unquoted(text) : text, start, end: start + text.length };
  }

  #sign(): string | undefined {
    return this.#position < this.#limit ? this.#text[this.#position] : undefined;
  }

  #skipGap(): void {
    this.#take(gap);
    this.#position = Math.min(this.#position, this.#limit);
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found === null) return null;
    const cut = found.slice(0, Math.max(0, this.#limit - this.#position));
    this.#position += cut.length;
    return cut;
  }
}

function unquoted(text: string): string {
  const quote = text[0] ?? '';
  return text.slice(1, text.length > 1 && text.endsWith(quote) ? -1 : undefined);
}
