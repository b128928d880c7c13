/**
 * Lists and maps in brackets, JSON among them, for the quick reader: brackets, commas, keys and scalars, also over several lines
 * and with comments between. Every method leaves what it does not expect to the full reader.
 */
import type { JsonValue } from './json-value.ts';
import type { QuickCursor } from './quick-cursor.ts';
import {
  closeBrace,
  closeBracket,
  comma,
  dash,
  endsPlainInFlow,
  hash,
  isBreakOrBlank,
  leaveToFullReader,
  lineFeed,
  openBrace,
  openBracket,
  space,
  tab,
} from './quick-scalars.ts';

export class QuickFlow {
  readonly #cursor: QuickCursor;
  /** The column of the key or dash that the outermost collection belongs to; -1 when that is the whole file. */
  #indent = -1;
  /** Brackets that are open. */
  #depth = 0;

  constructor(cursor: QuickCursor) {
    this.#cursor = cursor;
  }

  isAtMap(): boolean {
    return this.#cursor.code() === openBrace;
  }

  isAtCollection(): boolean {
    const code = this.#cursor.code();
    return code === openBrace || code === openBracket;
  }

  /**
   * Passes an opening bracket; false when the closing one follows, which is passed too.
   * @param indent of the outermost collection, for those in it too
   */
  open(indent: number, close: FlowEnd): boolean {
    this.#cursor.countValue();
    this.#cursor.position++;
    this.#indent = indent;
    this.#depth++;
    this.#skipSpace();
    return !this.#closes(close);
  }

  /** Passes what stands behind a value: a comma, or the closing bracket, which ends the collection. */
  next(close: FlowEnd): boolean {
    this.#skipSpace();
    if (this.#closes(close)) return false;
    if (this.#cursor.code() !== comma) leaveToFullReader();
    this.#cursor.position++;
    this.#skipSpace();
    return !this.#closes(close);
  }

  /** Passes a key, its colon and what stands between that and the value. */
  readKey(): string {
    const key = this.#cursor.tryKey('flow');
    if (key === undefined) leaveToFullReader();
    this.#skipSpace();
    return key;
  }

  readScalar(): JsonValue {
    return this.#cursor.readScalar(() => this.#endOfPlain());
  }

  #endOfPlain(): number {
    const { text } = this.#cursor;
    let end = this.#cursor.position;
    while (!endsPlainInFlow(text, end)) end++;
    return this.#cursor.withoutBlanks(end);
  }

  /**
   * Blanks, comments and line ends between the parts of a collection; its lines stand deeper than what it belongs to, but for
   * one that closes it.
   */
  #skipSpace(): void {
    const cursor = this.#cursor;
    let lineStart = -1;
    let column = 0;
    for (;;) {
      this.#skipBlanksAndTabs();
      const code = cursor.code();
      // The full reader refuses some comments without a blank before them.
      if (code === hash && cursor.position === lineStart) leaveToFullReader();
      if (code === hash && this.#isBehindSpace()) cursor.position = cursor.lineEnd();
      else if (code !== lineFeed) break;
      if (cursor.code() !== lineFeed) break;
      cursor.position++;
      lineStart = cursor.position;
      column = cursor.skipBlanks();
    }
    if (lineStart !== -1) this.#checkColumn(column);
  }

  #skipBlanksAndTabs(): void {
    for (let code = this.#cursor.code(); code === space || code === tab; code = this.#cursor.code()) {
      this.#cursor.position++;
    }
  }

  #isBehindSpace(): boolean {
    const before = this.#cursor.text.charCodeAt(this.#cursor.position - 1);
    return isBreakOrBlank(before) || before === tab;
  }

  #checkColumn(column: number): void {
    const code = this.#cursor.code();
    const isEnd = code === closeBrace || code === closeBracket;
    if (column <= this.#indent && !(isEnd && this.#depth === 1 && column === this.#indent)) leaveToFullReader();
    // A line that ends or begins a document.
    if (column === 0 && (code === dash || code === 0x2e)) leaveToFullReader();
  }

  #closes(end: FlowEnd): boolean {
    if (this.#cursor.code() !== end) return false;
    this.#cursor.position++;
    this.#depth--;
    return true;
  }
}

/** The sign that ends a collection. */
type FlowEnd = typeof closeBrace | typeof closeBracket;
