/**
 * From places in the text to nodes and marks, and back.
 */
import type { Diagnostic, TextRange } from '../../engine/isomorphic.ts';

/** Lines of a node, both counted from 1 and included. */
export interface NodeLines {
  readonly nodeId: string;
  readonly first: number;
  readonly last: number;
}

/** The lines that a range touches; a range that ends at the start of a line does not touch that line. */
export function linesOf({ line, endLine, endColumn }: TextRange): { first: number; last: number } {
  return { first: line, last: endColumn === 1 && endLine > line ? endLine - 1 : endLine };
}

/** The node whose text a line belongs to. */
export function nodeAtLine(nodes: readonly NodeLines[], line: number): string | undefined {
  return nodes.find(({ first, last }) => first <= line && line <= last)?.nodeId;
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
