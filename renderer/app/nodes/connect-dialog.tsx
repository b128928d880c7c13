/**
 * Connects the selected node to another one, or removes one of its edges, by name.
 */
import { Unlink } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { continuesOnFailure, type EdgeDoc, edgeRefusal, type NodeDoc, nameEdges } from '../../../engine/isomorphic.ts';
import { failureBranch, wayName, withContinueOnError } from '../../stores/flow/branches.ts';
import { newEdge, waysOut } from '../../stores/flow/new-edge.ts';
import { type EditableFlow, editableFlow } from '../commands/active-file.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import type { FoundItem } from '../quick-pick/find-items.ts';
import { QuickPick } from '../quick-pick/quick-pick.tsx';
import { NodeIcon } from './node-icon.tsx';
import { text } from './text.ts';

/** The target node and the branch that leads to it. The branch is null for a node that has only one. */
interface ConnectTarget {
  readonly id: string;
  readonly route: string | null;
}

function targetOf({ id }: Pick<FoundItem, 'id'>): ConnectTarget {
  const [target, route = null] = JSON.parse(id) as [string, string?];
  return { id: target, route };
}

function detailOf(way: string, detail: string): string {
  if (way === failureBranch) return text.connect.onFailure({ detail });
  return text.connect.byBranch({ branch: wayName(way), detail });
}

/** Returns an item for every other node and every branch of the selected node. The failure branch comes last. */
function targetItems(flow: EditableFlow | undefined): FoundItem[] {
  if (flow === undefined || flow.nodeId === null) return [];
  const ways = waysOut(flow.doc, flow.nodeId);
  const others = flow.doc.nodes.filter(({ id }) => id !== flow.nodeId);
  const itemFor = ({ id, type, name }: NodeDoc, way: string | null): FoundItem => {
    const detail = name === undefined ? type : `${name} · ${type}`;
    return {
      id: JSON.stringify(way === null ? [id] : [id, way]),
      kind: 'node',
      title: id,
      detail: way === null ? detail : detailOf(way, detail),
    };
  };
  const usual = others.flatMap((node) => (ways.length === 0 ? [null] : ways).map((way) => itemFor(node, way)));
  const from = flow.doc.nodes.find(({ id }) => id === flow.nodeId);
  const goesOn = from !== undefined && continuesOnFailure(flow.doc, from);
  return goesOn ? [...usual, ...others.map((node) => itemFor(node, failureBranch))] : usual;
}

function edgeTo(flow: EditableFlow, from: string, { id, route }: ConnectTarget): EdgeDoc {
  return newEdge(flow.doc, { nodeId: from, route }, id);
}

/** The flow at the time the dialog opens. */
function useAskedFlow(isOpen: boolean): EditableFlow | undefined {
  const context = useCommandContext();
  return useMemo(() => (isOpen ? editableFlow(context) : undefined), [isOpen, context]);
}

export function ConnectDialog() {
  const { stores, dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'connect');
  const flow = useAskedFlow(isOpen);
  const from = flow?.nodeId ?? null;
  const items = useMemo(() => targetItems(flow), [flow]);
  const types = useMemo(() => new Map(flow?.doc.nodes.map(({ id, type }) => [id, type])), [flow]);
  const refusalOf = useCallback(
    (item: FoundItem) =>
      flow === undefined || from === null ? null : edgeRefusal(flow.doc, edgeTo(flow, from, targetOf(item))),
    [flow, from],
  );
  return (
    <QuickPick
      isOpen={isOpen && from !== null}
      onClose={() => dialogs.getState().close()}
      title={text.connect.title({ node: from ?? '' })}
      placeholder={text.connect.placeholder}
      items={items}
      refusalOf={refusalOf}
      iconOf={(item) => <NodeIcon type={types.get(targetOf(item).id) ?? ''} />}
      empty={text.connect.empty}
      onPick={(id) => {
        if (flow === undefined || from === null) return;
        const edges = [edgeTo(flow, from, targetOf({ id }))];
        const label = text.connect.undo({ node: from });
        void stores.edits.change(flow.path, withContinueOnError(flow.doc, edges, { do: 'connect', edges }, label));
      }}
    />
  );
}

function edgeItems(flow: EditableFlow | undefined): FoundItem[] {
  if (flow === undefined) return [];
  return nameEdges(flow.doc.edges)
    .filter(({ from, to }) => from === flow.nodeId || to === flow.nodeId)
    .map(({ id, from, to, when }) => ({
      id,
      kind: 'node',
      title: `${from} → ${to}`,
      detail: when === undefined ? '' : text.disconnect.conditional,
    }));
}

export function DisconnectDialog() {
  const { stores, dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'disconnect');
  const flow = useAskedFlow(isOpen);
  const items = useMemo(() => edgeItems(flow), [flow]);
  return (
    <QuickPick
      isOpen={isOpen && flow?.nodeId != null}
      onClose={() => dialogs.getState().close()}
      title={text.disconnect.title({ node: flow?.nodeId ?? '' })}
      placeholder={text.disconnect.placeholder}
      items={items}
      iconOf={() => <Unlink aria-hidden size={14} />}
      empty={items.length === 0 ? text.disconnect.noEdges : text.disconnect.empty}
      onPick={(edge) => {
        if (flow !== undefined) void stores.edits.change(flow.path, { do: 'remove', nodes: [], edges: [edge] });
      }}
    />
  );
}
