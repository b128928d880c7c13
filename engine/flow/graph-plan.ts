/**
 * A compiled graph with everything looked up that scheduling asks again and again; made once for each graph.
 */
import { prepareBindings } from '../flowspec/bindings.ts';
import type { CompiledEdge, CompiledGraph, CompiledNode } from '../flowspec/compiled-flow.ts';

/** An edge seen from its source. */
export interface OutgoingEdge {
  readonly edge: CompiledEdge;
  /** Rank of the target. */
  readonly to: number;
}

/** Nodes by rank: their order in the file, which decides between nodes that could start at the same time. */
export interface GraphPlan {
  readonly nodes: readonly CompiledNode[];
  /** By rank. */
  readonly outgoing: readonly (readonly OutgoingEdge[])[];
  /** Ranks such that every node stands behind its upstream nodes. */
  readonly startOrder: readonly number[];
}

const plans = new WeakMap<CompiledGraph, GraphPlan>();

/** The plan of a graph; a compiled graph never changes, so its plan is kept. */
export function planOf(graph: CompiledGraph): GraphPlan {
  let plan = plans.get(graph);
  if (plan === undefined) {
    plan = createPlan(graph);
    plans.set(graph, plan);
  }
  return plan;
}

/** Looks up now what would otherwise be looked up while the graph runs, so that its first run is as quick as later ones. */
export function prepareGraph(graph: CompiledGraph): void {
  planOf(graph);
  for (const { input, body } of graph.nodes) {
    prepareBindings(input);
    if (body !== undefined) prepareGraph(body);
  }
}

function createPlan(graph: CompiledGraph): GraphPlan {
  const nodes = [...graph.nodes].sort((a, b) => a.position - b.position);
  const rankOf = new Map(nodes.map(({ id }, rank) => [id, rank]));
  return {
    nodes,
    outgoing: nodes.map(({ outgoing }) =>
      outgoing.flatMap((edge) => {
        const to = rankOf.get(edge.to);
        return to === undefined ? [] : [{ edge, to }];
      }),
    ),
    startOrder: graph.nodes.flatMap(({ id }) => rankOf.get(id) ?? []),
  };
}

/**
 * Whether the node's failure ends its graph. A node that says nothing follows the flow's policy; an explicit word of its
 * own comes first, also an explicit no.
 */
export function endsGraph({ policy }: CompiledNode, failFast: boolean): boolean {
  return policy.continueOnError === undefined ? failFast : !policy.continueOnError;
}
