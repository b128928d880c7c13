/**
 * Why a node has nothing to show in the run.
 */
import './why-not.css';
import type { RanFacts } from './node-facts.ts';
import { linesOfTrace, type WhenLine } from './when-lines.ts';

/** A condition, one comparison a line; with a run also what each one saw and gave. */
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
  edge: 'No way in was taken.',
  directive: 'It was told to skip itself.',
  autonomy: 'It needs more freedom than the run was given.',
  disabled: 'It is disabled in the file.',
} as const;

function unreachedText({ runStatus, state }: RanFacts): string {
  if (runStatus === undefined) return 'Run the flow to see what goes through this node.';
  if (state === 'queued') return 'It has not started yet: it waits for the nodes before it, or for its turn.';
  return `The run ended as ${runStatus} before this node started.`;
}

/** Undefined when the node did run. */
export function WhyNot({ facts }: { facts: RanFacts }) {
  const { nodeState } = facts;
  if (nodeState === undefined) return <p className="inspector-note">{unreachedText(facts)}</p>;
  const { skip } = nodeState;
  if (skip === undefined) return null;
  return (
    <section aria-label="Why it did not run">
      <h3 className="inspector-heading">Why did this not run?</h3>
      <p className="inspector-note">{skipReasons[skip.reason]}</p>
      {skip.text === undefined || skip.text === '' ? null : <p data-selectable>{skip.text}</p>}
      {skip.detail === undefined ? null : <WhenView label="Condition" lines={linesOfTrace(skip.detail)} />}
    </section>
  );
}

/** Whether the node never ran in the shown run. */
export function didNotRun({ nodeState }: RanFacts): boolean {
  return nodeState === undefined || nodeState.skip !== undefined;
}
