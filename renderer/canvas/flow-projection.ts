/**
 * A flow as the canvas draws it: a card for each node, with its size, and a line for each edge that has two ends.
 */
import type { Diagnostic, FlowDoc, NodePosition, NodeTypeCatalog } from '../../engine/isomorphic.ts';
import { nameEdges } from '../../engine/isomorphic.ts';
import { loopNesting } from '../stores/loop-nesting.ts';
import { isFailureTolerated } from '../stores/shown-state.ts';
import { type CardContent, cardContent, growthOf, restHeight } from './card-content.ts';
import type { FlowDirection } from './card-ports.ts';
import { type EdgeLabel, edgeLabel } from './edge-label.ts';
import { groupBy } from './group-by.ts';
import { isSameData } from './same-data.ts';

export interface ProjectedNode {
  /** The node's id. A document has each only once, even one with mistakes. */
  readonly id: string;
  readonly content: CardContent;
  /** Pixels at rest; the width is always `cardMetrics.width`. */
  readonly height: number;
  /** Pixels that the layout leaves for it: what it may need while it runs. */
  readonly room: number;
  /** The loop in whose body it stands; null for most. */
  readonly loopId: string | null;
  /** Where the file puts it. */
  readonly position: NodePosition | null;
}

export interface ProjectedEdge {
  /** As in the events of a run. */
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** Its condition, if it has one. */
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

export interface ProjectionSource {
  readonly doc: FlowDoc;
  readonly diagnostics: readonly Diagnostic[];
  readonly catalog: NodeTypeCatalog;
}

/** The projection of nothing. */
export const emptyProjection: FlowProjection = { nodes: [], edges: [], direction: 'right', shape: {} };

/** Projects a flow. What did not change since `former` is the same object, so that nothing is drawn again for it. */
export function projectFlow(source: ProjectionSource, former: FlowProjection = emptyProjection): FlowProjection {
  const nodes = keepSame(projectNodes(source), former.nodes, ({ id }) => id);
  const edges = keepSame(projectEdges(source.doc), former.edges, ({ id }) => id);
  const direction = directionOf(source.doc);
  if (nodes === former.nodes && edges === former.edges && direction === former.direction) return former;
  const next = { nodes, edges, direction };
  return { ...next, shape: hasSameShape(next, former) ? former.shape : {} };
}

function directionOf({ layout }: FlowDoc): FlowDirection {
  return layout?.direction ?? 'right';
}

function projectNodes({ doc, diagnostics, catalog }: ProjectionSource): ProjectedNode[] {
  const problems = groupBy(diagnostics, ({ nodeId }) => nodeId);
  const byId = new Map(doc.nodes.map((node) => [node.id, node]));
  const { ownerOf, bodyOf } = loopNesting(doc);
  const hasUpstream = new Set(doc.edges.filter(({ from }) => byId.has(from)).map(({ to }) => to));
  return doc.nodes.map((node) => {
    const loopId = ownerOf.get(node.id) ?? null;
    const content = cardContent({
      node,
      spec: catalog.get(node.type),
      problems: problems.get(node.id) ?? [],
      isStart: loopId === null && !hasUpstream.has(node.id),
      isTolerated: isFailureTolerated(doc, node, loopId === null ? undefined : byId.get(loopId)),
      bodySize: bodyOf.get(node.id)?.length ?? null,
    });
    const height = restHeight(content);
    const position = doc.layout?.nodes?.[node.id] ?? null;
    return { id: node.id, content, height, room: height + growthOf(content), loopId, position };
  });
}

function projectEdges({ nodes, edges }: FlowDoc): ProjectedEdge[] {
  const known = new Set(nodes.map(({ id }) => id));
  const taken = new Set<string>();
  return nameEdges(edges).flatMap(({ id, from, to, when }) => {
    // An id that stands twice is one of the problems of the file; the first edge keeps it.
    if (taken.has(id) || !known.has(from) || !known.has(to)) return [];
    taken.add(id);
    return [{ id, source: from, target: to, label: when === undefined ? null : edgeLabel(from, when) }];
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
  return node === before || (node.id === before?.id && node.room === before.room && node.loopId === before.loopId);
}
