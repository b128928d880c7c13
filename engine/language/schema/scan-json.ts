/**
 * Finds where a JSON value (RFC 8259) ends in a text, and which of its parts were complete if it is invalid. Runs in
 * one pass without recursion, because the text is untrusted and may have any length and depth.
 */

/** A complete list or map. */
interface ScannedValue {
  readonly start: number;
  /** Position after its last character. */
  readonly end: number;
  /** Nesting depth of lists and maps, including itself; 0 for a scalar. */
  readonly depth: number;
}

interface ScannedJson {
  readonly start: number;
  /** Undefined if the value is invalid. */
  readonly end: number | undefined;
  readonly depth: number;
  /** Where the scan ended: for an invalid value, at the first invalid character. */
  readonly at: number;
  /** For an invalid value: the first complete list or map in it. */
  readonly inner?: ScannedValue;
}

interface Frame {
  readonly start: number;
  readonly isMap: boolean;
  /** Depth of its content. */
  depth: number;
  firstClosed: ScannedValue | undefined;
}

/**
 * Possible next tokens: a value; a value or the end of a list; a key or the end of a map; a key; a separator or the
 * end.
 */
type Expected = 'value' | 'first-item' | 'first-key' | 'key' | 'separator';

const quote = 0x22;
const backslash = 0x5c;
const plainWord = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/** Scans the value that starts at `start`. */
export function scanJson(text: string, start: number): ScannedJson {
  return new JsonScanner(text, start).scan();
}

/** Returns the position of the first character from `at` on that is not JSON whitespace. */
export function skipBlanks(text: string, at: number): number {
  let end = at;
  for (;;) {
    const code = text.charCodeAt(end);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return end;
    end++;
  }
}

class JsonScanner {
  readonly #text: string;
  readonly #start: number;
  readonly #open: Frame[] = [];
  #at: number;
  #expected: Expected = 'value';
  #whole: ScannedValue | undefined;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#start = start;
    this.#at = start;
  }

  scan(): ScannedJson {
    while (this.#whole === undefined) {
      this.#at = skipBlanks(this.#text, this.#at);
      if (!this.#step()) return this.#failure();
    }
    return { ...this.#whole, at: this.#whole.end };
  }

  #failure(): ScannedJson {
    const inner = this.#open.find(({ firstClosed }) => firstClosed !== undefined)?.firstClosed;
    return { start: this.#start, end: undefined, depth: 0, at: this.#at, ...(inner === undefined ? {} : { inner }) };
  }

  /** Returns false if the token is invalid at this position. */
  #step(): boolean {
    const sign = this.#text[this.#at];
    switch (this.#expected) {
      case 'value':
        return this.#value(sign);
      case 'first-item':
        return sign === ']' ? this.#close() : this.#value(sign);
      case 'first-key':
        return sign === '}' ? this.#close() : this.#key();
      case 'key':
        return this.#key();
      case 'separator':
        return this.#separator(sign);
    }
  }

  #value(sign: string | undefined): boolean {
    const start = this.#at;
    if (sign === '{' || sign === '[') {
      this.#open.push({ start, isMap: sign === '{', depth: 0, firstClosed: undefined });
      this.#at++;
      this.#expected = sign === '{' ? 'first-key' : 'first-item';
      return true;
    }
    if (sign === '"' ? !this.#string() : !this.#word()) return false;
    this.#ended({ start, end: this.#at, depth: 0 });
    return true;
  }

  #key(): boolean {
    if (this.#text.charCodeAt(this.#at) !== quote || !this.#string()) return false;
    this.#at = skipBlanks(this.#text, this.#at);
    if (this.#text[this.#at] !== ':') return false;
    this.#at++;
    this.#expected = 'value';
    return true;
  }

  #separator(sign: string | undefined): boolean {
    const isMap = this.#open.at(-1)?.isMap === true;
    if (sign === (isMap ? '}' : ']')) return this.#close();
    if (sign !== ',') return false;
    this.#at++;
    this.#expected = isMap ? 'key' : 'value';
    return true;
  }

  #close(): boolean {
    const frame = this.#open.pop();
    this.#at++;
    if (frame !== undefined) this.#ended({ start: frame.start, end: this.#at, depth: frame.depth + 1 });
    return true;
  }

  #ended(value: ScannedValue): void {
    const around = this.#open.at(-1);
    if (around === undefined) {
      this.#whole = value;
      return;
    }
    around.depth = Math.max(around.depth, value.depth);
    if (value.depth > 0) around.firstClosed ??= value;
    this.#expected = 'separator';
  }

  #word(): boolean {
    plainWord.lastIndex = this.#at;
    if (!plainWord.test(this.#text)) return false;
    this.#at = plainWord.lastIndex;
    return true;
  }

  /** Stops at the string's first invalid character. */
  #string(): boolean {
    const text = this.#text;
    for (let at = this.#at + 1; ; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.#at = at + 1;
        return true;
      }
      if (code === backslash) {
        const length = escapeLength(text, at);
        if (length > 0) {
          at += length - 1;
          continue;
        }
      }
      // Also true past the end, where the code is NaN.
      if (!(code >= 0x20) || code === backslash) {
        this.#at = at;
        return false;
      }
    }
  }
}

/** Returns the length of an escape sequence; 0 if it is invalid. */
function escapeLength(text: string, at: number): number {
  const sign = text[at + 1];
  if (sign === undefined) return 0;
  if (sign !== 'u') return '"\\/bfnrt'.includes(sign) ? 2 : 0;
  return /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0;
}
