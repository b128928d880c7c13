/**
 * From places in the text to nodes and marks, and back.
 */
import type { Diagnostic, TextRange } from '../../engine/isomorphic.ts';

/** Lines that something of the flow takes, both counted from 1 and included. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Lines of a node or an edge. */
export interface NamedLines extends Lines {
  readonly name: string;
}

/** The lines that a range touches; a range that ends at the start of a line does not touch that line. */
export function linesOf({ line, endLine, endColumn }: TextRange): Lines {
  return { first: line, last: endColumn === 1 && endLine > line ? endLine - 1 : endLine };
}

/** The lines of what has a range, from above to below. */
export function linesInOrder(ranges: ReadonlyMap<string, TextRange>): readonly NamedLines[] {
  const lines = Array.from(ranges, ([name, range]) => ({ name, ...linesOf(range) }));
  return lines.sort((left, right) => left.first - right.first);
}

/** What a line belongs to. @param lines in order */
export function nameAtLine(lines: readonly NamedLines[], line: number): string | undefined {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.first ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  const found = lines[low - 1];
  return found !== undefined && line <= found.last ? found.name : undefined;
}

/** Monaco's numbers for how bad a problem is. */
const markerSeverities = { error: 8, warning: 4, info: 2 } as const;

/** A problem as Monaco marks it. */
export interface ProblemMarker {
  readonly severity: number;
  readonly message: string;
  readonly code: string;
  readonly startLineNumber: number;
  readonly startColumn: number;
  readonly endLineNumber: number;
  readonly endColumn: number;
}

/** Marks all problems of a text; one without length gets a character, or nothing would be seen of it. */
export function problemMarkers(diagnostics: readonly Diagnostic[]): ProblemMarker[] {
  return diagnostics.map(({ severity, code, message, range }) => {
    const isEmpty = range.line === range.endLine && range.column >= range.endColumn;
    return {
      severity: markerSeverities[severity],
      message,
      code,
      startLineNumber: range.line,
      startColumn: range.column,
      endLineNumber: range.endLine,
      endColumn: isEmpty ? range.column + 1 : range.endColumn,
    };
  });
}
