/**
 * Converts between positions in the text and nodes or markers.
 */
import type { Diagnostic, TextRange } from '../../engine/isomorphic.ts';

/** Lines of an element of the flow, both counted from 1 and inclusive. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Lines of a node or an edge. */
export interface NamedLines extends Lines {
  readonly name: string;
}

/** Returns the lines of a range. If it ends at the start of a line, that line is excluded. */
export function linesOf({ line, endLine, endColumn }: TextRange): Lines {
  return { first: line, last: endColumn === 1 && endLine > line ? endLine - 1 : endLine };
}

/** Returns the lines of elements with a range, from top to bottom. */
export function linesInOrder(ranges: ReadonlyMap<string, TextRange>): readonly NamedLines[] {
  const lines = Array.from(ranges, ([name, range]) => ({ name, ...linesOf(range) }));
  return lines.sort((left, right) => left.first - right.first);
}

/** Returns the element at a line. @param lines in order */
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

/** Monaco's numbers for severities. */
const markerSeverities = { error: 8, warning: 4, info: 2 } as const;

/** A problem in Monaco's format. */
export interface ProblemMarker {
  readonly severity: number;
  readonly message: string;
  readonly code: string;
  readonly startLineNumber: number;
  readonly startColumn: number;
  readonly endLineNumber: number;
  readonly endColumn: number;
}

/**
 * Converts all problems of a text to markers. A problem without length is extended to one character, so that it is
 * visible.
 */
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
