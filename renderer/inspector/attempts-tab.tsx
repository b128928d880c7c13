import { durationText } from '../ui/quantity-text.ts';
import type { NodeFacts } from './node-facts.ts';
import { ErrorBox } from './run-tabs.tsx';
import { Group } from './setting-rows.tsx';
import { didNotRun, WhyNot } from './why-not.tsx';

/** Each try with its error, and the pause after it. */
export function AttemptsTab({ facts }: { facts: NodeFacts }) {
  const { failedAttempts, nodeState, node } = facts;
  if (nodeState === undefined || didNotRun(facts)) {
    return (
      <div className="inspector-body">
        <WhyNot facts={facts} />
      </div>
    );
  }
  const allowed = node.policy?.retry?.maxAttempts ?? 1;
  const { status, error, attempts } = nodeState;
  return (
    <div className="inspector-body">
      {failedAttempts.map((failed) => (
        <Group
          key={failed.attempt}
          title={`Attempt ${failed.attempt} of ${allowed}`}
          note={failed.delayMs === 0 ? 'failed' : `failed, then ${durationText(failed.delayMs)} pause`}
        >
          <ErrorBox error={failed.error} />
        </Group>
      ))}
      <Group title={`Attempt ${Math.max(1, attempts)} of ${allowed}`}>
        {status === 'failed' && error !== undefined ? (
          <ErrorBox error={error} />
        ) : (
          <p className="inspector-note">{status === 'retrying' ? 'running' : status}</p>
        )}
      </Group>
    </div>
  );
}
