/**
 * Why a node has nothing to show in the run.
 */
import type { RanFacts } from './node-facts.ts';
import { linesOfTrace } from './when-lines.ts';
import { WhenView } from './when-view.tsx';

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
