/**
 * A condition as lines, one comparison a line, groups indented below their word.
 */
import type { ComparisonOp, JsonValue, WhenTrace } from '../../engine/isomorphic.ts';

export interface WhenLine {
  readonly depth: number;
  /** Path that is looked at; null for a line that only groups. */
  readonly variable: string | null;
  /** The word of the group, or how the path is compared. */
  readonly word: string;
  /** What the path is compared with; absent where there is nothing to compare. */
  readonly value?: string;
  /** What the path gave in the run: JSON, or `missing`. Absent without a run. */
  readonly actual?: string;
  /** Absent without a run. */
  readonly result?: boolean;
}

const groupWords = { and: 'all of', or: 'any of', not: 'not' } as const;

const comparisonWords: Readonly<Record<ComparisonOp, string>> = {
  equals: 'is',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  contains: 'contains',
  in: 'is one of',
};

function json(value: JsonValue): string {
  return JSON.stringify(value);
}

/** The lines of a condition with the values it saw. */
export function linesOfTrace(trace: WhenTrace, depth = 0): readonly WhenLine[] {
  const { result } = trace;
  if ('of' in trace) {
    return [
      { depth, variable: null, word: groupWords[trace.op], result },
      ...trace.of.flatMap((part) => linesOfTrace(part, depth + 1)),
    ];
  }
  const seen = {
    depth,
    variable: trace.var,
    actual: trace.actual === undefined ? 'missing' : json(trace.actual),
    result,
  };
  if (trace.op === 'exists') return [{ ...seen, word: 'exists' }];
  return [{ ...seen, word: comparisonWords[trace.op], value: json(trace.value) }];
}
