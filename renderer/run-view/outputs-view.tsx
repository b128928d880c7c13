/**
 * What a run produced, and what it was given.
 */
import { PackageOpen } from 'lucide-react';
import { isJsonMap } from '../../engine/isomorphic.ts';
import { isUnfinished, type LiveRun } from '../stores/runs/live-runs.ts';
import { useReadValue } from '../stores/stores-context.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ValueView } from '../ui/value-view.tsx';
import './outputs-view.css';

function whyEmpty(run: LiveRun): string {
  if (run.state.kind === 'agent') return 'What the agent gives for its inputs stands here when the run has completed.';
  if (isUnfinished(run.state)) return 'The outputs of the last nodes appear here when the run ends.';
  if (run.state.status === 'completed') return 'No node without a following node produced anything.';
  return 'Only a run that completes has outputs. What its nodes produced is kept: select one to read it.';
}

/** The outputs of the nodes that nothing follows, by node. */
export function OutputsView({ run }: { run: LiveRun }) {
  const readLarge = useReadValue();
  const { output } = run.state;
  const isEmpty =
    output === undefined || output === null || (typeof output === 'object' && Object.keys(output).length === 0);
  if (isEmpty) {
    return (
      <EmptyState icon={<PackageOpen aria-hidden size={20} />} title="No outputs">
        {whyEmpty(run)}
      </EmptyState>
    );
  }
  if (!isJsonMap(output) || '$value' in output) {
    return (
      <div className="outputs-view">
        <ValueView label="Outputs" value={output} readLarge={readLarge} />
      </div>
    );
  }
  return (
    <div className="outputs-view">
      {Object.entries(output).map(([nodeId, value]) => (
        <section key={nodeId}>
          <h3 className="outputs-node">{nodeId}</h3>
          <ValueView label={`Output of ${nodeId}`} value={value} readLarge={readLarge} />
        </section>
      ))}
    </div>
  );
}
