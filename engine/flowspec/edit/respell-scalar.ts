/**
 * Changes inside a text that leave the rest of its spelling alone: quotes, escapes, folds and indentation.
 */
import type { Scalar } from 'yaml';
import type { TextEdit } from '../../base/text-edit.ts';
import { lineEnd } from './source-lines.ts';
import { isBlockText } from './yaml-text.ts';

/**
 * Carries edits of a text's value over to its spelling in the source. Undefined when that is not plainly possible: for
 * text that is put in over several lines, or needs signs that mean something where it goes.
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
    // What is only put in stands behind the sign before it.
    carried.push({ start: start < end && first !== undefined ? first.start : last.end, end: last.end, text });
  }
  return carried;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Of each sign of the value: where it is spelled; undefined when spelling and value do not go together. */
function spelling(source: string, node: Scalar.Parsed): readonly Span[] | undefined {
  const [start, end] = node.range;
  const quotes = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0;
  const reader = isBlockText(node)
    ? new BlockReader(source.slice(0, end), lineEnd(source, start))
    : new FlowReader(source.slice(0, end - quotes), start + quotes, node.type);
  const places: Span[] = [];
  for (const sign of String(node.value).split('')) {
    const place = reader.next(sign);
    if (place === undefined) return undefined;
    places.push(place);
  }
  return places;
}

/** Goes through the spelling of a text sign by sign of its value. */
abstract class SpellingReader {
  protected readonly source: string;
  protected position: number;

  constructor(source: string, position: number) {
    this.source = source;
    this.position = position;
  }

  /** The place of the next sign of the value. */
  abstract next(sign: string): Span | undefined;

  /** The length of what stands here and matches; 0 when nothing does. */
  protected lengthOf(pattern: RegExp): number {
    pattern.lastIndex = this.position;
    return pattern.exec(this.source)?.[0].length ?? 0;
  }

  protected take(length: number): Span | undefined {
    const start = this.position;
    this.position += length;
    return length === 0 ? undefined : { start, end: this.position };
  }
}

const lineEnding = /\r?\n/y;

/** Text below `|` or `>`. */
class BlockReader extends SpellingReader {
  readonly #indentation: RegExp;
  #isStarted = false;

  constructor(source: string, position: number) {
    super(source, position);
    const indent = /\S/.test(source.slice(position)) ? /^\s*\n( *)/.exec(source.slice(position))?.[1]?.length : 0;
    this.#indentation = new RegExp(`\\r?\\n {0,${indent ?? 0}}`, 'y');
  }

  next(sign: string): Span | undefined {
    // The header ends with a line ending that is not of the value, as lines end that are folded.
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

  #nextLine(): Span | undefined {
    // The last line ending may be missing at the end of the file.
    if (this.position >= this.source.length) return { start: this.position, end: this.position };
    return this.take(this.lengthOf(this.#indentation));
  }
}

const escapeLengths: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 };

/** Text in quotes, or without any, in one line or several. */
class FlowReader extends SpellingReader {
  readonly #type: Scalar.Type | undefined;
  /** One escape was read that stands for two signs of the value. */
  #isHalf = false;

  constructor(source: string, position: number, type: Scalar.Type | undefined) {
    super(source, position);
    this.#type = type;
  }

  next(sign: string): Span | undefined {
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

  #readEscape(sign: string): Span | undefined {
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
