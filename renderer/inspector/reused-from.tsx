import type { RunId } from '../../engine/isomorphic.ts';
import { useEarlierRun } from '../stores/use-run.ts';
import { clockText } from '../ui/quantity-text.ts';
import type { NodeFacts } from './node-facts.ts';

/** From which run the node took its output; nothing for a node that ran itself. */
export function ReusedFrom({ path, facts }: { path: string; facts: NodeFacts }) {
  const fromRunId = facts.nodeState?.fromRunId;
  return fromRunId === undefined ? null : <EarlierRunNote path={path} runId={fromRunId} />;
}

function EarlierRunNote({ path, runId }: { path: string; runId: RunId }) {
  const { startedAt, open } = useEarlierRun(path, runId);
  return (
    <p className="inspector-reused">
      It did not run again: its output is that of{' '}
      <button type="button" className="inspector-line-link" onClick={open}>
        {startedAt === null ? 'an earlier run' : `the run of ${clockText(startedAt)}`}
      </button>
      .
    </p>
  );
}
