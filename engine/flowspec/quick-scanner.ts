/**
 * Lines, keys and scalars of the YAML that the quick reader knows. Every method leaves what it does not expect to the
 * full reader.
 */
import { MAX_FLOW_VALUES } from './flow-limits.ts';
import type { JsonValue } from './json-value.ts';
import {
  apostrophe,
  blockText,
  colon,
  comma,
  dash,
  endsPlainInFlow,
  hash,
  isBreakOrBlank,
  isEscaped,
  leaveToFullReader,
  lineFeed,
  openBrace,
  openBracket,
  plainValue,
  quote,
  space,
} from './quick-scalars.ts';

/** A key that YAML can only take for text, written without quotes. */
const plainKey = /[A-Za-z_][\w.-]*/y;
const notTextKey = /^(?:null|true|false|__proto__)$/i;
/** JSON's escapes mean the same in YAML. */
const jsonEscapes = /^(?:[^\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*$/u;
/** What cannot be taken for a sign of YAML. */
const plainStart = /[\p{L}\p{N}_./(+~$]|-[\p{L}\p{N}.-]/uy;

export class QuickScanner {
  readonly #text: string;
  #position = 0;
  /** Where the line begins that was gone on to last, and what stands in it. */
  #lineStart = 0;
  #contentStart = -1;
  #valueEnd = 0;
  /** Brackets that are open. */
  #flowDepth = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
    if (/[\t\r\0\uFEFF\uFFFD]/.test(this.#text)) leaveToFullReader();
  }

  /**
   * Goes on to the next line that is neither empty nor a comment, unless it stands at the start of one already. Gives the
   * indentation, or -1 at the end.
   */
  nextLine(): number {
    while (this.#position !== this.#contentStart) {
      this.#lineStart = this.#position;
      this.#skipBlanks();
      const code = this.#code();
      if (Number.isNaN(code)) return -1;
      if (code === hash) this.#position = this.#lineEnd() + 1;
      else if (code === lineFeed) this.#position++;
      else this.#contentStart = this.#position;
    }
    const mark = this.#text.slice(this.#lineStart, this.#lineStart + 3);
    if (mark === '---' || mark === '...') leaveToFullReader();
    return this.#contentStart - this.#lineStart;
  }

  /** Whether only blanks and a comment are left in the line; then it is done with. */
  atLineEnd(): boolean {
    const code = this.#code();
    if (code !== lineFeed && code !== hash && !Number.isNaN(code)) return false;
    this.#position = this.#lineEnd() + 1;
    return true;
  }

  get position(): number {
    return this.#position;
  }

  /** Behind the last value that ended with its line, or with several. */
  get valueEnd(): number {
    return this.#valueEnd;
  }

  /** Ends the line behind a value. */
  endLine(): void {
    this.#valueEnd = this.#position;
    const blanks = this.#skipBlanks();
    if (this.#code() === hash && blanks === 0) leaveToFullReader();
    if (!this.atLineEnd()) leaveToFullReader();
  }

  isAtDash(): boolean {
    return this.#code() === dash && isBreakOrBlank(this.#text.charCodeAt(this.#position + 1));
  }

  /** Passes a dash and the blanks behind it; gives how many signs these are. */
  readDash(): number {
    this.#position++;
    return 1 + this.#skipBlanks();
  }

  isAtKey(): boolean {
    const start = this.#position;
    const key = this.#keyText();
    this.#position = start;
    return key !== undefined;
  }

  /** Passes a key, its colon and the blanks behind it. */
  readKey(): string {
    const key = this.#keyText();
    if (key === undefined) leaveToFullReader();
    this.#countValue();
    this.#skipBlanks();
    return key;
  }

  isAtBlockText(): boolean {
    const sign = this.#text[this.#position];
    return sign === '|' || sign === '>';
  }

  /** Text of the lines below, for a key or dash in the column `indent`. */
  readBlockText(indent: number): string {
    this.#countValue();
    const { text, end } = blockText(this.#text, this.#position, indent);
    this.#position = end;
    this.#valueEnd = this.#withoutBreaks(end);
    return text;
  }

  isAtFlow(): boolean {
    const code = this.#code();
    return code === openBrace || code === openBracket;
  }

  isAtFlowMap(): boolean {
    return this.#code() === openBrace;
  }

  /** Passes an opening bracket; false when the closing one follows, which is passed too. */
  openFlow(indent: number, close: '}' | ']'): boolean {
    this.#countValue();
    this.#position++;
    this.#flowDepth++;
    this.#skipInFlow(indent);
    return !this.#closes(close);
  }

  /** Passes what stands behind a value: a comma, or the closing bracket, which ends the collection. */
  nextInFlow(indent: number, close: '}' | ']'): boolean {
    this.#skipInFlow(indent);
    if (this.#closes(close)) return false;
    if (this.#code() !== comma) leaveToFullReader();
    this.#position++;
    this.#skipInFlow(indent);
    return !this.#closes(close);
  }

  /** A scalar in one line; a comma or bracket ends it in a flow collection. */
  readScalar(place: 'line' | 'flow'): JsonValue {
    this.#countValue();
    const code = this.#code();
    if (code === quote) return this.#doubleQuoted();
    if (code === apostrophe) return this.#singleQuoted();
    plainStart.lastIndex = this.#position;
    if (!plainStart.test(this.#text) || this.isAtDash()) leaveToFullReader();
    const start = this.#position;
    this.#position = place === 'line' ? this.#endOfPlainLine() : this.#endOfPlainInFlow();
    return plainValue(this.#text.slice(start, this.#position));
  }

  /** Counts as the full reader does, which is the one to refuse. */
  #countValue(): void {
    this.#values++;
    if (this.#values > MAX_FLOW_VALUES) leaveToFullReader();
  }

  #keyText(): string | undefined {
    const start = this.#position;
    const code = this.#code();
    let key: string;
    if (code === quote || code === apostrophe) key = code === quote ? this.#doubleQuoted() : this.#singleQuoted();
    else {
      plainKey.lastIndex = start;
      key = plainKey.exec(this.#text)?.[0] ?? '';
      this.#position += key.length;
      if (key === '') return undefined;
    }
    if (this.#code() !== colon || !isBreakOrBlank(this.#text.charCodeAt(this.#position + 1))) return undefined;
    // Longer keys must be marked in YAML, and the rest would be none or a dangerous one.
    if (this.#position - start > 500 || notTextKey.test(key)) leaveToFullReader();
    this.#position++;
    return key;
  }

  #doubleQuoted(): string {
    const start = this.#position + 1;
    let end = this.#text.indexOf('"', start);
    while (end !== -1 && isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1);
    const inner = this.#inOneLine(start, end);
    if (!inner.includes('\\')) return inner;
    if (!jsonEscapes.test(inner)) leaveToFullReader();
    // Signs that JSON wants escaped were taken out before: see the constructor.
    return JSON.parse(`"${inner}"`) as string;
  }

  #singleQuoted(): string {
    const start = this.#position + 1;
    let end = this.#text.indexOf("'", start);
    while (end !== -1 && this.#text.charCodeAt(end + 1) === apostrophe) end = this.#text.indexOf("'", end + 2);
    return this.#inOneLine(start, end).replaceAll("''", "'");
  }

  #inOneLine(start: number, end: number): string {
    if (end === -1) leaveToFullReader();
    const inner = this.#text.slice(start, end);
    if (inner.includes('\n')) leaveToFullReader();
    this.#position = end + 1;
    return inner;
  }

  #endOfPlainLine(): number {
    const end = this.#lineEnd();
    const line = this.#text.slice(this.#position, end);
    const comment = line.indexOf(' #');
    const plain = comment === -1 ? line : line.slice(0, comment);
    const plainEnd = this.#withoutBlanks(this.#position + plain.length);
    if (plain.includes(': ') || this.#text.charCodeAt(plainEnd - 1) === colon) leaveToFullReader();
    return plainEnd;
  }

  #endOfPlainInFlow(): number {
    let end = this.#position;
    while (!endsPlainInFlow(this.#text.charCodeAt(end))) end++;
    const last = this.#text.charCodeAt(end);
    // Those may be part of the text or end it.
    if (last === colon || last === hash || Number.isNaN(last)) leaveToFullReader();
    return this.#withoutBlanks(end);
  }

  #withoutBreaks(end: number): number {
    let last = end;
    while (isBreakOrBlank(this.#text.charCodeAt(last - 1))) last--;
    return last;
  }

  #withoutBlanks(end: number): number {
    let last = end;
    while (this.#text.charCodeAt(last - 1) === space) last--;
    return last;
  }

  /**
   * Blanks and line ends between the parts of a flow collection; its lines stand deeper than what
   * it belongs to, but for one that closes it.
   */
  #skipInFlow(indent: number): void {
    this.#skipBlanks();
    if (this.#code() !== lineFeed) return;
    let start = this.#position;
    while (this.#code() === lineFeed) {
      this.#position++;
      start = this.#position;
      this.#skipBlanks();
    }
    const column = this.#position - start;
    const closesAll =
      this.#flowDepth === 1 && column === indent && ['}', ']'].includes(this.#text[this.#position] ?? '');
    if (column <= indent && !closesAll) leaveToFullReader();
  }

  #closes(sign: '}' | ']'): boolean {
    if (this.#text[this.#position] !== sign) return false;
    this.#position++;
    this.#flowDepth--;
    return true;
  }

  #skipBlanks(): number {
    const start = this.#position;
    while (this.#code() === space) this.#position++;
    return this.#position - start;
  }

  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#position);
    return end === -1 ? this.#text.length : end;
  }

  #code(): number {
    return this.#text.charCodeAt(this.#position);
  }
}
