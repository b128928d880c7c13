/**
 * The graph used by the layout. Vertices are mutable while the layout runs and are not exposed outside this folder.
 */
import { cardMetrics } from '../../card/card-metrics.ts';

/** A card to place, together with the area below it that must stay attached. */
export interface LayoutNode {
  readonly id: string;
  /** Width in pixels. Undefined for the default card width. */
  readonly width?: number;
  /** Height in pixels, including the room it may need during a run. */
  readonly height: number;
  /** Distance of its ports from its top. Undefined for the default of a card. */
  readonly port?: number;
}

/** Returns the distance of a card's ports from its top. */
export function portOf({ port = cardMetrics.portY }: LayoutNode): number {
  return port;
}

export interface LayoutEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** Distance of the outgoing port from the top of its card. Undefined for the card's default port. */
  readonly out?: number | undefined;
  /** Width of its label in pixels. 0 or undefined if it has none. */
  readonly labelWidth?: number;
}

/** A neighbor in an adjacent column, and how far below the line of the left vertex the link is. */
export interface Link {
  readonly to: Vertex;
  readonly rise: number;
}

/** A place where edges leave a vertex. Most cards have one. */
export interface Outlet {
  /** Distance below the line of its vertex. */
  readonly rise: number;
  readonly targets: readonly Vertex[];
  /** The vertices it leads to in the next column, including lanes. */
  readonly right: Vertex[];
  /** Distance from the middle of the gutter to where its edges turn. */
  trunk: number;
}

/** A card, or a lane: the place where a long edge passes a column. */
export interface Vertex {
  /** The card, or null for a lane. */
  readonly card: LayoutNode | null;
  /** Predecessors in the flow. Never cyclic: links that would close a cycle are omitted. */
  readonly upstream: Vertex[];
  readonly downstream: Vertex[];
  /** Neighbors in the adjacent columns, including lanes. */
  readonly left: Link[];
  readonly right: Link[];
  /** Ordered from top to bottom. */
  outlets: readonly Outlet[];
  column: number;
  /** Index in its column, from 0. */
  order: number;
  /** Height of its port, or of the line that passes. */
  y: number;
  /**
   * Pixels for labels to the right, before its edges turn, and to the left, after the last turn of its incoming edges.
   */
  leadRoom: number;
  entryRoom: number;
}

/** Creates a vertex without links. */
export function createVertex(card: LayoutNode | null, column: number): Vertex {
  return {
    card,
    upstream: [],
    downstream: [],
    left: [],
    right: [],
    outlets: [],
    column,
    order: 0,
    y: 0,
    leadRoom: 0,
    entryRoom: 0,
  };
}

/**
 * Returns the vertices of all cards by ID, linked by the edges. Edges to missing cards, duplicates and cycles are
 * omitted.
 */
export function buildGraph(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Map<string, Vertex> {
  const vertices = new Map(nodes.map((node) => [node.id, createVertex(node, 0)]));
  const links = new Set<string>();
  for (const { source, target } of edges) {
    const from = vertices.get(source);
    const to = vertices.get(target);
    const link = JSON.stringify([source, target]);
    if (from === undefined || to === undefined || from === to || links.has(link)) continue;
    links.add(link);
    from.downstream.push(to);
    to.upstream.push(from);
  }
  cutCircles([...vertices.values()]);
  findOutlets(vertices, edges);
  makeRoomForLabels(vertices, edges);
  return vertices;
}

/** Returns how far below the line of its card an edge leaves. */
export function riseOf(card: LayoutNode, { out }: Pick<LayoutEdge, 'out'>): number {
  return out === undefined ? 0 : out - portOf(card);
}

export function createOutlet(rise: number, targets: readonly Vertex[]): Outlet {
  return { rise, targets, right: [], trunk: 0 };
}

function findOutlets(vertices: ReadonlyMap<string, Vertex>, edges: readonly LayoutEdge[]): void {
  const targetsOf = new Map<Vertex, Map<number, Set<Vertex>>>();
  const known = new Map([...vertices.values()].map((vertex) => [vertex, new Set(vertex.downstream)]));
  for (const edge of edges) {
    const from = vertices.get(edge.source);
    const to = vertices.get(edge.target);
    if (from === undefined || to === undefined || from.card === null || known.get(from)?.has(to) !== true) continue;
    const rise = riseOf(from.card, edge);
    const ways = targetsOf.get(from) ?? new Map<number, Set<Vertex>>();
    targetsOf.set(from, ways.set(rise, (ways.get(rise) ?? new Set<Vertex>()).add(to)));
  }
  for (const [vertex, ways] of targetsOf) {
    vertex.outlets = [...ways]
      .map(([rise, targets]) => createOutlet(rise, [...targets]))
      .sort((a, b) => a.rise - b.rise);
  }
}

/**
 * Returns the IDs of cards with a single outgoing edge. Its label is directly after the card; other labels are placed
 * after the edges have separated.
 */
export function singleSources(edges: readonly Pick<LayoutEdge, 'source'>[]): ReadonlySet<string> {
  const single = new Set<string>();
  const seen = new Set<string>();
  for (const { source } of edges) {
    if (seen.has(source)) single.delete(source);
    else single.add(source);
    seen.add(source);
  }
  return single;
}

function makeRoomForLabels(vertices: ReadonlyMap<string, Vertex>, edges: readonly LayoutEdge[]): void {
  const single = singleSources(edges);
  for (const { source, target, labelWidth = 0 } of edges) {
    const from = vertices.get(source);
    const to = vertices.get(target);
    if (labelWidth === 0 || from === undefined || to === undefined) continue;
    if (single.has(source)) from.leadRoom = Math.max(from.leadRoom, labelWidth);
    else to.entryRoom = Math.max(to.entryRoom, labelWidth);
  }
}

/** Traverses depth-first from each vertex and cuts the links that lead back into the current path. */
function cutCircles(vertices: readonly Vertex[]): void {
  const seen = new Set<Vertex>();
  for (const root of vertices) if (!seen.has(root)) cutCirclesFrom(root, seen);
}

/** Not recursive, because a chain of thousands would exhaust the stack. */
function cutCirclesFrom(root: Vertex, seen: Set<Vertex>): void {
  const path = [{ vertex: root, next: 0 }];
  const onPath = new Set([root]);
  seen.add(root);
  for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
    const child = step.vertex.downstream[step.next];
    if (child === undefined) {
      onPath.delete(step.vertex);
      path.pop();
    } else if (onPath.has(child)) {
      unlink(step.vertex, child);
    } else {
      step.next += 1;
      if (seen.has(child)) continue;
      seen.add(child);
      onPath.add(child);
      path.push({ vertex: child, next: 0 });
    }
  }
}

function unlink(from: Vertex, to: Vertex): void {
  from.downstream.splice(from.downstream.indexOf(to), 1);
  to.upstream.splice(to.upstream.indexOf(from), 1);
}

/** Returns the connected parts, in the order of their first vertices. */
export function splitParts(vertices: Iterable<Vertex>): Vertex[][] {
  const parts: Vertex[][] = [];
  const seen = new Set<Vertex>();
  for (const root of vertices) {
    if (seen.has(root)) continue;
    seen.add(root);
    const part = [root];
    // `part` grows during the iteration.
    for (const vertex of part) {
      for (const neighbour of [...vertex.upstream, ...vertex.downstream]) {
        if (seen.has(neighbour)) continue;
        seen.add(neighbour);
        part.push(neighbour);
      }
    }
    parts.push(part);
  }
  return parts;
}
