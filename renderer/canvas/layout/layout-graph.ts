/**
 * The graph as the layout works on it. Vertices are changed in place while the layout runs and never leave this folder.
 */
import { cardMetrics } from '../../card/card-metrics.ts';

/** A card to place, with what stands below it and must stay there. */
export interface LayoutNode {
  readonly id: string;
  /** Pixels; that of a card when absent. */
  readonly width?: number;
  /** Pixels, with the room it may need while it runs. */
  readonly height: number;
  /** How far below its top its edges arrive and leave; that of a card when absent. */
  readonly port?: number;
}

/** How far below the top of a card its ports are. */
export function portOf({ port = cardMetrics.portY }: LayoutNode): number {
  return port;
}

export interface LayoutEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** How far below the top of its card it leaves; where the card's edges do when absent. */
  readonly out?: number | undefined;
  /** Pixels that its label needs; 0 or absent = it has none. */
  readonly labelWidth?: number;
}

/** A neighbour in the column beside, and how much lower than the line of the left one of the two they are linked. */
export interface Link {
  readonly to: Vertex;
  readonly rise: number;
}

/** A place where edges leave a vertex. Most cards have one. */
export interface Outlet {
  /** How much lower than the line of its vertex. */
  readonly rise: number;
  readonly targets: readonly Vertex[];
  /** What it leads to in the next column, lanes included. */
  readonly right: Vertex[];
  /** How far right of the middle of the gutter its edges turn. */
  trunk: number;
}

/** A card, or a lane: the place where a long edge passes a column. */
export interface Vertex {
  /** null for a lane. */
  readonly card: LayoutNode | null;
  /** Neighbours in the flow. Never a circle: links that would close one are left out. */
  readonly upstream: Vertex[];
  readonly downstream: Vertex[];
  /** Neighbours in the columns beside it, lanes included. */
  readonly left: Link[];
  readonly right: Link[];
  /** From the highest to the lowest. */
  outlets: readonly Outlet[];
  column: number;
  /** Place in its column, from 0. */
  order: number;
  /** Height of its port, or of the line that passes. */
  y: number;
  /** Pixels for labels right of it, before its edges turn, and left of it, behind the last turn of its incoming edges. */
  leadRoom: number;
  entryRoom: number;
}

/** A vertex without links. */
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

/** Vertices of all cards by id, linked by the edges; edges to nowhere, repeats and circles are left out. */
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

/** How much lower than the line of its card an edge leaves. */
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

/** Ids of the cards with one edge out: its label stands right behind the card; others stand where the edges have parted. */
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

/** Walks in depth from each vertex and cuts the links that lead back into the path walked. */
function cutCircles(vertices: readonly Vertex[]): void {
  const seen = new Set<Vertex>();
  for (const root of vertices) if (!seen.has(root)) cutCirclesFrom(root, seen);
}

/** Without recursion: a chain of thousands would exhaust the stack. */
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

/** The connected parts, in the order of their first vertices. */
export function splitParts(vertices: Iterable<Vertex>): Vertex[][] {
  const parts: Vertex[][] = [];
  const seen = new Set<Vertex>();
  for (const root of vertices) {
    if (seen.has(root)) continue;
    seen.add(root);
    const part = [root];
    // `part` grows while it is walked.
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
