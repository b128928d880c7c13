/**
 * The panel beside the canvas: the selected node, or the flow as a whole.
 */
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { OpenFlow } from '../stores/open-flows.ts';
import { useNodePart, useSelection, useShownRunPart } from '../stores/use-flow.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { FlowOverview } from './flow-overview.tsx';
import { nodeFacts, nodeInRun } from './node-facts.ts';
import { NodeInspector } from './node-inspector.tsx';
import './inspector.css';

interface InspectorProps {
  readonly flow: OpenFlow;
  /** What can be done with the selected node. */
  readonly nodeActions?: ReactNode;
}

function SelectedNode({ flow, nodeId, nodeActions }: InspectorProps & { readonly nodeId: string }) {
  const place = useNodePart(flow.path, nodeId, (_, shownPlace) => shownPlace) ?? nodeId;
  const inRun = useShownRunPart(
    flow.path,
    useShallow((run) => nodeInRun(run, flow, place)),
  );
  const facts = nodeFacts(flow, nodeId, inRun);
  if (facts === undefined) {
    return (
      <EmptyState icon={<SearchX aria-hidden size={20} />} title={`No node ${nodeId}`}>
        The text on screen has no node of this name any more. Select another one on the canvas.
      </EmptyState>
    );
  }
  return <NodeInspector path={flow.path} place={place} facts={facts} actions={nodeActions} />;
}

export function Inspector({ flow, nodeActions }: InspectorProps) {
  const { nodeId } = useSelection(flow.path);
  if (nodeId === null) return <FlowOverview flow={flow} />;
  return <SelectedNode key={nodeId} flow={flow} nodeId={nodeId} nodeActions={nodeActions} />;
}
