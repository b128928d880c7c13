/**
 * Parses JSON as people and models write it: with comments, trailing or missing commas, single quotes, unquoted keys,
 * hexadecimal numbers and leading plus signs. Runs in a single pass in linear time. Numbers follow Lua: `3` is an
 * integer, `3.0` a float.
 */
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { LuaData } from '../api-module.ts';
import { type LuaNumber, luaFloat, luaInteger } from '../lua-number.ts';
import { scriptError } from '../script-error.ts';

// Token patterns of relaxed JSON: whitespace and comments, strings, keys, and literals. All patterns are sticky and can
// match in only one way, so no input makes them slow.

const blankPattern = /\s+/y;
const wordPattern = /[\p{L}\p{N}_$.+-]+/uy;
const numberPattern = /^[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)$/;
/** A number without a sign. */
const wholePattern = /^(?:\d+|0[xX][0-9a-fA-F]+)$/;
const literals: ReadonlyMap<string, JsonValue> = new Map([
  ['null', null],
  ['true', true],
  ['false', false],
]);
const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['/', '/'],
]);
/** A string's text without escapes, by its quote character. */
const plainPatterns: ReadonlyMap<string, RegExp> = new Map([
  ['"', /[^"\\\r\n]*/y],
  ["'", /[^'\\\r\n]*/y],
]);

/** Scans a text. */
class RelaxedJsonScanner {
  readonly #text: string;
  position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.position >= this.#text.length;
  }

  peek(): string | undefined {
    return this.#text[this.position];
  }

  advance(): void {
    this.position++;
  }

  /** Consumes a character if it is the next one. */
  take(sign: string): boolean {
    if (this.peek() !== sign) return false;
    this.position++;
    return true;
  }

  /** Skips whitespace and comments. */
  skipBlank(): void {
    for (;;) {
      this.#match(blankPattern);
      if (this.#text.startsWith('//', this.position)) this.#skipTo('\n', this.#text.length);
      else if (this.#text.startsWith('/*', this.position)) this.#skipTo('*/', undefined);
      else return;
    }
  }

  /** Reads a quoted or unquoted key. */
  key(): string {
    const sign = this.peek();
    if (sign === '"' || sign === "'") return this.string();
    const word = this.#match(wordPattern);
    if (word === '') throw this.failure('Expected the key of a property');
    return word;
  }

  /** Reads a number, `true`, `false` or `null`. */
  literal(): LuaData {
    const from = this.position;
    const word = this.#match(wordPattern);
    const value = literals.get(word);
    if (value !== undefined) return value;
    if (!numberPattern.test(word))
      throw this.failure(`Unexpected ${word === '' ? this.#next() : `'${word.slice(0, 40)}'`}`, from);
    return this.#number(word);
  }

  /** Returns a number that Lua cannot represent as its text. */
  #number(word: string): LuaNumber | string {
    const sign = word.startsWith('-') ? -1 : 1;
    const digits = word.replace(/^[+-]/, '');
    const size = Number(digits);
    if (!Number.isFinite(size)) return word;
    if (!wholePattern.test(digits)) return luaFloat(sign * size);
    // Keeps the sign of a zero.
    if (Number.isSafeInteger(size)) return sign * size;
    return luaInteger(BigInt(sign) * BigInt(digits)) ?? word;
  }

  /** Reads a string with its single or double quotes. */
  string(): string {
    const opened = this.position;
    const quote = this.peek() ?? '';
    const plain = plainPatterns.get(quote);
    if (plain === undefined) throw this.failure('Expected a string');
    const parts: string[] = [];
    this.advance();
    for (;;) {
      parts.push(this.#match(plain));
      if (this.take(quote)) return parts.join('');
      if (!this.take('\\')) throw this.failure('Unterminated string literal', opened);
      parts.push(this.#escaped());
    }
  }

  /** Creates an error with its position, by default the current one. */
  failure(what: string, at = this.position): SyntaxError {
    const before = this.#text.slice(0, at);
    const line = before.split('\n').length;
    return new SyntaxError(`${what} on line ${line} column ${at - before.lastIndexOf('\n')}`);
  }

  #escaped(): string {
    const sign = this.peek() ?? '';
    const plain = escapes.get(sign);
    const code = sign === 'u' ? this.#text.slice(this.position + 1, this.position + 5) : '';
    if (plain !== undefined) this.position += 1;
    else if (/^[0-9a-fA-F]{4}$/.test(code)) this.position += 5;
    else throw this.failure(`Invalid escape '\\${sign}'`);
    return plain ?? String.fromCharCode(Number.parseInt(code, 16));
  }

  #next(): string {
    return this.isAtEnd ? 'end of the text' : `'${String.fromCodePoint(this.#text.codePointAt(this.position) ?? 0)}'`;
  }

  /** Returns the text that matches at the current position and skips it. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.position += found.length;
    return found;
  }

  #skipTo(end: string, otherwise: number | undefined): void {
    const at = this.#text.indexOf(end, this.position + 2);
    if (at === -1 && otherwise === undefined) throw this.failure('Unterminated comment block');
    this.position = at === -1 ? this.#text.length : at + end.length;
  }
}

/** Same limit as for values passed into Lua, and far below the depth that overflows the stack. */
const depthLimit = 500;

class RelaxedJsonParser {
  readonly #scanner: RelaxedJsonScanner;
  #depth = 0;

  constructor(text: string) {
    this.#scanner = new RelaxedJsonScanner(text);
  }

  document(): LuaData | undefined {
    const scanner = this.#scanner;
    scanner.skipBlank();
    if (scanner.isAtEnd) return undefined;
    const value = this.#value();
    scanner.skipBlank();
    if (!scanner.isAtEnd) throw scanner.failure('Text cannot contain more than one JSON value');
    return value;
  }

  #value(): LuaData {
    const scanner = this.#scanner;
    const sign = scanner.peek();
    if (sign === '{') return this.#nested(() => this.#object());
    if (sign === '[') return this.#nested(() => this.#list());
    if (sign === '"' || sign === "'") return scanner.string();
    return scanner.literal();
  }

  #nested<Value>(read: () => Value): Value {
    if (++this.#depth > depthLimit) throw this.#scanner.failure(`Values are nested deeper than ${depthLimit} levels`);
    const value = read();
    this.#depth--;
    return value;
  }

  #list(): LuaData {
    const items: LuaData[] = [];
    this.#each(']', () => items.push(this.#value()));
    return items;
  }

  /** Defines properties without assignment, because a key such as `__proto__` is data. */
  #object(): LuaData {
    const scanner = this.#scanner;
    const entries: [string, LuaData][] = [];
    this.#each('}', () => {
      const key = scanner.key();
      scanner.skipBlank();
      if (!scanner.take(':')) throw scanner.failure('Expected a colon after the key of a property');
      scanner.skipBlank();
      entries.push([key, this.#value()]);
    });
    return Object.fromEntries(entries);
  }

  /**
   * Reads items up to the closing character. A comma between two items may be missing, and the last one may be followed
   * by a comma.
   */
  #each(close: string, readItem: () => void): void {
    const scanner = this.#scanner;
    const opened = scanner.position;
    scanner.advance();
    for (;;) {
      scanner.skipBlank();
      if (scanner.take(close)) return;
      if (scanner.isAtEnd) throw scanner.failure(`'${close}' is missing for the bracket`, opened);
      readItem();
      scanner.skipBlank();
      scanner.take(',');
    }
  }
}

/**
 * Parses relaxed JSON. For duplicate keys the last value wins.
 * @returns undefined if the text contains only whitespace and comments
 * @throws EngineError `lua.refused-argument` with the cause, its position, and the first 300 characters of the text
 */
export function parseRelaxedJson(text: string): LuaData | undefined {
  try {
    return new RelaxedJsonParser(text).document();
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const shown = Array.from(text.slice(0, 600)).slice(0, 300).join('');
    throw scriptError(`Fail to parse json.\nCause: ${cause}\nJson Content:\n${shown}`);
  }
}

/** Strict JSON that does not match this contains only numbers that `JSON.parse` reads as Lua would. */
const needsCare = /\d(?:\.0+(?!\d)|[eE]|\d{15})/;

/**
 * Parses strict JSON.
 * @throws SyntaxError if the text is not JSON; EngineError `lua.refused-argument` for a number that would be rounded
 */
export function parseStrictJson(text: string): LuaData {
  const value = JSON.parse(text) as LuaData;
  return needsCare.test(text) ? (parseRelaxedJson(text) ?? value) : value;
}

/**
 * Parses one strict JSON value per line and skips blank lines.
 * @throws EngineError `lua.refused-argument` with the line that cannot be parsed
 */
export function parseNdjson(text: string): LuaData[] {
  return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [strictJson(line, at + 1)]));
}

function strictJson(line: string, number: number): LuaData {
  try {
    return parseStrictJson(line);
  } catch (error) {
    throw scriptError(`Line ${number} is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}
