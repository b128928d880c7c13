/**
 * What is done to nodes in the outline, as changes of the file. None of them needs a canvas: new nodes get their places
 * from the layout.
 */
import {
  type FlowChange,
  type FlowDoc,
  fragmentText,
  type JsonMap,
  pasteChange,
  readFragment,
} from '../../engine/isomorphic.ts';
import { type LoopNesting, loopsAround } from '../stores/flow/loop-bodies.ts';
import { newEdge } from '../stores/flow/new-edge.ts';
import { disablingChange, type NewNodeSurroundings, newNode } from '../stores/flow/new-node.ts';
import { isStepFlow, newStep, placedSteps } from '../stores/flow/step-lane.ts';
import { continuingChange, edgesFrom, failedWay, keptFailures, successChange } from '../stores/flow/ways.ts';
import { pluralText } from '../ui/quantity-text.ts';

export type FlowContent = { readonly doc: FlowDoc; readonly nesting: LoopNesting };

/** Where a new node goes. */
export type AddWhere = 'behind' | 'failed' | 'inside' | 'alone';

export interface MadeChange {
  readonly change: FlowChange;
  /** To be selected then. */
  readonly ids: readonly string[];
}

interface AddPlace extends Pick<NewNodeSurroundings, 'models'> {
  /** What it begins with instead of what its type begins with. */
  readonly input?: JsonMap;
  readonly near: string | null;
  readonly where: AddWhere;
}

/**
 * A node more, which works on what the node before it gives.
 * @param near the node behind which it goes, or the loop inside of which; null = none
 * @returns null for a type that nobody knows
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
  const route = hasFailed ? failedWay : null;
  const edges = before === undefined ? [] : [newEdge(doc, { nodeId: before.id, route }, id)];
  const add: FlowChange = {
    do: 'add',
    nodes: [node],
    ...(before === undefined ? {} : { edges, after: before.id }),
    ...(loopId === null ? {} : { loopId }),
  };
  return { change: { do: 'all', changes: [...keptFailures(doc, edges), add], label }, ids: [id] };
}

function addedStep(doc: FlowDoc, type: string, near: string | null): MadeChange | null {
  const made = newStep(doc, type, { place: near === null ? undefined : { behind: near } });
  return made && { change: { do: 'all', changes: made.changes, label: made.label }, ids: [made.node.id] };
}

/** Lets the flow go on when nodes fail, or no longer. */
export function continuing({ doc }: FlowContent, ids: ReadonlySet<string>): MadeChange {
  return { change: continuingChange(doc, ids), ids: [...ids] };
}

/** Lets the edges that leave nodes be taken on success alone, or no longer; null when none can. */
export function succeeding({ doc }: FlowContent, ids: ReadonlySet<string>): MadeChange | null {
  const change = successChange(doc, edgesFrom(doc, ids));
  return change === null ? null : { change, ids: [...ids] };
}

/** Disables nodes; enables them when all are disabled. */
export function disabling({ doc }: FlowContent, ids: ReadonlySet<string>): MadeChange {
  return { change: disablingChange(doc, ids), ids: [...ids] };
}

/** Takes nodes away; the one that stood behind the last of them is selected then, else the one before. */
export function removal({ doc }: FlowContent, ids: ReadonlySet<string>, heal: boolean): MadeChange {
  const last = doc.nodes.findLastIndex(({ id }) => ids.has(id));
  const next = doc.nodes.slice(last + 1).find(({ id }) => !ids.has(id)) ?? doc.nodes.findLast(({ id }) => !ids.has(id));
  return { change: { do: 'remove', nodes: [...ids], edges: [], heal }, ids: next === undefined ? [] : [next.id] };
}

/** Nodes and notes out of a text; null when it holds none. The layout finds places for them. */
export function pasted({ doc }: Pick<FlowContent, 'doc'>, text: string, withLinks: boolean): MadeChange | null {
  const fragment = readFragment(text);
  if (fragment === null) return null;
  const { positions: _, ...add } = pasteChange(doc, fragment, { keepIncoming: withLinks });
  if (isStepFlow(doc)) return stepsAdded(doc, add.nodes, { what: 'Paste', behind: undefined });
  const label = `Paste ${pluralText(add.nodes.length, 'node')}`;
  return { change: { do: 'all', changes: [add], label }, ids: add.nodes.map(({ id }) => id) };
}

function stepsAdded(
  doc: FlowDoc,
  nodes: FlowDoc['nodes'],
  { what, behind }: { readonly what: string; readonly behind: string | undefined },
): MadeChange {
  const changes = placedSteps(doc, nodes, behind === undefined ? undefined : { behind });
  const label = `${what} ${pluralText(nodes.length, 'step')}`;
  return { change: { do: 'all', changes, label }, ids: nodes.map(({ id }) => id) };
}

/** Copies nodes, with the edges that lead to them and, of loops, their bodies. */
export function duplication({ doc, nesting }: FlowContent, ids: ReadonlySet<string>): MadeChange | null {
  const isAlong = (id: string): boolean => loopsAround(nesting, id).some((loop) => ids.has(loop));
  const nodes = doc.nodes.map(({ id }) => id).filter((id) => ids.has(id) || isAlong(id));
  const fragment = readFragment(fragmentText(doc, { nodes }));
  if (fragment === null) return null;
  if (isStepFlow(doc)) {
    const copies = pasteChange(doc, fragment).nodes;
    return stepsAdded(doc, copies, { what: 'Duplicate', behind: nodes.at(-1) });
  }
  const loops = new Set(nodes.filter((id) => !isAlong(id)).map((id) => nesting.ownerOf.get(id)));
  const [loopId] = loops;
  const isInside = loops.size === 1 && loopId !== undefined;
  const pasted = pasteChange(doc, fragment, { keepIncoming: true, ...(isInside ? { loopId } : {}) });
  // Where the originals stand there is no room; the layout finds some.
  const { positions: _, ...add } = pasted;
  const label = `Duplicate ${pluralText(nodes.length, 'node')}`;
  return { change: { do: 'all', changes: [add], label }, ids: add.nodes.map(({ id }) => id) };
}
