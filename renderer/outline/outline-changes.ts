/**
 * Edits of nodes in the outline, as changes of the file. None of them needs a canvas: the layout positions new nodes.
 */
import {
  type FlowChange,
  type FlowDoc,
  fragmentText,
  type JsonMap,
  pasteChange,
  readFragment,
} from '../../engine/isomorphic.ts';
import {
  continueOnErrorChanges,
  continuingChange,
  edgesFrom,
  failureBranch,
  successChange,
} from '../stores/flow/branches.ts';
import { type LoopBodyNesting, loopsAround } from '../stores/flow/loop-bodies.ts';
import { newEdge } from '../stores/flow/new-edge.ts';
import { disablingChange, type NewNodeSurroundings, newNode } from '../stores/flow/new-node.ts';
import { isStepFlow, newStep, placedSteps } from '../stores/flow/step-lane.ts';
import { text } from './text.ts';

export type FlowContent = { readonly doc: FlowDoc; readonly nesting: LoopBodyNesting };

/** Where a new node is added. */
export type AddWhere = 'behind' | 'failed' | 'inside' | 'alone';

export interface MadeChange {
  readonly change: FlowChange;
  /** The nodes to select afterward. */
  readonly ids: readonly string[];
}

interface AddPlace extends Pick<NewNodeSurroundings, 'models'> {
  /** Initial input that replaces the default of its type. */
  readonly input?: JsonMap;
  readonly near: string | null;
  readonly where: AddWhere;
}

/**
 * Adds a node that uses the output of the node before it.
 * @param near the node after which it is added, or the loop inside which it is added; null for none
 * @returns null for an unknown type
 */
export function addition(
  { doc, nesting }: FlowContent,
  type: string,
  { near, where, models, input }: AddPlace,
): MadeChange | null {
  if (isStepFlow(doc)) return addedStep(doc, type, near);
  const hasFailed = where === 'failed';
  const before = where === 'behind' || hasFailed ? doc.nodes.find(({ id }) => id === near) : undefined;
  const loopId = where === 'inside' ? near : before === undefined ? null : (nesting.ownerOf.get(before.id) ?? null);
  const added = newNode(doc, type, { before, hasFailed, loopId, models });
  if (added === null) return null;
  const { label } = added;
  const node = input === undefined ? added.node : { ...added.node, input };
  const { id } = node;
  const route = hasFailed ? failureBranch : null;
  const edges = before === undefined ? [] : [newEdge(doc, { nodeId: before.id, route }, id)];
  const add: FlowChange = {
    do: 'add',
    nodes: [node],
    ...(before === undefined ? {} : { edges, after: before.id }),
    ...(loopId === null ? {} : { loopId }),
  };
  return { change: { do: 'all', changes: [...continueOnErrorChanges(doc, edges), add], label }, ids: [id] };
}

function addedStep(doc: FlowDoc, type: string, near: string | null): MadeChange | null {
  const made = newStep(doc, type, { place: near === null ? undefined : { behind: near } });
  return made && { change: { do: 'all', changes: made.changes, label: made.label }, ids: [made.node.id] };
}

/** Toggles whether the flow continues when nodes fail. */
export function continuing({ doc }: FlowContent, ids: ReadonlySet<string>): MadeChange {
  return { change: continuingChange(doc, ids), ids: [...ids] };
}

/** Toggles whether the edges that leave nodes are only taken on success. Returns null if none can be changed. */
export function succeeding({ doc }: FlowContent, ids: ReadonlySet<string>): MadeChange | null {
  const change = successChange(doc, edgesFrom(doc, ids));
  return change === null ? null : { change, ids: [...ids] };
}

/** Disables nodes, or enables them if all are disabled. */
export function disabling({ doc }: FlowContent, ids: ReadonlySet<string>): MadeChange {
  return { change: disablingChange(doc, ids), ids: [...ids] };
}

/** Removes nodes. Selects the node after the last of them, or else the one before. */
export function removal({ doc }: FlowContent, ids: ReadonlySet<string>, heal: boolean): MadeChange {
  const last = doc.nodes.findLastIndex(({ id }) => ids.has(id));
  const next = doc.nodes.slice(last + 1).find(({ id }) => !ids.has(id)) ?? doc.nodes.findLast(({ id }) => !ids.has(id));
  return { change: { do: 'remove', nodes: [...ids], edges: [], heal }, ids: next === undefined ? [] : [next.id] };
}

/** Inserts nodes and notes from pasted text. Returns null if it contains none. The layout positions them. */
export function pasted({ doc }: Pick<FlowContent, 'doc'>, source: string, withLinks: boolean): MadeChange | null {
  const fragment = readFragment(source);
  // Triggers are pasted on the canvas.
  if (fragment === null || fragment.nodes.length + Object.keys(fragment.notes).length === 0) return null;
  const { positions: _, ...add } = pasteChange(doc, fragment, { keepIncoming: withLinks });
  const count = add.nodes.length;
  if (isStepFlow(doc))
    return stepsAdded(doc, add.nodes, { label: text.edits.pasteSteps({ count }), behind: undefined });
  const label = text.edits.pasteNodes({ count });
  return { change: { do: 'all', changes: [add], label }, ids: add.nodes.map(({ id }) => id) };
}

function stepsAdded(
  doc: FlowDoc,
  nodes: FlowDoc['nodes'],
  { label, behind }: { readonly label: string; readonly behind: string | undefined },
): MadeChange {
  const changes = placedSteps(doc, nodes, behind === undefined ? undefined : { behind });
  return { change: { do: 'all', changes, label }, ids: nodes.map(({ id }) => id) };
}

/** Copies nodes with their incoming edges, and loop bodies. */
export function duplication({ doc, nesting }: FlowContent, ids: ReadonlySet<string>): MadeChange | null {
  const isAlong = (id: string): boolean => loopsAround(nesting, id).some((loop) => ids.has(loop));
  const nodes = doc.nodes.map(({ id }) => id).filter((id) => ids.has(id) || isAlong(id));
  const fragment = readFragment(fragmentText(doc, { nodes }));
  if (fragment === null) return null;
  if (isStepFlow(doc)) {
    const copies = pasteChange(doc, fragment).nodes;
    const label = text.edits.duplicateSteps({ count: copies.length });
    return stepsAdded(doc, copies, { label, behind: nodes.at(-1) });
  }
  const loops = new Set(nodes.filter((id) => !isAlong(id)).map((id) => nesting.ownerOf.get(id)));
  const [loopId] = loops;
  const isInside = loops.size === 1 && loopId !== undefined;
  const pasted = pasteChange(doc, fragment, { keepIncoming: true, ...(isInside ? { loopId } : {}) });
  // The positions of the originals are occupied, so the layout finds new ones.
  const { positions: _, ...add } = pasted;
  const label = text.edits.duplicateNodes({ count: nodes.length });
  return { change: { do: 'all', changes: [add], label }, ids: add.nodes.map(({ id }) => id) };
}
