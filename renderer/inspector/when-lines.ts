/**
 * A condition as lines, one comparison a line, groups indented below their word.
 */
import type { JsonValue, WhenExpr, WhenTrace } from '../../engine/isomorphic.ts';

export interface WhenLine {
  readonly depth: number;
  /** Path that is compared; null for a line that only groups. */
  readonly variable: string | null;
  /** What it is compared with, or the word of the group. */
  readonly text: string;
  /** What the path gave in the run: JSON, or `missing`. Absent without a run. */
  readonly actual?: string;
  /** Absent without a run. */
  readonly result?: boolean;
}

const groupWords = { and: 'all of', or: 'any of', not: 'not' } as const;

function json(value: JsonValue): string {
  return JSON.stringify(value);
}

/** The lines of a condition as the file has it. */
export function linesOfWhen(expr: WhenExpr, depth = 0): readonly WhenLine[] {
  if ('equals' in expr) return [{ depth, variable: expr.equals.var, text: json(expr.equals.value) }];
  if ('not' in expr) {
    return [{ depth, variable: null, text: groupWords.not }, ...linesOfWhen(expr.not, depth + 1)];
  }
  const isAnd = 'and' in expr;
  const parts = isAnd ? expr.and : expr.or;
  return [
    { depth, variable: null, text: isAnd ? groupWords.and : groupWords.or },
    ...parts.flatMap((part) => linesOfWhen(part, depth + 1)),
  ];
}

/** The lines of a condition with the values it saw. */
export function linesOfTrace(trace: WhenTrace, depth = 0): readonly WhenLine[] {
  const { result } = trace;
  if (trace.op === 'equals') {
    const actual = trace.actual === undefined ? 'missing' : json(trace.actual);
    return [{ depth, variable: trace.var, text: json(trace.value), actual, result }];
  }
  return [
    { depth, variable: null, text: groupWords[trace.op], result },
    ...trace.of.flatMap((part) => linesOfTrace(part, depth + 1)),
  ];
}
