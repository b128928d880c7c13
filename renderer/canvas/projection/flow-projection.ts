/**
 * A flow as drawn on the canvas: a sized card for each node, and a line for each edge that has two ends.
 */
import type {
  CompiledEdge,
  Diagnostic,
  FlowDoc,
  NodeDoc,
  NodePosition,
  NodeTypeCatalog,
} from '../../../engine/isomorphic.ts';
import { continuesOnFailure, isLoop, nameEdges } from '../../../engine/isomorphic.ts';
import { branchesOf, type CardContent, type CardSource, cardContent } from '../../card/card-content.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import { growthOf, restHeight } from '../../card/card-sections.ts';
import { branchOf } from '../../stores/flow/branches.ts';
import { type LoopBodyNesting, loopNesting } from '../../stores/flow/loop-bodies.ts';
import { ownChanges } from '../../stores/flow/own-changes.ts';
import { isFailureTolerated } from '../../stores/runs/shown-run.ts';
import { type EdgeLabel, edgeLabel } from './edge-label.ts';
import { groupBy, isSameData } from './plain-data.ts';

export interface ProjectedNode {
  /** ID of the node. Unique in a document, even in one with errors. */
  readonly id: string;
  readonly content: CardContent;
  /**
   * Height at rest in pixels, or of the header for a loop. The width is `cardMetrics.width`, or that of the container
   * for a loop.
   */
  readonly height: number;
  /** Height in pixels that the layout reserves, including the space needed during a run. */
  readonly room: number;
  /** The loop that contains the node, or null. */
  readonly loopId: string | null;
  /** The group that contains the node, or undefined. */
  readonly groupId?: string;
  /** Position in the file. */
  readonly position: NodePosition | null;
}

export interface ProjectedEdge {
  /** ID of the edge, as in the events of a run. */
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** The branch with the row where the edge starts. Null for the card's default port. */
  readonly route: string | null;
  /** The condition of the edge, unless it is represented by a row. */
  readonly label: EdgeLabel | null;
}

export interface FlowProjection {
  readonly nodes: readonly ProjectedNode[];
  readonly edges: readonly ProjectedEdge[];
  /** Direction of the flow. */
  readonly direction: FlowDirection;
  /** A new object whenever cards, their sizes or edges change: everything that the automatic layout depends on. */
  readonly shape: object;
}

interface ProjectionSource {
  readonly doc: FlowDoc;
  readonly diagnostics: readonly Diagnostic[];
  readonly catalog: NodeTypeCatalog;
}

/** An empty projection. */
export const emptyProjection: FlowProjection = { nodes: [], edges: [], direction: 'right', shape: {} };

/** Projects a flow. Objects that have not changed since `former` are reused, so that they are not drawn again. */
export function projectFlow(source: ProjectionSource, former: FlowProjection = emptyProjection): FlowProjection {
  const known = madeFrom.get(former);
  const changed = known === undefined ? null : cardsToMake(source, known.source);
  const around = changed === null || known === undefined ? surroundingsOf(source.doc) : known.around;
  const nodes =
    changed === null
      ? keepSame(projectNodes(source, around), former.nodes, ({ id }) => id)
      : projectAgain(source, around, { changed, former: former.nodes });
  const edges = changed?.every((index) => hasSamePorts(nodes[index], former.nodes[index]))
    ? former.edges
    : keepSame(projectEdges(source.doc, around.edges, nodes), former.edges, ({ id }) => id);
  const next = withSameObjects({ nodes, edges, direction: directionOf(source.doc) }, former);
  madeFrom.set(next, { source, around });
  return next;
}

function withSameObjects(next: Omit<FlowProjection, 'shape'>, former: FlowProjection): FlowProjection {
  const isSame = next.nodes === former.nodes && next.edges === former.edges && next.direction === former.direction;
  return isSame ? former : { ...next, shape: hasSameShape(next, former) ? former.shape : {} };
}

/** The source of each projection. */
const madeFrom = new WeakMap<
  FlowProjection,
  { readonly source: ProjectionSource; readonly around: ProjectionContext }
>();

/** The parts of the document, besides its own node, that a card needs. */
interface ProjectionContext {
  readonly edges: readonly CompiledEdge[];
  readonly edgesFrom: ReadonlyMap<string, readonly CompiledEdge[]>;
  readonly byId: ReadonlyMap<string, NodeDoc>;
  readonly nesting: LoopBodyNesting;
  readonly groupOf: ReadonlyMap<string, string>;
  readonly hasUpstream: ReadonlySet<string>;
}

function surroundingsOf(doc: FlowDoc): ProjectionContext {
  const edges = drawnEdges(doc);
  const byId = new Map(doc.nodes.map((node) => [node.id, node]));
  return {
    edges,
    edgesFrom: groupBy(edges, ({ from }) => from),
    byId,
    nesting: loopNesting(doc),
    groupOf: groupsOf(doc),
    hasUpstream: new Set(doc.edges.filter(({ from }) => byId.has(from)).map(({ to }) => to)),
  };
}

/**
 * Returns the indexes of the nodes that need a new card, or null if every card must be checked. Most keystrokes change
 * one node, so projecting a whole large flow would be wasted work.
 */
function cardsToMake(source: ProjectionSource, before: ProjectionSource): readonly number[] | null {
  if (source.catalog !== before.catalog) return null;
  const changed = ownChanges(before.doc, source.doc);
  if (changed === null || source.diagnostics === before.diagnostics) return changed;
  const concerned = new Set([...before.diagnostics, ...source.diagnostics].map(({ nodeId }) => nodeId));
  const own = new Set(changed);
  return source.doc.nodes.flatMap(({ id }, index) => (own.has(index) || concerned.has(id) ? [index] : []));
}

interface ChangedCards {
  /** Indexes in the list of nodes. */
  readonly changed: readonly number[];
  readonly former: readonly ProjectedNode[];
}

/** Returns the previous cards with the changed ones replaced, or the previous list itself if no card differs. */
function projectAgain(
  source: ProjectionSource,
  around: ProjectionContext,
  { changed, former }: ChangedCards,
): readonly ProjectedNode[] {
  const problems = problemsByNode(source);
  let nodes: ProjectedNode[] | undefined;
  for (const index of changed) {
    const node = source.doc.nodes[index];
    if (node === undefined) continue;
    const made = projectNode(node, problems.get(node.id) ?? [], { ...source, around });
    if (isSameData(former[index], made)) continue;
    nodes ??= [...former];
    nodes[index] = made;
  }
  return nodes ?? former;
}

/** Returns whether edges attach to both cards at the same rows and ports. */
function hasSamePorts(one: ProjectedNode | undefined, other: ProjectedNode | undefined): boolean {
  return (
    one === other ||
    (one?.content.bodySize === other?.content.bodySize && isSameData(one?.content.branches, other?.content.branches))
  );
}

function directionOf({ layout }: FlowDoc): FlowDirection {
  return layout?.direction ?? 'right';
}

function problemsByNode({ diagnostics }: ProjectionSource): ReadonlyMap<string | undefined, readonly Diagnostic[]> {
  return groupBy(diagnostics, ({ nodeId }) => nodeId);
}

function projectNodes(source: ProjectionSource, around: ProjectionContext): ProjectedNode[] {
  const problems = problemsByNode(source);
  return source.doc.nodes.map((node) => projectNode(node, problems.get(node.id) ?? [], { ...source, around }));
}

function projectNode(
  node: NodeDoc,
  problems: readonly Diagnostic[],
  { doc, catalog, around }: Omit<ProjectionSource, 'diagnostics'> & { readonly around: ProjectionContext },
): ProjectedNode {
  const { edgesFrom, byId, nesting, groupOf, hasUpstream } = around;
  const titleOf = (id: string): string => byId.get(id)?.name ?? id;
  const loopId = nesting.ownerOf.get(node.id) ?? null;
  const spec = catalog.get(node.type);
  const ways = edgesFrom.get(node.id) ?? [];
  const content = contentOf({
    node,
    spec,
    problems,
    branches: branchesOf(
      node,
      spec,
      ways.map(({ id, to, when }) => ({ id, target: titleOf(to), route: branchOf(node.id, when) })),
      continuesOnFailure(doc, node),
    ),
    edgesOut: ways.length,
    isStart: loopId === null && !hasUpstream.has(node.id),
    isTolerated: isFailureTolerated(doc, node, loopId === null ? undefined : byId.get(loopId)),
    bodySize: isLoop(node.type) ? (nesting.bodyOf.get(node.id)?.length ?? 0) : null,
  });
  const height = restHeight(content);
  const position = doc.layout?.nodes?.[node.id] ?? null;
  const groupId = groupOf.get(node.id);
  const group = groupId === undefined ? {} : { groupId };
  return { id: node.id, content, height, room: height + growthOf(content), loopId, ...group, position };
}

/** Cache of cards by node. A keystroke elsewhere in the file does not change the node object. */
const madeCards = new WeakMap<NodeDoc, { readonly from: CardSource; readonly content: CardContent }>();

function contentOf(source: CardSource): CardContent {
  const { node } = source;
  const made = madeCards.get(node);
  if (made !== undefined && isSameData(made.from, source)) return made.content;
  const content = cardContent(source);
  madeCards.set(node, { from: source, content });
  return content;
}

/** Returns the group of each node: the first that lists it. */
function groupsOf({ layout }: FlowDoc): ReadonlyMap<string, string> {
  const groups = Object.entries(layout?.groups ?? {}).toReversed();
  return new Map(groups.flatMap(([groupId, { nodes }]) => nodes.map((id) => [id, groupId] as const)));
}

/** Returns the edges that have two ends, with their names. */
function drawnEdges({ nodes, edges }: FlowDoc): CompiledEdge[] {
  const known = new Set(nodes.map(({ id }) => id));
  const taken = new Set<string>();
  return nameEdges(edges).filter(({ id, from, to }) => {
    // A duplicate ID is reported as a problem of the file. The first edge keeps it.
    if (taken.has(id) || !known.has(from) || !known.has(to)) return false;
    taken.add(id);
    return true;
  });
}

function projectEdges(doc: FlowDoc, edges: readonly CompiledEdge[], nodes: readonly ProjectedNode[]): ProjectedEdge[] {
  const ports = new Set(
    nodes.flatMap(({ id, content }) => content.branches.map(({ route }) => JSON.stringify([id, route]))),
  );
  const containers = new Set(nodes.flatMap(({ id, content }) => (content.bodySize === null ? [] : [id])));
  return edges.map(({ id, from, to, when }) => {
    const asked = branchOf(from, when);
    const route = asked !== null && ports.has(JSON.stringify([from, asked])) ? asked : null;
    // In a top-down flow the ports are at the bottom, away from their rows, and a container has no rows.
    const hasRow = route !== null && directionOf(doc) === 'right' && !containers.has(from);
    const isTold = when === undefined || hasRow;
    return { id, source: from, target: to, route, label: isTold ? null : edgeLabel(from, when) };
  });
}

/** Returns `fresh` with equal objects replaced by those of `former`, or `former` itself if nothing changed. */
function keepSame<Item>(
  fresh: readonly Item[],
  former: readonly Item[],
  idOf: (item: Item) => string,
): readonly Item[] {
  const formerById = new Map(former.map((item) => [idOf(item), item]));
  const kept = fresh.map((item) => {
    const before = formerById.get(idOf(item));
    return before !== undefined && isSameData(before, item) ? before : item;
  });
  const isSame = kept.length === former.length && kept.every((item, index) => item === former[index]);
  return isSame ? former : kept;
}

/** Compares what the layout depends on. Most cards and edges are the same objects as before. */
function hasSameShape(fresh: Omit<FlowProjection, 'shape'>, former: FlowProjection): boolean {
  return (
    fresh.direction === former.direction &&
    fresh.nodes.length === former.nodes.length &&
    fresh.edges.length === former.edges.length &&
    fresh.nodes.every((node, index) => hasSameRoom(node, former.nodes[index])) &&
    fresh.edges.every((edge, index) => isSameData(edge, former.edges[index]))
  );
}

function hasSameRoom(node: ProjectedNode, before: ProjectedNode | undefined): boolean {
  return (
    node === before ||
    (node.id === before?.id &&
      node.room === before.room &&
      node.loopId === before.loopId &&
      node.groupId === before.groupId &&
      isSameData(node.content.branches, before.content.branches))
  );
}
