/**
 * A compiled graph with everything looked up that scheduling asks again and again, made once for each graph; and what its
 * edges say about its nodes while it runs.
 */
import type { BindingContext } from '../flowspec/binding-path.ts';
import { prepareBindings, type Resolver } from '../flowspec/bindings.ts';
import type { CompiledEdge, CompiledGraph, CompiledNode } from '../flowspec/compiled-flow.ts';
import type { WhenExpr } from '../flowspec/flow-doc.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { skipMarker } from '../flowspec/markers.ts';
import { evaluateWhen, explainWhen, isUndecided, type WhenTrace } from '../flowspec/when.ts';
import type { NodeEvent } from '../kernel/run-event.ts';

/** What nodes have given, by their ids. */
export type OutputsById = Pick<ReadonlyMap<string, JsonValue>, 'get'>;

/** An edge seen from its source. */
interface OutgoingEdge {
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
  readonly rankOf: ReadonlyMap<string, number>;
  /** Ids of the nodes that nothing follows, in the order of the graph. */
  readonly lastIds: readonly string[];
  /** By rank: what fills in the bindings of a node's input. Made when first asked for. */
  readonly resolvers: (Resolver | undefined)[];
}

/** By the nodes of the graph: a run may have a policy of its own for the same ones. */
const plans = new WeakMap<CompiledGraph['nodes'], GraphPlan>();

/** The plan of a graph; a compiled graph never changes, so its plan is kept. */
export function planOf(graph: CompiledGraph): GraphPlan {
  let plan = plans.get(graph.nodes);
  if (plan === undefined) {
    plan = createPlan(graph);
    plans.set(graph.nodes, plan);
  }
  return plan;
}

/** Looks up now what would otherwise be looked up while the graph runs, so that its first run is as quick as later ones. */
export function prepareGraph(graph: CompiledGraph): void {
  const plan = planOf(graph);
  for (const [rank, { body }] of plan.nodes.entries()) {
    resolverAt(plan, rank);
    if (body !== undefined) prepareGraph(body);
  }
}

/** What fills in the bindings of a node's input. Kept here: looked up by the input, it takes a tenth of the time of a large flow. */
export function resolverAt({ nodes, resolvers }: GraphPlan, rank: number): Resolver | undefined {
  const node = nodes[rank];
  if (node !== undefined) resolvers[rank] ??= prepareBindings(node.input);
  return resolvers[rank];
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
    rankOf,
    lastIds: graph.nodes.filter(({ outgoing }) => outgoing.length === 0).map(({ id }) => id),
    resolvers: new Array<Resolver | undefined>(nodes.length),
  };
}

/**
 * Whether the node's failure ends its graph. A node that says nothing follows the flow's policy; an explicit word of its
 * own comes first, also an explicit no.
 */
export function endsGraph({ policy }: CompiledNode, failFast: boolean): boolean {
  return policy.continueOnError === undefined ? failFast : !policy.continueOnError;
}

/** Whether an edge of the file goes this way out of the node. */
export function isWiredTo({ id, outgoing }: Pick<CompiledNode, 'id' | 'outgoing'>, route: string): boolean {
  return outgoing.some(({ when }) => when !== undefined && namesRoute(when, id, route));
}

function namesRoute(when: WhenExpr, nodeId: string, route: string): boolean {
  if ('equals' in when) return when.equals.var === `${nodeId}.route` && when.equals.value === route;
  if ('and' in when) return when.and.some((part) => namesRoute(part, nodeId, route));
  return 'or' in when && when.or.some((part) => namesRoute(part, nodeId, route));
}

/** What bindings and conditions see in a graph that runs: its own nodes, and what is around it. */
export function contextIn(
  { nodes, rankOf }: GraphPlan,
  {
    outputs,
    outer,
    failFast,
  }: {
    readonly outputs: OutputsById;
    readonly outer: BindingContext;
    readonly failFast: boolean;
  },
): BindingContext {
  return {
    get: (root) => outputs.get(root) ?? outer.get(root),
    keepsFailure(root) {
      const node = nodes[rankOf.get(root) ?? -1];
      return node === undefined ? (outer.keepsFailure?.(root) ?? false) : !endsGraph(node, failFast);
    },
    stepValues: outer.stepValues,
  };
}

/**
 * Which nodes' edges are still waited for, and whether one of them fired.
 * By rank of the node that edges lead to. A node without edges is reached from the start.
 */
export class EdgeGates {
  readonly #undecided: Int32Array;
  /** 1 = some edge fired, or there is none. */
  readonly #reached: Uint8Array;
  /** What the conditions of edges saw that did not fire. */
  readonly #traces = new Map<number, WhenTrace[]>();

  constructor({ nodes }: GraphPlan) {
    this.#undecided = new Int32Array(nodes.length);
    this.#reached = new Uint8Array(nodes.length);
    for (const [rank, { incomingCount }] of nodes.entries()) {
      this.#undecided[rank] = incomingCount;
      if (incomingCount === 0) this.#reached[rank] = 1;
    }
  }

  /** True when every edge to the node is decided. */
  isOpen(rank: number): boolean {
    return this.#undecided[rank] === 0;
  }

  /** True when some edge to the node fired, or there is none. */
  isReached(rank: number): boolean {
    return this.#reached[rank] === 1;
  }

  /** Takes the decision of one edge. Returns whether it was the last that the node waited for. */
  decide(rank: number, isFired: boolean, trace: WhenTrace | undefined): boolean {
    if (isFired) this.#reached[rank] = 1;
    else if (trace !== undefined) this.#keepTrace(rank, trace);
    const left = (this.#undecided[rank] ?? 0) - 1;
    this.#undecided[rank] = left;
    return left === 0;
  }

  /** Why no edge to the node fired: the conditions of all of them. */
  explain(rank: number): WhenTrace {
    return { op: 'or', of: this.#traces.get(rank) ?? [], result: false };
  }

  #keepTrace(rank: number, trace: WhenTrace): void {
    const traces = this.#traces.get(rank);
    if (traces === undefined) this.#traces.set(rank, [trace]);
    else traces.push(trace);
  }
}

/** Why a node does not run. */
export type Skip = Omit<Extract<NodeEvent, { type: 'node:skipped' }>, 'type' | 'nodeId'>;

type AsNoted = { readonly [Key in keyof Skip]: Skip[Key] | undefined };

/** The marker of a node that was skipped. `words`: what its agent said of it. */
export function markerOf({
  reason,
  detail,
  suggestion,
  words,
}: AsNoted & { readonly reason: Skip['reason']; readonly words?: string | undefined }): JsonValue {
  const inWords = words === undefined ? undefined : () => words;
  return skipMarker(reason, detail === undefined ? inWords : () => explainWhen(detail), suggestion);
}

/** Null for a node that runs. Comes before its task opens and before its bindings are resolved; of an open task nothing is asked. */
export function skipOf(
  node: CompiledNode,
  rank: number,
  { gates, context, isOpen }: { readonly gates: EdgeGates; readonly context: BindingContext; readonly isOpen: boolean },
): Skip | null {
  if (node.disabled) return { reason: 'disabled' };
  if (!gates.isReached(rank)) return skipFor('edge', gates.explain(rank));
  if (node.when === undefined || isOpen) return null;
  const detail = evaluateWhen(node.when, context);
  return detail.result ? null : skipFor('when', detail);
}

function skipFor(reason: 'when' | 'edge', detail: WhenTrace): Skip {
  return { reason: isUndecided(detail) ? 'suggested' : reason, detail };
}
