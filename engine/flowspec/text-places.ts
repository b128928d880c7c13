/**
 * Offsets in a text → lines and columns.
 */
import type { TextRange } from './diagnostic.ts';

/** Lines and columns count from 1, columns in UTF-16 units. */
export class TextPlaces {
  readonly #lineStarts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) this.#lineStarts.push(end + 1);
  }

  /** The range between two offsets; offsets outside of the text mean its ends. */
  range(start: number, end: number): TextRange {
    const from = this.#place(start);
    const to = this.#place(Math.max(start, end));
    return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
  }

  #place(offset: number): { line: number; column: number } {
    const inside = Math.min(Math.max(offset, 0), this.#length);
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= inside) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: inside - (this.#lineStarts[low] ?? 0) + 1 };
  }
}
