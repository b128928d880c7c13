/**
 * The panel beside the canvas: the selected node, or the flow as a whole.
 */
import { BoxSelect, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { type SettledFlow, useNodePart, useSelection, useShownRunPart } from '../stores/use-flow.ts';
import type { Chosen } from '../stores/window/selection.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { pluralText } from '../ui/quantity-text.ts';
import { EdgeInspector } from './edge-inspector.tsx';
import { FlowOverview } from './flow-overview.tsx';
import { LayoutInspector } from './layout-inspector.tsx';
import { nodeFacts, nodeInRun } from './node-facts.ts';
import { RenameContext, useFollowedNode } from './node-identity.tsx';
import { NodeInspector } from './node-inspector.tsx';
import './inspector.css';

interface InspectorProps {
  readonly flow: SettledFlow;
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
  return <NodeInspector flow={flow} place={place} facts={facts} actions={nodeActions} />;
}

function FollowedNode({ flow, nodeId, nodeActions }: InspectorProps & { readonly nodeId: string }) {
  const followed = useFollowedNode(nodeId, flow.doc);
  return (
    <RenameContext value={followed.onRename}>
      <SelectedNode key={followed.key} flow={flow} nodeId={followed.nodeId} nodeActions={nodeActions} />
    </RenameContext>
  );
}

/** The only thing that is selected when it is neither a node nor several. */
function onlyOf({ nodes, edges, notes, groups }: Chosen): readonly ['edges' | 'notes' | 'groups', string] | undefined {
  const all = [
    ...[...edges].map((id) => ['edges', id] as const),
    ...[...notes].map((id) => ['notes', id] as const),
    ...[...groups].map((id) => ['groups', id] as const),
  ];
  return nodes.size === 0 && all.length === 1 ? all[0] : undefined;
}

export function Inspector({ flow, nodeActions }: InspectorProps) {
  const { nodeId, chosen } = useSelection(flow.path);
  const only = onlyOf(chosen);
  const count = chosen.nodes.size + chosen.edges.size + chosen.notes.size + chosen.groups.size;
  if (only !== undefined) {
    const [part, id] = only;
    if (part === 'edges') return <EdgeInspector flow={flow} edgeId={id} />;
    return <LayoutInspector key={id} flow={flow} part={part} id={id} />;
  }
  if (count > 1) return <SeveralChosen chosen={chosen} />;
  if (nodeId === null) return <FlowOverview flow={flow} />;
  return <FollowedNode flow={flow} nodeId={nodeId} nodeActions={nodeActions} />;
}

/** What is selected when it is more than one thing, and what can be done with all of it. */
function SeveralChosen({ chosen: { nodes, edges, notes, groups } }: { chosen: Chosen }) {
  const parts = [
    ...(nodes.size === 0 ? [] : [pluralText(nodes.size, 'node')]),
    ...(edges.size === 0 ? [] : [pluralText(edges.size, 'edge')]),
    ...(notes.size === 0 ? [] : [pluralText(notes.size, 'note')]),
    ...(groups.size === 0 ? [] : [pluralText(groups.size, 'group')]),
  ];
  return (
    <EmptyState icon={<BoxSelect aria-hidden size={20} />} title={`${parts.join(', ')} selected`}>
      Move, copy, align, group, disable or delete them together; the context menu of the canvas names all of it. Select
      one to edit its values.
    </EmptyState>
  );
}
