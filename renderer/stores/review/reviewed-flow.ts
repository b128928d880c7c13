/**
 * A flow as a review shows it on the canvas and in the outline: with the nodes and edges that the person may still add to the text or that the text no
 * longer has. These are only drawn and never part of the file.
 */
import {
  type DifferencePart,
  type EdgeDoc,
  type FlowDoc,
  type NodeDoc,
  nameEdges,
} from '../../../engine/isomorphic.ts';
import { type Review, verdictOf } from './review.ts';
import { nodeOf, triggerOf } from './review-marks.ts';

export interface ReviewedFlow {
  readonly doc: FlowDoc;
  /** Ids of the nodes that are only drawn. */
  readonly ghosts: ReadonlySet<string>;
}

const noGhosts: ReadonlySet<string> = new Set();
/** Precedes the names of edges that are only drawn. */
const ghostPrefix = 'ghost:';

/** Returns the name of an edge, without the mark of one that is only drawn. */
export function nameOfEdge(id: string): string {
  return id.startsWith(ghostPrefix) ? id.slice(ghostPrefix.length) : id;
}

/** The last result for each review, because several views show it. */
const latest = new WeakMap<Review, { readonly of: FlowDoc; readonly flow: ReviewedFlow }>();

/** Returns the flow with the nodes and edges of undecided differences. The same document if there are none. */
export function reviewedFlow(doc: FlowDoc, review: Review | undefined): ReviewedFlow {
  if (review === undefined) return { doc, ghosts: noGhosts };
  const known = latest.get(review);
  if (known?.of === doc) return known.flow;
  const flow = withMissingParts(doc, review);
  latest.set(review, { of: doc, flow });
  return flow;
}

function withMissingParts(doc: FlowDoc, review: Review): ReviewedFlow {
  const [nodes, edges] = missingParts(review);
  const own = new Set(doc.nodes.map(({ id }) => id));
  const ghosts = nodes.filter(({ id }) => !own.has(id));
  const known = new Set([...own, ...ghosts.map(({ id }) => id)]);
  const drawnEdges = edges.filter(({ from, to }) => known.has(from) && known.has(to));
  if (ghosts.length === 0 && drawnEdges.length === 0) return { doc, ghosts: noGhosts };
  const added = new Set(ghosts.map(({ id }) => id));
  const union: FlowDoc = {
    ...doc,
    nodes: [...doc.nodes.map((node) => withMembers(node, review, added)), ...ghosts],
    edges: [...doc.edges, ...drawnEdges],
    ...layoutWith(doc, review, added),
  };
  return { doc: union, ghosts: added };
}

/** Returns the flow with the triggers of undecided differences. The same document if there are none. */
export function reviewedTriggers(doc: FlowDoc, review: Review | undefined): FlowDoc {
  if (review === undefined) return doc;
  const { checks, differences, taken } = review;
  const own = doc.flow.triggers ?? [];
  const missing = differences.flatMap((difference) => {
    const id = verdictOf(review, difference.key) === 'open' ? triggerOf(difference) : undefined;
    if (id === undefined || own.some((one) => one.id === id)) return [];
    const { flow } = (taken.has(difference.key) ? checks.before.doc : checks.after.doc) ?? {};
    return flow?.triggers?.filter((one) => one.id === id) ?? [];
  });
  return missing.length === 0 ? doc : { ...doc, flow: { ...doc.flow, triggers: [...own, ...missing] } };
}

/** Returns the node of the selected difference if it is only drawn, or null. @param ghosts ids of such nodes */
export function selectedGhost(review: Review | undefined, ghosts: ReadonlySet<string>): string | null {
  const difference = review?.differences.find(({ key }) => key === review.selected);
  const id = review === undefined || difference === undefined ? null : nodeOf(review, difference);
  return id !== null && ghosts.has(id) ? id : null;
}

/** Returns the nodes and edges of undecided differences that the text on screen does not have. */
function missingParts(review: Review): [readonly NodeDoc[], readonly EdgeDoc[]] {
  const { checks, differences, taken } = review;
  const open = differences.filter(({ key }) => verdictOf(review, key) === 'open');
  const added = open.filter(({ key }) => !taken.has(key)).flatMap(({ parts }) => parts);
  const removed = open.filter(({ key }) => taken.has(key)).flatMap(({ parts }) => parts);
  const [before, after] = [partsByName(checks.before.doc), partsByName(checks.after.doc)];
  return [
    [...found(added, 'node-added', after.nodes), ...found(removed, 'node-removed', before.nodes)],
    [...found(added, 'edge-added', after.edges), ...found(removed, 'edge-removed', before.edges)],
  ];
}

function found<Part>(
  parts: readonly DifferencePart[],
  what: DifferencePart['what'],
  byName: ReadonlyMap<string, Part>,
): readonly Part[] {
  return parts.flatMap((part) => {
    if (part.what !== what) return [];
    const known = byName.get('id' in part ? part.id : 'name' in part ? part.name : '');
    return known === undefined ? [] : [known];
  });
}

function partsByName(doc: FlowDoc | null) {
  return {
    nodes: new Map((doc?.nodes ?? []).map((node) => [node.id, node])),
    edges: new Map(
      nameEdges(doc?.edges ?? []).map((edge, index): [string, EdgeDoc] => {
        const { from, to } = edge;
        return [edge.id, { ...doc?.edges[index], from, to, id: ghostPrefix + edge.id }];
      }),
    ),
  };
}

/** Returns a loop with the missing nodes of its body. */
function withMembers(node: NodeDoc, { checks }: Review, ghosts: ReadonlySet<string>): NodeDoc {
  const own = node.input['body'];
  if (!Array.isArray(own)) return node;
  const others = [checks.before.doc, checks.after.doc].flatMap((doc) => {
    const body = doc?.nodes.find(({ id }) => id === node.id)?.input['body'];
    return Array.isArray(body) ? body : [];
  });
  const missing = others.filter((id) => typeof id === 'string' && ghosts.has(id));
  return missing.length === 0 ? node : { ...node, input: { ...node.input, body: [...new Set([...own, ...missing])] } };
}

/** Returns the layout with the positions of the missing nodes. */
function layoutWith(doc: FlowDoc, { checks }: Review, ghosts: ReadonlySet<string>): Pick<FlowDoc, 'layout'> {
  const places = { ...checks.after.doc?.layout?.nodes, ...checks.before.doc?.layout?.nodes };
  const missing = Object.fromEntries(Object.entries(places).filter(([id]) => ghosts.has(id)));
  if (Object.keys(missing).length === 0) return {};
  return { layout: { ...doc.layout, nodes: { ...missing, ...doc.layout?.nodes } } };
}
