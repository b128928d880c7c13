/**
 * The edges of an imported flow: conditions from ports, loops as one node, no duplicates and no cycles.
 */
import type { EdgeDoc, WhenExpr } from '../flow/flow-doc.ts';
import type { SourceFormat } from './mapping.ts';
import type { SourceEdge, SourceNode } from './source-flow.ts';
import type { SourceGraph } from './source-graph.ts';

interface NewEdges {
  readonly edges: readonly EdgeDoc[];
  /** Edges that would close a cycle, by the keys of their nodes. */
  readonly cyclic: readonly SourceEdge[];
}

/**
 * Returns the edges between the nodes of a flow.
 * @param branching keys of placeholders that chose a branch: nothing runs behind them until they have a value
 */
export function newEdges(graph: SourceGraph, format: SourceFormat, branching: ReadonlySet<string>): NewEdges {
  const merged = new Map<string, { edge: SourceEdge; when: WhenExpr | undefined }>();
  for (const edge of graph.flow.edges) {
    const lifted = format.isOrder(edge) ? liftedEdge(edge, graph) : undefined;
    if (lifted === undefined) continue;
    const when = conditionOf(edge, graph, branching);
    const name = JSON.stringify([lifted.from, lifted.to]);
    const earlier = merged.get(name);
    if (earlier === undefined) merged.set(name, { edge: lifted, when });
    else earlier.when = either(earlier.when, when);
  }
  const cyclic = closingEdges([...merged.values()].map(({ edge }) => edge));
  const left = new Set(cyclic);
  const idOf = (key: string): string => graph.idOf(graph.node(key) as SourceNode);
  const edges = [...merged.values()].flatMap(({ edge, when }): EdgeDoc[] =>
    left.has(edge) ? [] : [{ from: idOf(edge.from), to: idOf(edge.to), ...(when === undefined ? {} : { when }) }],
  );
  return { edges, cyclic };
}

/** Returns an edge between nodes of the same body: a node inside a loop is replaced by the loop. */
function liftedEdge(edge: SourceEdge, graph: SourceGraph): SourceEdge | undefined {
  const [from, to] = [graph.node(edge.from), graph.node(edge.to)];
  if (from === undefined || to === undefined || !graph.isNode(from) || !graph.isNode(to)) return undefined;
  // The loop itself runs its body, and knows when an iteration ends.
  if (to.parent === from.key || from.parent === to.key) return undefined;
  const ofFrom = [from.key, ...graph.loopsAround(from)];
  const ofTo = [to.key, ...graph.loopsAround(to)];
  while (ofFrom.length > 1 && ofTo.length > 1 && ofFrom.at(-1) === ofTo.at(-1)) {
    ofFrom.pop();
    ofTo.pop();
  }
  const [first, second] = [ofFrom.at(-1) ?? from.key, ofTo.at(-1) ?? to.key];
  return first === second && from !== to ? undefined : { ...edge, from: first, to: second };
}

function conditionOf(edge: SourceEdge, graph: SourceGraph, branching: ReadonlySet<string>): WhenExpr | undefined {
  const node = graph.node(edge.from);
  if (node === undefined) return undefined;
  if (branching.has(edge.from)) return { exists: `${graph.idOf(node)}.value` };
  return graph.mappingOf(node).when?.(edge.fromPort, node, graph);
}

function either(left: WhenExpr | undefined, right: WhenExpr | undefined): WhenExpr | undefined {
  if (left === undefined || right === undefined) return undefined;
  return 'or' in left ? { or: [...left.or, right] } : { or: [left, right] };
}

/** Returns the edges that lead back to a node on the path to them. Does not recurse: a graph may be a long chain. */
function closingEdges(edges: readonly SourceEdge[]): readonly SourceEdge[] {
  const hasIncoming = new Set(edges.map(({ to }) => to));
  const search = new ClosingSearch(edges);
  // From the starts of the graph, so that edges back to them are the ones left out.
  for (const { from } of edges) if (!hasIncoming.has(from)) search.visitFrom(from);
  for (const { from } of edges) search.visitFrom(from);
  return search.closing;
}

class ClosingSearch {
  readonly closing: SourceEdge[] = [];
  readonly #next = new Map<string, SourceEdge[]>();
  readonly #state = new Map<string, 'open' | 'done'>();

  constructor(edges: readonly SourceEdge[]) {
    for (const edge of edges) {
      const list = this.#next.get(edge.from);
      if (list === undefined) this.#next.set(edge.from, [edge]);
      else list.push(edge);
    }
  }

  visitFrom(start: string): void {
    if (this.#state.has(start)) return;
    this.#state.set(start, 'open');
    const trail = [{ key: start, place: 0 }];
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const edge = this.#next.get(top.key)?.[top.place];
      top.place += 1;
      if (edge === undefined) {
        this.#state.set(top.key, 'done');
        trail.pop();
      } else if (this.#enters(edge)) trail.push({ key: edge.to, place: 0 });
    }
  }

  #enters(edge: SourceEdge): boolean {
    const state = this.#state.get(edge.to);
    if (state === 'open') this.closing.push(edge);
    if (state === undefined) this.#state.set(edge.to, 'open');
    return state === undefined;
  }
}
