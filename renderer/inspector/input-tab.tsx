import { useReadValue } from '../stores/use-engine.ts';
import { ValueView } from '../ui/value-view.tsx';
import type { NodeFacts } from './node-facts.ts';
import { didNotRun, WhyNot } from './why-not.tsx';

/** What the node was given, bindings resolved. */
export function InputTab({ facts }: { facts: NodeFacts }) {
  const readLarge = useReadValue();
  const input = facts.nodeState?.input;
  return (
    <div className="inspector-body">
      {didNotRun(facts) ? <WhyNot facts={facts} /> : null}
      {didNotRun(facts) || input !== undefined ? null : (
        <p className="inspector-note">It failed before its input was complete; see Attempts.</p>
      )}
      {input === undefined ? null : <ValueView label="Input" value={input} readLarge={readLarge} />}
    </div>
  );
}
