/**
 * Explains why a node has no result in the run.
 */
import type { ComparisonOp, JsonValue, WhenTrace } from '../../../engine/isomorphic.ts';
import { MarkedText } from '../../card/marked-text.tsx';
import { spaceWords } from '../../ui/space-marks.ts';
import type { RanFacts } from './node-facts.ts';
import { text } from './text.ts';
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
  /** The value of the path in the run: JSON, or the word for a missing one. Undefined without a run. */
  readonly actual?: string;
  /** Undefined without a run. */
  readonly result?: boolean;
}

const { missing } = text.whyNot;

const operatorWords: Readonly<Record<ComparisonOp | 'and' | 'or' | 'not', string>> = text.whyNot;

function json(value: JsonValue): string {
  return JSON.stringify(value);
}

/** Returns the lines of a condition with the values from the run. */
export function linesOfTrace(trace: WhenTrace, depth = 0): readonly WhenLine[] {
  const { result } = trace;
  if ('of' in trace) {
    return [
      { depth, variable: null, word: operatorWords[trace.op], result },
      ...trace.of.flatMap((part) => linesOfTrace(part, depth + 1)),
    ];
  }
  const seen = {
    depth,
    variable: trace.var,
    actual: trace.actual === undefined ? missing : json(trace.actual),
    result,
  };
  if (trace.op === 'exists') return [{ ...seen, word: text.whyNot.exists }];
  return [{ ...seen, word: operatorWords[trace.op], value: json(trace.value) }];
}

/** A value as JSON. White space at the ends of a text is marked. */
function WhenValue({ json: shown }: { readonly json: string }) {
  const quoted = /^"(.*)"$/s.exec(shown)?.[1];
  if (quoted === undefined) return <span className="when-value">{shown}</span>;
  return (
    <span className="when-value" title={spaceWords(quoted)}>
      "<MarkedText text={quoted} />"
    </span>
  );
}

/** A condition with one comparison per line. With a run, also the value and result of each one. */
export function WhenView({ label, lines }: { label: string; lines: readonly WhenLine[] }) {
  return (
    <ul className="when-view" aria-label={label}>
      {lines.map(({ depth, variable, word, value, actual, result }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a condition never move
        <li key={index} style={{ '--when-depth': depth }}>
          <div className="when-line">
            <span>
              {variable === null ? null : <span className="when-variable">{variable} </span>}
              {value === undefined ? <span className="when-word">{word}</span> : `${word} `}
              {value === undefined ? null : <WhenValue json={value} />}
            </span>
            {result === undefined ? null : (
              <span className="when-result" data-result={result}>
                {String(result)}
              </span>
            )}
          </div>
          {actual === undefined ? null : (
            <div className="when-line when-actual">
              <span>{text.whyNot.actual}</span>
              {actual === missing ? <span className="when-word">{actual}</span> : <WhenValue json={actual} />}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function unreachedText({ runStatus, state }: RanFacts): string {
  if (runStatus === undefined) return text.whyNot.noRun;
  if (state === 'queued') return text.whyNot.queued;
  if (state === 'paused') return text.whyNot.paused;
  switch (runStatus) {
    // A completed run has reached every node except those in bodies of loops.
    case 'completed':
      return text.whyNot.notReached;
    case 'failed':
      return text.whyNot.failed;
    case 'cancelled':
      return text.whyNot.canceled;
    case 'interrupted':
      return text.whyNot.interrupted;
    default:
      return text.whyNot.notReachedYet;
  }
}

/** Renders nothing if the node ran. Set `hasHeading` to false if the surrounding view already has a heading. */
export function WhyNot({ facts, hasHeading = true }: { facts: RanFacts; hasHeading?: boolean }) {
  const { nodeState } = facts;
  if (nodeState === undefined) return <p className="inspector-note">{unreachedText(facts)}</p>;
  const { skip } = nodeState;
  if (skip === undefined) return null;
  return (
    <section aria-label={text.whyNot.label}>
      {hasHeading ? <h3 className="inspector-heading">{text.whyNot.heading}</h3> : null}
      <p className="inspector-note">{text.whyNot[skip.reason]}</p>
      {skip.text === undefined || skip.text === '' ? null : <p data-selectable>{skip.text}</p>}
      {skip.detail === undefined ? null : <WhenView label={text.whyNot.condition} lines={linesOfTrace(skip.detail)} />}
    </section>
  );
}

/** Returns whether the node never ran in the shown run. */
export function didNotRun({ nodeState }: RanFacts): boolean {
  return nodeState === undefined || nodeState.skip !== undefined;
}
