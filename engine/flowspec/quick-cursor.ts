/**
 * A place in a text that the quick reader goes on from, and what is read alike in lines and in flow collections: keys, text in
 * quotes. Every method leaves what it does not expect to the full reader.
 */
import { MAX_FLOW_VALUES } from './flow-limits.ts';
import type { JsonValue } from './json-value.ts';
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

/** A key that YAML can only take for text, written without quotes. */
const plainKey = /[A-Za-z_][\w.-]*/y;
const notTextKey = /^(?:null|true|false|__proto__)$/i;
const longestNotTextKey = 9;
/** Longer keys must be marked in YAML. */
const longestKey = 500;
/** JSON's escapes mean the same in YAML. */
const jsonEscapes = /^(?:[^\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*$/u;

export class QuickCursor {
  /** With `\n` at the end of every line. */
  readonly text: string;
  position = 0;
  #values = 0;

  constructor(text: string) {
    this.text = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
    if (/[\r\0\uFEFF\uFFFD]/.test(this.text)) leaveToFullReader();
  }

  /** The sign here; NaN behind the end. */
  code(): number {
    return this.text.charCodeAt(this.position);
  }

  /** Gives how many blanks there were. */
  skipBlanks(): number {
    const start = this.position;
    while (this.code() === space) this.position++;
    return this.position - start;
  }

  lineEnd(): number {
    const end = this.text.indexOf('\n', this.position);
    return end === -1 ? this.text.length : end;
  }

  /** Where text that ends here ends without the blanks behind it. */
  withoutBlanks(end: number): number {
    let last = end;
    while (this.text.charCodeAt(last - 1) === space) last--;
    return last;
  }

  /** Counts as the full reader does, which is the one to refuse. */
  countValue(): void {
    this.#values++;
    if (this.#values > MAX_FLOW_VALUES) leaveToFullReader();
  }

  isAtQuote(): boolean {
    const code = this.code();
    return code === quote || code === apostrophe;
  }

  /** A scalar in one line. @param endOfPlain where one without quotes ends that begins here */
  readScalar(endOfPlain: () => number): JsonValue {
    this.countValue();
    if (this.isAtQuote()) return this.readQuoted();
    if (!isPlainStart(this.text, this.position)) leaveToFullReader();
    const start = this.position;
    this.position = endOfPlain();
    return plainValue(this.text.slice(start, this.position));
  }

  /**
   * Passes a key and its colon; undefined, and the place stays, where there is none. In a flow collection blanks may stand
   * before the colon, and none needs to stand behind it when the key is in quotes.
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
    // Some keys would be no text, and one a dangerous one.
    if (length > longestKey || (key.length <= longestNotTextKey && notTextKey.test(key))) leaveToFullReader();
    this.countValue();
    this.position++;
    return key;
  }

  /** Text in quotes, all of it in one line. */
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
