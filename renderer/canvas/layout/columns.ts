/**
 * Assigns each card a column, adds the lanes on which long edges pass the columns in between, and orders each column so
 * that few edges cross.
 */
import { createOutlet, createVertex, type Outlet, type Vertex } from './layout-graph.ts';

/**
 * Assigns a column to every vertex of a connected part: one more than that of its furthest predecessor. Cards with more
 * outgoing than incoming edges are placed as far right as their successors allow, which keeps edges short.
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

/** Orders each vertex after its predecessors. */
function inFlowOrder(part: readonly Vertex[]): Vertex[] {
  const missing = new Map(part.map((vertex) => [vertex, vertex.upstream.length]));
  const ordered = part.filter((vertex) => vertex.upstream.length === 0);
  // `ordered` grows during the iteration.
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
 * Sorts a part into columns and links each vertex with its neighbors there. All edges of one outlet share a lane,
 * because they carry the same value. The result stays small even for a card with many consumers.
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

const sweeps = 8;

/** Sorts each column in place and numbers its vertices. Deterministic. */
export function orderColumns(columns: readonly Vertex[][]): void {
  startInFlowOrder(columns);
  let best = columns.map((column) => [...column]);
  let fewest = countCrossings(columns);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    if (sweep % 2 === 0) for (const column of columns) sortColumn(column, 'left');
    else for (const column of columns.toReversed()) sortColumn(column, 'right');
    const crossings = countCrossings(columns);
    if (crossings < fewest) {
      fewest = crossings;
      best = columns.map((column) => [...column]);
    }
  }
  best.forEach((column, index) => {
    columns[index]?.splice(0, column.length, ...column);
    number(column);
  });
}

/** Traverses the graph depth-first from the first card of the file, so that related cards start together. */
function startInFlowOrder(columns: readonly Vertex[][]): void {
  const ordered: Vertex[][] = columns.map(() => []);
  const seen = new Set<Vertex>();
  for (const root of columns.flat()) {
    const open = [root];
    for (let vertex = open.pop(); vertex !== undefined; vertex = open.pop()) {
      if (seen.has(vertex)) continue;
      seen.add(vertex);
      ordered[vertex.column]?.push(vertex);
      open.push(...vertex.right.map(({ to }) => to).toReversed());
    }
  }
  ordered.forEach((column, index) => {
    columns[index]?.splice(0, column.length, ...column);
    number(column);
  });
}

function sortColumn(column: Vertex[], side: 'left' | 'right'): void {
  const wish = new Map(column.map((vertex) => [vertex, middleOf(vertex, side)]));
  column.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || a.order - b.order);
  number(column);
}

/** Returns the mean position of the neighbors on one side, or the vertex's current position if there are none. */
function middleOf(vertex: Vertex, side: 'left' | 'right'): number {
  const neighbours = vertex[side];
  if (neighbours.length === 0) return vertex.order;
  return neighbours.reduce((sum, { to }) => sum + to.order, 0) / neighbours.length;
}

function number(column: readonly Vertex[]): void {
  column.forEach((vertex, order) => {
    vertex.order = order;
  });
}

function countCrossings(columns: readonly Vertex[][]): number {
  return columns.reduce((sum, column, index) => sum + crossingsBetween(column, columns[index + 1]?.length ?? 0), 0);
}

/** Counts pairs of links in the wrong order, using a binary indexed tree over the positions of the right column. */
function crossingsBetween(column: readonly Vertex[], rightSize: number): number {
  const tree = new Int32Array(rightSize + 1);
  let crossings = 0;
  let seen = 0;
  for (const vertex of column) {
    const places = vertex.right.map(({ to }) => to.order);
    for (const place of places) {
      let upTo = 0;
      for (let at = place + 1; at > 0; at -= at & -at) upTo += tree[at] ?? 0;
      crossings += seen - upTo;
    }
    for (const place of places) {
      for (let at = place + 1; at <= rightSize; at += at & -at) tree[at] = (tree[at] ?? 0) + 1;
    }
    seen += places.length;
  }
  return crossings;
}
