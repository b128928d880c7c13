import { useStores } from '../stores/stores-context.tsx';
import { useShownRunPart } from '../stores/use-flow.ts';
import { DecisionForm } from '../ui/decision-form.tsx';
import type { NodeFacts } from './node-facts.ts';

/** What the node asks a person, with the answers; nothing while it asks nothing. */
export function NodeWaiting({ path, facts }: { path: string; facts: NodeFacts }) {
  const { runs } = useStores();
  const runId = useShownRunPart(path, (run) => run.runId);
  const { nodeState, node, runStatus } = facts;
  if (runId === undefined || nodeState?.status !== 'suspended') return null;
  return (
    <section className="inspector-waiting" aria-label="What it asks">
      <p data-selectable>{nodeState.request?.message ?? 'It waits for a person.'}</p>
      <DecisionForm
        subject={node.name ?? node.id}
        isDisabled={runStatus !== 'suspended'}
        onDecide={(decision, comment) => runs.answer(runId, { decision, comment, nodeId: nodeState.nodeId })}
      />
    </section>
  );
}
