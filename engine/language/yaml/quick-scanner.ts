/**
 * Reads the lines, keys and scalars of block-style YAML that the fast parser supports. Every method leaves anything
 * unexpected to the full parser.
 */
import type { JsonValue } from '../json/json-value.ts';
import type { QuickCursor } from './quick-cursor.ts';
import { blockText, colon, dash, hash, isBreakOrBlank, leaveToFullReader, lineFeed } from './quick-scalars.ts';

export class QuickScanner {
  readonly #cursor: QuickCursor;
  /** Start of the current line, and its content. */
  #lineStart = 0;
  #contentStart = -1;
  #valueEnd = 0;

  constructor(cursor: QuickCursor) {
    this.#cursor = cursor;
  }

  /** Reads comments before the document and an optional `---` line. */
  openDocument(): void {
    const mark = /(?:[ ]*(?:#.*)?\n)*---[ ]*(?:[ ]#.*)?\n/y;
    const found = mark.exec(this.#cursor.text);
    if (found !== null) this.#cursor.position = found[0].length;
  }

  /**
   * Moves to the next line that is neither blank nor a comment, unless it is already at the start of one. Returns the
   * indentation, or -1 at the end.
   */
  nextLine(): number {
    while (this.#cursor.position !== this.#contentStart) {
      this.#lineStart = this.#cursor.position;
      this.#cursor.skipBlanks();
      const code = this.#cursor.code();
      if (Number.isNaN(code)) return -1;
      if (code === hash) this.#cursor.position = this.#cursor.lineEnd() + 1;
      else if (code === lineFeed) this.#cursor.position++;
      else this.#contentStart = this.#cursor.position;
    }
    const mark = this.#cursor.text.slice(this.#lineStart, this.#lineStart + 3);
    if (mark === '---' || mark === '...') leaveToFullReader();
    return this.#contentStart - this.#lineStart;
  }

  /** Returns whether only spaces and a comment remain on the line, and skips them. */
  atLineEnd(): boolean {
    const code = this.#cursor.code();
    if (code !== lineFeed && code !== hash && !Number.isNaN(code)) return false;
    this.#cursor.position = this.#cursor.lineEnd() + 1;
    return true;
  }

  /** The position after the last value that ended on its line or spans several lines. */
  get valueEnd(): number {
    return this.#valueEnd;
  }

  /** The same position without trailing whitespace. */
  get contentEnd(): number {
    const { text } = this.#cursor;
    let end = this.#valueEnd;
    while (text.charAt(end - 1).trim() === '') end--;
    return end;
  }

  /** Ends the line after a value. */
  endLine(): void {
    this.#valueEnd = this.#cursor.position;
    const blanks = this.#cursor.skipBlanks();
    if (this.#cursor.code() === hash && blanks === 0) leaveToFullReader();
    if (!this.atLineEnd()) leaveToFullReader();
  }

  isAtDash(): boolean {
    return this.#cursor.code() === dash && isBreakOrBlank(this.#cursor.text.charCodeAt(this.#cursor.position + 1));
  }

  /** Reads a dash and the spaces after it; returns the number of characters. */
  readDash(): number {
    this.#cursor.position++;
    return 1 + this.#cursor.skipBlanks();
  }

  /** Reads a key, its colon and the spaces after it; returns undefined if there is no key. */
  tryKey(): string | undefined {
    const key = this.#cursor.tryKey('line');
    if (key !== undefined) this.#cursor.skipBlanks();
    return key;
  }

  isAtBlockText(): boolean {
    const sign = this.#cursor.text[this.#cursor.position];
    return sign === '|' || sign === '>';
  }

  /** Reads text on the lines below a key or dash in column `indent`. */
  readBlockText(indent: number): string {
    this.#cursor.countValue();
    const { text, end } = blockText(this.#cursor.text, this.#cursor.position, indent);
    this.#cursor.position = end;
    this.#valueEnd = end;
    return text;
  }

  /** Reads a scalar on one line. */
  readScalar(): JsonValue {
    return this.#cursor.readScalar(() => this.#endOfPlain());
  }

  #endOfPlain(): number {
    const { text, position } = this.#cursor;
    const line = text.slice(position, this.#cursor.lineEnd());
    const comment = line.indexOf(' #');
    const plain = comment === -1 ? line : line.slice(0, comment);
    const plainEnd = this.#cursor.withoutBlanks(position + plain.length);
    if (plain.includes(': ') || plain.includes('\t') || text.charCodeAt(plainEnd - 1) === colon) leaveToFullReader();
    return plainEnd;
  }
}
