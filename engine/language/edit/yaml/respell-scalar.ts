/**
 * Edits parts of a string and preserves the notation of the rest: quotes, escapes, folds and indentation.
 */
import type { Scalar } from 'yaml';
import type { TextEdit } from '../../../base/text-edit.ts';
import { lineEnd } from './source-lines.ts';
import { isBlockText } from './yaml-text.ts';

/**
 * Translates edits of a string's value to edits of its source. Returns undefined if this is not directly possible: for
 * inserted text with several lines or with characters that have a special meaning there.
 */
export function respell(source: string, node: Scalar.Parsed, edits: readonly TextEdit[]): TextEdit[] | undefined {
  if (edits.some(({ text }) => !/^[\w .-]*$/.test(text))) return undefined;
  const places = spelling(source, node);
  if (places === undefined) return undefined;
  const carried: TextEdit[] = [];
  for (const { start, end, text } of edits) {
    const first = places[start];
    const last = places[end - 1];
    if (last === undefined || (first === undefined && start < end)) return undefined;
    // An insertion goes after the preceding character.
    carried.push({ start: start < end && first !== undefined ? first.start : last.end, end: last.end, text });
  }
  return carried;
}

interface ScalarSpan {
  readonly start: number;
  readonly end: number;
}

/** Returns the source range of each character of the value; undefined if source and value do not match. */
function spelling(source: string, node: Scalar.Parsed): readonly ScalarSpan[] | undefined {
  const [start, end] = node.range;
  const quotes = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0;
  const reader = isBlockText(node)
    ? new BlockScalarReader(source.slice(0, end), lineEnd(source, start))
    : new FlowReader(source.slice(0, end - quotes), start + quotes, node.type);
  const places: ScalarSpan[] = [];
  for (const sign of String(node.value).split('')) {
    const place = reader.next(sign);
    if (place === undefined) return undefined;
    places.push(place);
  }
  return places;
}

/** Reads a string's source, one character of its value at a time. */
abstract class SpellingReader {
  protected readonly source: string;
  protected position: number;

  constructor(source: string, position: number) {
    this.source = source;
    this.position = position;
  }

  /** Returns the range of the value's next character. */
  abstract next(sign: string): ScalarSpan | undefined;

  /** Returns the length of the match at the current position; 0 if there is none. */
  protected lengthOf(pattern: RegExp): number {
    pattern.lastIndex = this.position;
    return pattern.exec(this.source)?.[0].length ?? 0;
  }

  protected take(length: number): ScalarSpan | undefined {
    const start = this.position;
    this.position += length;
    return length === 0 ? undefined : { start, end: this.position };
  }
}

const lineEnding = /\r?\n/y;

/** Text below `|` or `>`. */
class BlockScalarReader extends SpellingReader {
  readonly #indentation: RegExp;
  #isStarted = false;

  constructor(source: string, position: number) {
    super(source, position);
    const indent = /\S/.test(source.slice(position)) ? /^\s*\n( *)/.exec(source.slice(position))?.[1]?.length : 0;
    this.#indentation = new RegExp(`\\r?\\n {0,${indent ?? 0}}`, 'y');
  }

  next(sign: string): ScalarSpan | undefined {
    // The header and folded lines end with a line break that is not part of the value.
    if (!this.#isStarted) this.#start();
    if (sign === '\n') return this.#nextLine();
    while (sign !== ' ' && this.lengthOf(lineEnding) > 0) this.#nextLine();
    if (sign === ' ' && this.lengthOf(lineEnding) > 0) return this.#nextLine();
    return this.source[this.position] === sign ? this.take(1) : undefined;
  }

  #start(): void {
    this.#isStarted = true;
    this.#nextLine();
  }

  #nextLine(): ScalarSpan | undefined {
    // The last line break may be missing at the end of the file.
    if (this.position >= this.source.length) return { start: this.position, end: this.position };
    return this.take(this.lengthOf(this.#indentation));
  }
}

const escapeLengths: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 };

/** Quoted or plain text, on one or more lines. */
class FlowReader extends SpellingReader {
  readonly #type: Scalar.Type | undefined;
  /** Whether an escape for two UTF-16 units was read and the second unit is still pending. */
  #isHalf = false;

  constructor(source: string, position: number, type: Scalar.Type | undefined) {
    super(source, position);
    this.#type = type;
  }

  next(sign: string): ScalarSpan | undefined {
    if (this.#isHalf) {
      this.#isHalf = false;
      return { start: this.position, end: this.position };
    }
    if (sign !== ' ' && sign !== '\n') this.take(this.lengthOf(/(?:[ \t]*\r?\n)+[ \t]*/y));
    if (this.#type === 'QUOTE_DOUBLE' && this.source[this.position] === '\\') return this.#readEscape(sign);
    const ending = this.lengthOf(/[ \t]*\r?\n[ \t]*/y);
    if (ending > 0 && (sign === '\n' || sign === ' ')) return this.take(ending);
    if (this.source[this.position] !== sign) return undefined;
    return this.take(sign === "'" && this.#type === 'QUOTE_SINGLE' ? 2 : 1);
  }

  #readEscape(sign: string): ScalarSpan | undefined {
    const continued = this.lengthOf(/\\\r?\n[ \t]*/y);
    if (continued > 0) {
      this.take(continued);
      return this.next(sign);
    }
    const kind = this.source[this.position + 1] ?? '';
    this.#isHalf = kind === 'U' && sign >= '\uD800' && sign < '\uDC00';
    return this.take(escapeLengths[kind] ?? 2);
  }
}
