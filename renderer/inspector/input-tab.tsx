import { useReadValue } from '../stores/stores-context.tsx';
import { ValueView } from '../ui/value-view.tsx';
import type { RanFacts } from './node-facts.ts';
import { didNotRun, WhyNot } from './why-not.tsx';

function whyNoInput({ nodeState }: RanFacts): string {
  if (nodeState?.status === 'failed') return 'It failed before its input was complete; see Attempts.';
  if (nodeState?.status === 'reused') return 'It was not asked again, so it got no input in this run.';
  return 'It has no input yet.';
}

/** What the node was given, bindings resolved. */
export function InputTab({ facts }: { facts: RanFacts }) {
  const readLarge = useReadValue();
  const input = facts.nodeState?.input;
  return (
    <div className="inspector-body">
      {didNotRun(facts) ? <WhyNot facts={facts} /> : null}
      {didNotRun(facts) || input !== undefined ? null : <p className="inspector-note">{whyNoInput(facts)}</p>}
      {input === undefined ? null : <ValueView label="Input" value={input} readLarge={readLarge} />}
    </div>
  );
}
