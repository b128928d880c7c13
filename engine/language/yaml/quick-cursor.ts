/**
 * The fast parser's current position, and the notation shared by block and flow style: keys and quoted text. Every
 * method leaves anything unexpected to the full parser.
 */
import { MAX_FLOW_VALUES } from '../flow/flow-limits.ts';
import type { JsonValue } from '../json/json-value.ts';
import {
  apostrophe,
  colon,
  isBreakOrBlank,
  isEscaped,
  isPlainStart,
  leaveToFullReader,
  plainValue,
  quote,
  space,
} from './quick-scalars.ts';

/** An unquoted key that can only be text in YAML. */
const plainKey = /[A-Za-z_][\w.-]*/y;
const notTextKey = /^(?:null|true|false|__proto__)$/i;
const longestNotTextKey = 9;
/** Longer keys require a special notation in YAML. */
const longestKey = 500;
/** JSON escapes with the same meaning in YAML. */
const jsonEscapes = /^(?:[^\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*$/u;

export class QuickCursor {
  /** The text with `\n` line endings. */
  readonly text: string;
  position = 0;
  #values = 0;

  constructor(text: string) {
    this.text = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
    if (/[\r\0\uFEFF\uFFFD]/.test(this.text)) leaveToFullReader();
  }

  /** Returns the character code at the position; NaN after the end. */
  code(): number {
    return this.text.charCodeAt(this.position);
  }

  /** Returns the number of spaces. */
  skipBlanks(): number {
    const start = this.position;
    while (this.code() === space) this.position++;
    return this.position - start;
  }

  lineEnd(): number {
    const end = this.text.indexOf('\n', this.position);
    return end === -1 ? this.text.length : end;
  }

  /** Returns the end of text without trailing spaces. */
  withoutBlanks(end: number): number {
    let last = end;
    while (this.text.charCodeAt(last - 1) === space) last--;
    return last;
  }

  /** Counts as the full parser does, which reports the error. */
  countValue(): void {
    this.#values++;
    if (this.#values > MAX_FLOW_VALUES) leaveToFullReader();
  }

  isAtQuote(): boolean {
    const code = this.code();
    return code === quote || code === apostrophe;
  }

  /** Reads a scalar on one line. @param endOfPlain returns the end of an unquoted scalar that starts here */
  readScalar(endOfPlain: () => number): JsonValue {
    this.countValue();
    if (this.isAtQuote()) return this.readQuoted();
    if (!isPlainStart(this.text, this.position)) leaveToFullReader();
    const start = this.position;
    this.position = endOfPlain();
    return plainValue(this.text.slice(start, this.position));
  }

  /**
   * Reads a key and its colon. Returns undefined without moving if there is none. In flow style, spaces are allowed
   * before the colon, and none is required after it if the key is quoted.
   */
  tryKey(place: 'line' | 'flow'): string | undefined {
    const start = this.position;
    const isQuoted = this.isAtQuote();
    const key = isQuoted ? this.readQuoted() : this.#plainKey();
    const length = this.position - start;
    if (place === 'flow') this.skipBlanks();
    const hasColon = key !== undefined && this.code() === colon;
    const mayTouch = place === 'flow' && isQuoted;
    if (!hasColon || !(mayTouch || isBreakOrBlank(this.text.charCodeAt(this.position + 1)))) {
      this.position = start;
      return undefined;
    }
    // Some keys are not text, and one is dangerous.
    if (length > longestKey || (key.length <= longestNotTextKey && notTextKey.test(key))) leaveToFullReader();
    this.countValue();
    this.position++;
    return key;
  }

  /** Reads quoted text on one line. */
  readQuoted(): string {
    return this.code() === quote ? this.#doubleQuoted() : this.#singleQuoted();
  }

  #plainKey(): string | undefined {
    plainKey.lastIndex = this.position;
    const key = plainKey.exec(this.text)?.[0];
    this.position += key?.length ?? 0;
    return key;
  }

  #doubleQuoted(): string {
    const start = this.position + 1;
    let end = this.text.indexOf('"', start);
    while (end !== -1 && isEscaped(this.text, end)) end = this.text.indexOf('"', end + 1);
    const inner = this.#inOneLine(start, end);
    if (!inner.includes('\\')) return inner;
    if (!jsonEscapes.test(inner)) leaveToFullReader();
    return JSON.parse(`"${inner}"`) as string;
  }

  #singleQuoted(): string {
    const start = this.position + 1;
    let end = this.text.indexOf("'", start);
    while (end !== -1 && this.text.charCodeAt(end + 1) === apostrophe) end = this.text.indexOf("'", end + 2);
    return this.#inOneLine(start, end).replaceAll("''", "'");
  }

  #inOneLine(start: number, end: number): string {
    if (end === -1) leaveToFullReader();
    const inner = this.text.slice(start, end);
    if (inner.includes('\n')) leaveToFullReader();
    this.position = end + 1;
    return inner;
  }
}
