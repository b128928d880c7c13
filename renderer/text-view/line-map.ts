/**
 * Maps between the text of a file and the text shown in Monaco. Monaco supports only one kind of line ending at a time
 * and no byte order mark, while a file keeps what it has. Monaco therefore gets `\n` for every line ending, and
 * positions are converted.
 */
import { applyEdits, editBetween, type TextEdit } from '../../engine/isomorphic.ts';

const lineEnd = /\r\n|\r|\n/g;
const byteOrderMark = '\uFEFF';

/** Returns the text that Monaco shows. */
export function shownText(text: string): string {
  const body = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  return body.includes('\r') ? body.replaceAll(lineEnd, '\n') : body;
}

/** Returns the most frequent line ending of a text, the first one of equally frequent ones. `\n` if there is none. */
export function usualLineEnd(text: string): string {
  if (!text.includes('\r')) return '\n';
  const counts = new Map<string, number>();
  for (const [end] of text.matchAll(lineEnd)) counts.set(end, (counts.get(end) ?? 0) + 1);
  let usual = '\n';
  let most = 0;
  for (const [end, count] of counts) {
    if (count <= most) continue;
    usual = end;
    most = count;
  }
  return usual;
}

/** A position as the engine counts it: only `\n` ends a line, and both numbers start at 1. */
interface EngineTextPosition {
  readonly lineNumber: number;
  readonly column: number;
}

/** Converts the offsets of one text in both directions. All offsets are in UTF-16 units from 0. */
export class LineMap {
  readonly text: string;
  /** Whether lines and columns are the same in the file and the shown text. For the engine, only `\n` ends a line. */
  readonly isPlain: boolean;
  readonly #skipped: number;
  /** Offsets in the shown text of line endings that have two characters in the file, in order. */
  readonly #pairs: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.#skipped = text.startsWith(byteOrderMark) ? 1 : 0;
    const pairs: number[] = [];
    for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) {
      pairs.push(at - this.#skipped - pairs.length);
    }
    this.#pairs = pairs;
    this.isPlain = this.#skipped === 0 && !(text.includes('\r') && /\r(?!\n)/.test(text));
  }

  shownText(): string {
    return shownText(this.text);
  }

  /**
   * Returns the offset in the file of a line and column from 1. A column beyond the end of a line is the end of that
   * line.
   */
  offsetOf({ lineNumber, column }: EngineTextPosition): number {
    let start = 0;
    for (let line = 1; line < lineNumber; line++) {
      const end = this.text.indexOf('\n', start);
      if (end === -1) return this.text.length;
      start = end + 1;
    }
    const end = this.text.indexOf('\n', start);
    return Math.min(start + column - 1, end === -1 ? this.text.length : end);
  }

  placeOf(offset: number): EngineTextPosition {
    const above = this.text.slice(0, offset).split('\n');
    return { lineNumber: above.length, column: (above.at(-1)?.length ?? 0) + 1 };
  }

  /** Length of the shown text. */
  get shownLength(): number {
    return this.text.length - this.#skipped - this.#pairs.length;
  }

  /** Returns the offset in the file's text for one in the shown text. */
  toFile(shown: number): number {
    return this.#skipped + shown + countBelow(this.#pairs, (pair) => pair < shown);
  }

  /**
   * Returns the offset in the shown text. Inside a line ending of two characters, it is the offset before the line
   * ending.
   */
  toShown(offset: number): number {
    const index = countBelow(this.#pairs, (pair, before) => this.#skipped + pair + before < offset - 1);
    const shown = Math.max(0, offset - this.#skipped - index);
    const isInside = this.#pairs[index] === shown - 1;
    return isInside ? shown - 1 : shown;
  }

  /**
   * Converts edits of the shown text to edits of the file's text. New line endings have the file's usual kind; existing
   * ones are unchanged.
   * @param edits sorted by `start`, not overlapping
   */
  fileEdits(edits: readonly TextEdit[]): TextEdit[] {
    const usual = edits.some(({ text }) => text.includes('\n')) ? usualLineEnd(this.text) : '\n';
    const moved = edits.map(({ start, end, text }) => ({
      start: this.toFile(start),
      end: this.toFile(end),
      text: usual === '\n' ? text : text.replaceAll('\n', usual),
    }));
    return this.text.includes('\r') ? joinTouching(moved).map((edit) => this.#keptApart(edit)) : moved;
  }

  /** Converts edits of the file's text, which produce the text of `after`, to edits of the shown text. */
  shownEdits(edits: readonly TextEdit[], after: LineMap): TextEdit[] {
    const moved = edits.map(({ start, end, text }) => ({
      start: this.toShown(start),
      end: this.toShown(end),
      text: text.includes('\r') ? text.replaceAll(lineEnd, '\n') : text,
    }));
    const before = this.shownText();
    const wanted = after.shownText();
    if (applyEdits(before, moved) === wanted) return moved;
    // The edit affects half of a line ending or the byte order mark, which are not shown as they are.
    const edit = editBetween(before, wanted);
    return edit === null ? [] : [edit];
  }

  /** A `\r` of the file directly before an inserted `\n` would become one line ending, where Monaco has two. */
  #keptApart({ start, end, text }: TextEdit): TextEdit {
    const isAfterReturn = this.text[start - 1] === '\r';
    const isBeforeFeed = this.text[end] === '\n';
    if (text === '' && isAfterReturn && isBeforeFeed && end > start) return { start, end: end + 1, text: '\r\n' };
    const first = isAfterReturn && text.startsWith('\n') ? '\r' : '';
    const last = isBeforeFeed && text.endsWith('\r') ? '\n' : '';
    return { start, end, text: `${first}${text}${last}` };
  }
}

/** Returns how many leading values of a sorted list satisfy `test`, which receives the value and its index. */
function countBelow(values: readonly number[], test: (value: number, index: number) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(values[middle] ?? 0, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function joinTouching(edits: readonly TextEdit[]): TextEdit[] {
  const joined: TextEdit[] = [];
  for (const edit of edits) {
    const last = joined.at(-1);
    if (last?.end === edit.start) {
      joined[joined.length - 1] = { start: last.start, end: edit.end, text: last.text + edit.text };
    } else joined.push(edit);
  }
  return joined;
}
