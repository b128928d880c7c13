/**
 * Places of a text where something that is looked for stands.
 */
import type { LineSearch } from './search-query.ts';

/** A match, with as much of its line as a list shows. */
export interface SearchMatch {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units of the file's own line; a byte order mark counts. */
  readonly column: number;
  /** UTF-16 units. */
  readonly length: number;
  /** A piece of the line, at most 300 units: from its first sign, or from shortly before the match. */
  readonly text: string;
  /** Where the match begins in `text`, and where it ends there, which may be earlier than it really does. */
  readonly start: number;
  readonly end: number;
}

/** UTF-16 units. */
const longestPiece = 300;
const longestBefore = 60;
const mark = '\uFEFF';

/** The matches of a text, in its order; at most `most`. */
export function searchText(text: string, search: LineSearch, most: number): readonly SearchMatch[] {
  if (!search.mayBeIn(text)) return [];
  const found: SearchMatch[] = [];
  let lineNumber = 0;
  for (const written of linesOf(text)) {
    lineNumber += 1;
    const before = lineNumber === 1 && written.startsWith(mark) ? 1 : 0;
    const line = written.slice(before);
    for (const { start, end } of search.find(line)) {
      if (found.length === most) return found;
      const column = start + before + 1;
      found.push({ line: lineNumber, column, length: end - start, ...pieceOf(line, start, end) });
    }
  }
  return found;
}

/** As editors count them: after `\n`, `\r\n` and `\r`. */
function* linesOf(text: string): Iterable<string> {
  const ends = /\r\n|\n|\r/g;
  let start = 0;
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    yield text.slice(start, end.index);
    start = ends.lastIndex;
  }
  yield text.slice(start);
}

function pieceOf(line: string, start: number, end: number): Pick<SearchMatch, 'text' | 'start' | 'end'> {
  const indent = line.length - line.trimStart().length;
  const from = whole(line, Math.max(Math.min(indent, start), start - longestBefore));
  const to = whole(line, Math.min(line.length, from + longestPiece));
  return { text: line.slice(from, to), start: start - from, end: Math.min(end, to) - from };
}

/** The place, or the one before when it lies between the two halves of a character. */
function whole(line: string, at: number): number {
  const isBetween = /[\uDC00-\uDFFF]/.test(line[at] ?? '') && /[\uD800-\uDBFF]/.test(line[at - 1] ?? '');
  return isBetween ? at - 1 : at;
}
