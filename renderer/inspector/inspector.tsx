/**
 * The panel beside the canvas: the selected node, or the flow as a whole.
 */
import { SearchX } from 'lucide-react';
import type { OpenFlow } from '../stores/open-flows.ts';
import { useSelection, useShownRun } from '../stores/use-flow.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { FlowOverview } from './flow-overview.tsx';
import { nodeFacts } from './node-facts.ts';
import { NodeInspector } from './node-inspector.tsx';
import './inspector.css';

export function Inspector({ flow }: { flow: OpenFlow }) {
  const { nodeId } = useSelection(flow.path);
  const run = useShownRun(flow.path);
  if (nodeId === null) return <FlowOverview flow={flow} run={run} />;
  const facts = nodeFacts(flow, nodeId, run);
  if (facts === undefined) {
    return (
      <EmptyState icon={<SearchX aria-hidden size={20} />} title={`No node ${nodeId}`}>
        The text on screen has no node of this name any more. Select another one on the canvas.
      </EmptyState>
    );
  }
  return <NodeInspector key={`${flow.path} ${nodeId}`} path={flow.path} facts={facts} />;
}
