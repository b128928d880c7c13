/**
 * The panel beside the canvas: the selected node, or the flow as a whole.
 */
import { SearchX } from 'lucide-react';
import { useShallow } from 'zustand/react/shallow';
import type { OpenFlow } from '../stores/open-flows.ts';
import { useSelection, useShownRunPart } from '../stores/use-flow.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { FlowOverview } from './flow-overview.tsx';
import { nodeFacts, nodeInRun } from './node-facts.ts';
import { NodeInspector } from './node-inspector.tsx';
import './inspector.css';

function SelectedNode({ flow, nodeId }: { flow: OpenFlow; nodeId: string }) {
  const inRun = useShownRunPart(
    flow.path,
    useShallow((run) => nodeInRun(run, flow, nodeId)),
  );
  const facts = nodeFacts(flow, nodeId, inRun);
  if (facts === undefined) {
    return (
      <EmptyState icon={<SearchX aria-hidden size={20} />} title={`No node ${nodeId}`}>
        The text on screen has no node of this name any more. Select another one on the canvas.
      </EmptyState>
    );
  }
  return <NodeInspector path={flow.path} facts={facts} />;
}

export function Inspector({ flow }: { flow: OpenFlow }) {
  const { nodeId } = useSelection(flow.path);
  if (nodeId === null) return <FlowOverview flow={flow} />;
  return <SelectedNode key={nodeId} flow={flow} nodeId={nodeId} />;
}
