/**
 * Which column each card stands in, and the lanes on which long edges pass the columns between.
 */
import { createOutlet, createVertex, type Outlet, type Vertex } from './layout-graph.ts';

/**
 * Gives every vertex of a connected part its column: one more than the furthest of its upstream, and cards with more
 * ways out than in as far right as their downstream allows, which keeps edges short.
 */
export function assignColumns(part: readonly Vertex[]): void {
  const ordered = inFlowOrder(part);
  for (const vertex of ordered) {
    vertex.column = Math.max(-1, ...vertex.upstream.map(({ column }) => column)) + 1;
  }
  for (const vertex of ordered.toReversed()) {
    if (vertex.downstream.length > vertex.upstream.length) {
      vertex.column = Math.min(...vertex.downstream.map(({ column }) => column)) - 1;
    }
  }
}

/** Each vertex after its upstream. */
function inFlowOrder(part: readonly Vertex[]): Vertex[] {
  const missing = new Map(part.map((vertex) => [vertex, vertex.upstream.length]));
  const ordered = part.filter((vertex) => vertex.upstream.length === 0);
  // `ordered` grows while it is walked.
  for (const vertex of ordered) {
    for (const next of vertex.downstream) {
      const left = (missing.get(next) ?? 0) - 1;
      missing.set(next, left);
      if (left === 0) ordered.push(next);
    }
  }
  return ordered;
}

/**
 * Sorts a part into columns and links each vertex with its neighbours there. All edges of one outlet share a lane, as
 * they carry the same thing; the result stays small even for a card that everybody uses.
 */
export function buildColumns(part: readonly Vertex[]): Vertex[][] {
  const columns: Vertex[][] = [];
  const stand = (vertex: Vertex): void => {
    const column = columns[vertex.column] ?? [];
    columns[vertex.column] = column;
    column.push(vertex);
  };
  for (const vertex of part) stand(vertex);
  for (const vertex of part) {
    for (const outlet of vertex.outlets) linkOutlet(vertex, outlet, stand);
  }
  return columns;
}

function linkOutlet(vertex: Vertex, outlet: Outlet, stand: (lane: Vertex) => void): void {
  let end = { vertex, outlet };
  for (const target of outlet.targets.toSorted((a, b) => a.column - b.column)) {
    while (end.vertex.column < target.column - 1) {
      const lane = createVertex(null, end.vertex.column + 1);
      const way = createOutlet(0, []);
      lane.outlets = [way];
      stand(lane);
      link(end, lane);
      end = { vertex: lane, outlet: way };
    }
    link(end, target);
  }
}

function link({ vertex, outlet }: { readonly vertex: Vertex; readonly outlet: Outlet }, to: Vertex): void {
  const { rise } = outlet;
  outlet.right.push(to);
  vertex.right.push({ to, rise });
  to.left.push({ to: vertex, rise });
}
