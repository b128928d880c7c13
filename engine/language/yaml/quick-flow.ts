/**
 * Parses lists and maps in flow style, including JSON, for the fast parser: brackets, commas, keys and scalars, also on
 * several lines and with comments. Every method leaves anything unexpected to the full parser.
 */
import type { JsonValue } from '../json/json-value.ts';
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
  /** Column of the key or dash to which the outermost collection belongs; -1 if the collection is the entire file. */
  #indent = -1;
  /** Number of open brackets. */
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
   * Reads an opening bracket. Returns false if the closing bracket follows, which is also read.
   * @param indent indentation of the outermost collection, also for nested ones
   */
  open(indent: number, close: FlowEnd): boolean {
    this.#cursor.countValue();
    this.#cursor.position++;
    this.#indent = indent;
    this.#depth++;
    this.#skipSpace();
    return !this.#closes(close);
  }

  /** Reads what follows a value: a comma, or the closing bracket that ends the collection. */
  next(close: FlowEnd): boolean {
    this.#skipSpace();
    if (this.#closes(close)) return false;
    if (this.#cursor.code() !== comma) leaveToFullReader();
    this.#cursor.position++;
    this.#skipSpace();
    return !this.#closes(close);
  }

  /** Reads a key, its colon and the space before the value. */
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
   * Skips spaces, comments and line breaks between a collection's parts. Its lines must be indented more than its
   * owner, except for a closing bracket.
   */
  #skipSpace(): void {
    const cursor = this.#cursor;
    let lineStart = -1;
    let column = 0;
    for (;;) {
      this.#skipBlanksAndTabs();
      const code = cursor.code();
      // The full parser rejects some comments without a space before them.
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
    // A line that ends or starts a document.
    if (column === 0 && (code === dash || code === 0x2e)) leaveToFullReader();
  }

  #closes(end: FlowEnd): boolean {
    if (this.#cursor.code() !== end) return false;
    this.#cursor.position++;
    this.#depth--;
    return true;
  }
}

/** The character that ends a collection. */
type FlowEnd = typeof closeBrace | typeof closeBracket;
