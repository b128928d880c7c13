/**
 * A flow as the canvas draws it: a card for each node, with its size, and a line for each edge that has two ends.
 */
import type {
  CompiledEdge,
  Diagnostic,
  FlowDoc,
  NodeDoc,
  NodePosition,
  NodeTypeCatalog,
} from '../../../engine/isomorphic.ts';
import { isLoop, keepsFailure, nameEdges } from '../../../engine/isomorphic.ts';
import { branchesOf, type CardContent, type CardSource, cardContent } from '../../card/card-content.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import { growthOf, restHeight } from '../../card/card-sections.ts';
import { loopNesting } from '../../stores/flow/loop-bodies.ts';
import { branchOf } from '../../stores/flow/ways.ts';
import { isFailureTolerated } from '../../stores/runs/shown-run.ts';
import { type EdgeLabel, edgeLabel } from './edge-label.ts';
import { groupBy, isSameData } from './plain-data.ts';

export interface ProjectedNode {
  /** The node's id. A document has each only once, even one with mistakes. */
  readonly id: string;
  readonly content: CardContent;
  /** Pixels at rest, of a loop those of its header; the width is `cardMetrics.width`, of a loop that of its container. */
  readonly height: number;
  /** Pixels that the layout leaves for it: what it may need while it runs. */
  readonly room: number;
  /** The loop in whose body it stands; null for most. */
  readonly loopId: string | null;
  /** The group in whose frame it stands; absent for most. */
  readonly groupId?: string;
  /** Where the file puts it. */
  readonly position: NodePosition | null;
}

export interface ProjectedEdge {
  /** As in the events of a run. */
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** The way out by whose row it leaves; null = the card's own port. */
  readonly route: string | null;
  /** Its condition, if it has one that no row tells. */
  readonly label: EdgeLabel | null;
}

export interface FlowProjection {
  readonly nodes: readonly ProjectedNode[];
  readonly edges: readonly ProjectedEdge[];
  /** Where the flow runs to. */
  readonly direction: FlowDirection;
  /** Another object whenever cards, their rooms or edges changed: all that the automatic layout depends on. */
  readonly shape: object;
}

interface ProjectionSource {
  readonly doc: FlowDoc;
  readonly diagnostics: readonly Diagnostic[];
  readonly catalog: NodeTypeCatalog;
}

/** The projection of nothing. */
export const emptyProjection: FlowProjection = { nodes: [], edges: [], direction: 'right', shape: {} };

/** Projects a flow. What did not change since `former` is the same object, so that nothing is drawn again for it. */
export function projectFlow(source: ProjectionSource, former: FlowProjection = emptyProjection): FlowProjection {
  const named = drawnEdges(source.doc);
  const nodes = keepSame(projectNodes(source, named), former.nodes, ({ id }) => id);
  const edges = keepSame(projectEdges(source.doc, named, nodes), former.edges, ({ id }) => id);
  const direction = directionOf(source.doc);
  if (nodes === former.nodes && edges === former.edges && direction === former.direction) return former;
  const next = { nodes, edges, direction };
  return { ...next, shape: hasSameShape(next, former) ? former.shape : {} };
}

function directionOf({ layout }: FlowDoc): FlowDirection {
  return layout?.direction ?? 'right';
}

function projectNodes(
  { doc, diagnostics, catalog }: ProjectionSource,
  edges: readonly CompiledEdge[],
): ProjectedNode[] {
  const problems = groupBy(diagnostics, ({ nodeId }) => nodeId);
  const byId = new Map(doc.nodes.map((node) => [node.id, node]));
  const { ownerOf, bodyOf } = loopNesting(doc);
  const edgesFrom = groupBy(edges, ({ from }) => from);
  const groupOf = groupsOf(doc);
  const titleOf = (id: string): string => byId.get(id)?.name ?? id;
  const hasUpstream = new Set(doc.edges.filter(({ from }) => byId.has(from)).map(({ to }) => to));
  return doc.nodes.map((node) => {
    const loopId = ownerOf.get(node.id) ?? null;
    const spec = catalog.get(node.type);
    const ways = edgesFrom.get(node.id) ?? [];
    const content = contentOf({
      node,
      spec,
      problems: problems.get(node.id) ?? [],
      branches: branchesOf(
        node,
        spec,
        ways.map(({ id, to, when }) => ({ id, target: titleOf(to), route: branchOf(node.id, when) })),
        keepsFailure(doc, node),
      ),
      edgesOut: ways.length,
      isStart: loopId === null && !hasUpstream.has(node.id),
      isTolerated: isFailureTolerated(doc, node, loopId === null ? undefined : byId.get(loopId)),
      bodySize: isLoop(node.type) ? (bodyOf.get(node.id)?.length ?? 0) : null,
    });
    const height = restHeight(content);
    const position = doc.layout?.nodes?.[node.id] ?? null;
    const groupId = groupOf.get(node.id);
    const group = groupId === undefined ? {} : { groupId };
    return { id: node.id, content, height, room: height + growthOf(content), loopId, ...group, position };
  });
}

/** The card last made from a node. A letter elsewhere in the file leaves a node the same object. */
const madeCards = new WeakMap<NodeDoc, { readonly from: CardSource; readonly content: CardContent }>();

function contentOf(source: CardSource): CardContent {
  const { node } = source;
  const made = madeCards.get(node);
  if (made !== undefined && isSameData(made.from, source)) return made.content;
  const content = cardContent(source);
  madeCards.set(node, { from: source, content });
  return content;
}

/** Of each node in a group: the first that names it. */
function groupsOf({ layout }: FlowDoc): ReadonlyMap<string, string> {
  const groups = Object.entries(layout?.groups ?? {}).toReversed();
  return new Map(groups.flatMap(([groupId, { nodes }]) => nodes.map((id) => [id, groupId] as const)));
}

/** The edges that have two ends, with their names. */
function drawnEdges({ nodes, edges }: FlowDoc): CompiledEdge[] {
  const known = new Set(nodes.map(({ id }) => id));
  const taken = new Set<string>();
  return nameEdges(edges).filter(({ id, from, to }) => {
    // An id that stands twice is one of the problems of the file; the first edge keeps it.
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
    // In a flow that runs down the ports stand at the foot, away from their rows; a container has none.
    const hasRow = route !== null && directionOf(doc) === 'right' && !containers.has(from);
    const isTold = when === undefined || hasRow;
    return { id, source: from, target: to, route, label: isTold ? null : edgeLabel(from, when) };
  });
}

/** `fresh` with the objects of `former` wherever they say the same; `former` itself when nothing changed. */
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

/** Compares what the layout knows; most cards and edges are the same objects as before. */
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
