/**
 * Explains why a node has no result in the run.
 */
import type { ComparisonOp, JsonValue, WhenTrace } from '../../../engine/isomorphic.ts';
import type { RanFacts } from './node-facts.ts';
import '../why-not.css';

/** A line of a condition: a comparison, or the operator of a group with its lines indented below. */
interface WhenLine {
  readonly depth: number;
  /** The path that is compared. Null for a group. */
  readonly variable: string | null;
  /** The operator of the group or of the comparison. */
  readonly word: string;
  /** The value that the path is compared with. Undefined if the operator has none. */
  readonly value?: string;
  /** The value of the path in the run: JSON, or `missing`. Undefined without a run. */
  readonly actual?: string;
  /** Undefined without a run. */
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

/** Returns the lines of a condition with the values from the run. */
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

/** A condition with one comparison per line. With a run, also the value and result of each one. */
function WhenView({ label, lines }: { label: string; lines: readonly WhenLine[] }) {
  return (
    <ul className="when-view" aria-label={label}>
      {lines.map(({ depth, variable, word, value, actual, result }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one condition never move
        <li key={index} style={{ '--when-depth': depth }}>
          <div className="when-line">
            <span>
              {variable === null ? null : <span className="when-variable">{variable} </span>}
              {value === undefined ? <span className="when-word">{word}</span> : `${word} `}
              {value === undefined ? null : <span className="when-value">{value}</span>}
            </span>
            {result === undefined ? null : (
              <span className="when-result" data-result={result}>
                {String(result)}
              </span>
            )}
          </div>
          {actual === undefined ? null : (
            <div className="when-line when-actual">
              <span>it was</span>
              <span className={actual === 'missing' ? 'when-word' : 'when-value'}>{actual}</span>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

const skipReasons = {
  when: 'Its condition did not hold:',
  edge: 'None of the edges that lead here was taken.',
  directive: 'It was told to skip itself.',
  autonomy: 'It acts, and the run only makes suggestions.',
  suggested: 'It depends on an action that was only suggested.',
  disabled: 'It is disabled in the file.',
} as const;

function unreachedText({ runStatus, state }: RanFacts): string {
  if (runStatus === undefined) return 'Run the flow to see what goes through this node.';
  if (state === 'queued') return 'It has not started yet: it waits for the nodes before it, or for its turn.';
  // A completed run has reached every node except those in bodies of loops.
  if (runStatus === 'completed')
    return 'The run did not come to it: the loop around it was skipped, had no items, or was taken over from an earlier run.';
  return `The run ended as ${runStatus} before this node started.`;
}

/** Renders nothing if the node ran. Set `hasHeading` to false if the surrounding view already has a heading. */
export function WhyNot({ facts, hasHeading = true }: { facts: RanFacts; hasHeading?: boolean }) {
  const { nodeState } = facts;
  if (nodeState === undefined) return <p className="inspector-note">{unreachedText(facts)}</p>;
  const { skip } = nodeState;
  if (skip === undefined) return null;
  return (
    <section aria-label="Why it did not run">
      {hasHeading ? <h3 className="inspector-heading">Why did this not run?</h3> : null}
      <p className="inspector-note">{skipReasons[skip.reason]}</p>
      {skip.text === undefined || skip.text === '' ? null : <p data-selectable>{skip.text}</p>}
      {skip.detail === undefined ? null : <WhenView label="Condition" lines={linesOfTrace(skip.detail)} />}
    </section>
  );
}

/** Returns whether the node never ran in the shown run. */
export function didNotRun({ nodeState }: RanFacts): boolean {
  return nodeState === undefined || nodeState.skip !== undefined;
}
