/**
 * Connects the selected node with another one, or takes one of its edges away, by name.
 */
import { Unlink } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { edgeRefusal, nameEdges } from '../../engine/isomorphic.ts';
import { newEdge } from '../stores/new-edge.ts';
import { useCommandContext } from './command-context.tsx';
import type { FoundItem } from './find-items.ts';
import { type FlowInFront, flowInFront } from './flow-parts.ts';
import { NodeIcon } from './node-icon.tsx';
import { PickDialog } from './pick-dialog.tsx';

function targetItems(flow: FlowInFront | undefined): FoundItem[] {
  return (flow?.doc.nodes ?? [])
    .filter(({ id }) => id !== flow?.nodeId)
    .map(({ id, type, name }) => ({
      id,
      kind: 'node',
      title: id,
      detail: name === undefined ? type : `${name} · ${type}`,
    }));
}

/** The flow as it is when the dialog opens. */
function useAskedFlow(isOpen: boolean): FlowInFront | undefined {
  const context = useCommandContext();
  return useMemo(() => (isOpen ? flowInFront(context) : undefined), [isOpen, context]);
}

export function ConnectDialog() {
  const { stores, dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'connect');
  const flow = useAskedFlow(isOpen);
  const from = flow?.nodeId ?? null;
  const items = useMemo(() => targetItems(flow), [flow]);
  const types = useMemo(() => new Map(flow?.doc.nodes.map(({ id, type }) => [id, type])), [flow]);
  const refusalOf = useCallback(
    ({ id }: FoundItem) =>
      flow === undefined || from === null ? null : edgeRefusal(flow.doc, newEdge(flow.doc, from, id)),
    [flow, from],
  );
  return (
    <PickDialog
      isOpen={isOpen && from !== null}
      onClose={() => dialogs.getState().close()}
      title={`Connect ${from} to…`}
      placeholder="Name of the node that follows"
      items={items}
      refusalOf={refusalOf}
      iconOf={({ id }) => <NodeIcon type={types.get(id) ?? ''} />}
      empty="No node has this name."
      onPick={(to) => {
        if (flow === undefined || from === null) return;
        void stores.edits.change(flow.path, { do: 'connect', edges: [newEdge(flow.doc, from, to)] });
      }}
    />
  );
}

function edgeItems(flow: FlowInFront | undefined): FoundItem[] {
  if (flow === undefined) return [];
  return nameEdges(flow.doc.edges)
    .filter(({ from, to }) => from === flow.nodeId || to === flow.nodeId)
    .map(({ id, from, to, when }) => ({
      id,
      kind: 'node',
      title: `${from} → ${to}`,
      detail: when === undefined ? '' : 'with a condition',
    }));
}

export function DisconnectDialog() {
  const { stores, dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'disconnect');
  const flow = useAskedFlow(isOpen);
  const items = useMemo(() => edgeItems(flow), [flow]);
  return (
    <PickDialog
      isOpen={isOpen && flow?.nodeId != null}
      onClose={() => dialogs.getState().close()}
      title={`Take away an edge of ${flow?.nodeId}`}
      placeholder="Name of the node at its other end"
      items={items}
      iconOf={() => <Unlink aria-hidden size={14} />}
      empty="No edge leads to this node or away from it."
      onPick={(edge) => {
        if (flow !== undefined) void stores.edits.change(flow.path, { do: 'remove', nodes: [], edges: [edge] });
      }}
    />
  );
}
