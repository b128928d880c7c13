/**
 * Compiles a valid document to the graph that the runner executes: with a start order, defaults and edge names.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { JsonMap } from '../json/json-value.ts';
import { asSteps } from '../steps/compile-steps.ts';
import type { CompiledEdge, CompiledFlow, CompiledGraph, CompiledNode, CompiledNodePolicy } from './compiled-flow.ts';
import type { EdgeDoc, FlowDoc, NodeDoc, NodePolicy } from './flow-doc.ts';
import { defaultInputs } from './flow-interface.ts';
import { MAX_NESTING_DEPTH } from './flow-limits.ts';
import { findLoops, isLoop, type Loop, type LoopNesting, loopsAround } from './loops.ts';
import { orderNodes } from './node-order.ts';

/**
 * Compiles a document. Edge endpoints must exist, IDs must be unique, and all entries of a body must be IDs, as
 * validated by `parseFlow` and `validateFlow`.
 * @throws EngineError `flow.invalid` if the edges form a cycle or cross a body's boundary, or if a loop contains
 * itself
 */
export function compileFlow(doc: FlowDoc): CompiledFlow {
  const { order, stuck } = orderNodes(doc);
  if (stuck.length > 0) throw cycleError(stuck);
  const nesting = findLoops(doc.nodes);
  for (const loop of nesting.loops) refuseCircle(loop, nesting);
  const graphs = groupByBody(order, nameEdges(doc.edges), nesting);
  const positionOf = new Map(doc.nodes.map(({ id }, position) => [id, position]));
  const { inputs, outputs } = doc.flow;
  const flow: CompiledFlow = {
    name: doc.flow.name,
    inputs: defaultInputs(doc.flow),
    ...(inputs === undefined ? {} : { inputDocs: inputs }),
    ...(outputs === undefined ? {} : { outputs }),
    policy: { failFast: true, maxParallel: 1, ...doc.flow.policy },
    ...compileGraph(undefined, graphs, positionOf),
  };
  return doc.steps === undefined ? flow : asSteps(flow, doc.steps);
}

function refuseCircle(loop: Loop, nesting: LoopNesting): void {
  const around = loopsAround(loop.id, nesting);
  if (!around.includes(loop) && around.length < MAX_NESTING_DEPTH) return;
  throw invalid(`The loop "${loop.id}" contains itself, or is nested more than ${MAX_NESTING_DEPTH} levels deep.`);
}

interface GraphDraft {
  readonly nodes: NodeDoc[];
  readonly edges: CompiledEdge[];
}

/** Graphs by their loop's ID; undefined for the top level. */
type GraphsByBody = ReadonlyMap<string | undefined, GraphDraft>;

function groupByBody(nodes: readonly NodeDoc[], edges: readonly CompiledEdge[], { loopOf }: LoopNesting): GraphsByBody {
  const graphs = new Map<string | undefined, GraphDraft>();
  const graphOf = (id: string): GraphDraft => {
    const owner = loopOf.get(id)?.id;
    const known = graphs.get(owner);
    const graph = known ?? { nodes: [], edges: [] };
    if (known === undefined) graphs.set(owner, graph);
    return graph;
  };
  for (const node of nodes) graphOf(node.id).nodes.push(node);
  for (const edge of edges) {
    const graph = graphOf(edge.from);
    if (graph !== graphOf(edge.to)) throw invalid(`The edge "${edge.id}" crosses the boundary of a loop's body.`);
    graph.edges.push(edge);
  }
  return graphs;
}

function compileGraph(
  loop: string | undefined,
  graphs: GraphsByBody,
  positionOf: ReadonlyMap<string, number>,
): CompiledGraph {
  const { nodes, edges } = graphs.get(loop) ?? { nodes: [], edges: [] };
  const incoming = groupEdges(edges, 'to');
  const outgoing = groupEdges(edges, 'from');
  return {
    nodes: nodes.map((node) =>
      compileNode(node, {
        position: positionOf.get(node.id) ?? 0,
        incoming: incoming.get(node.id) ?? [],
        outgoing: outgoing.get(node.id) ?? [],
        body: isLoop(node.type) ? compileGraph(node.id, graphs, positionOf) : undefined,
      }),
    ),
    edges,
  };
}

function cycleError(stuck: readonly string[]): EngineError {
  const some = stuck.slice(0, 20).join(', ');
  return invalid(`The edges form a cycle, so these nodes can never start: ${some}${stuck.length > 20 ? ', ...' : ''}.`);
}

function invalid(message: string): EngineError {
  return new EngineError({ code: 'flow.invalid', message });
}

interface CompiledNodeLinks {
  readonly position: number;
  readonly incoming: readonly CompiledEdge[];
  readonly outgoing: readonly CompiledEdge[];
  readonly body: CompiledGraph | undefined;
}

/** A single literal gives all nodes the same hidden class, because a run accesses each of them many times. */
function compileNode(node: NodeDoc, { position, incoming, outgoing, body }: CompiledNodeLinks): CompiledNode {
  return {
    id: node.id,
    type: node.type,
    input: node.input,
    config: node.config ?? noConfig,
    when: node.when,
    disabled: node.disabled ?? false,
    policy: node.policy === undefined ? usualPolicy : compilePolicy(node.policy),
    position,
    upstream: [...new Set(incoming.map(({ from }) => from))],
    incomingCount: incoming.length,
    outgoing,
    body,
  };
}

function compilePolicy(policy: NodePolicy): CompiledNodePolicy {
  const { timeoutMs = 0, continueOnError, retry } = policy;
  return {
    timeoutMs: timeoutMs === 0 ? null : timeoutMs,
    continueOnError,
    hasRetry: retry === undefined ? undefined : true,
    maxAttempts: retry?.maxAttempts ?? 1,
    backoffMs: retry?.backoffMs ?? 0,
    retryIf: undefined,
  };
}

/**
 * Policy of nodes that specify none. Shared, like their config, because memory access limits the speed of large flows.
 */
const usualPolicy = Object.freeze(compilePolicy({}));
const noConfig: JsonMap = Object.freeze({});

/** Keeps IDs from the file. Other edges receive `from->to`, or the first unused of `from->to#2`, `#3`…. */
export function nameEdges(edges: readonly EdgeDoc[]): readonly CompiledEdge[] {
  const taken = new Set(edges.flatMap(({ id }) => id ?? []));
  const repeats = new Map<string, number>();
  return edges.map(({ from, to, id, when }) => {
    if (id !== undefined) return { id, from, to, when };
    const base = `${from}->${to}`;
    let repeat = repeats.get(base) ?? 1;
    const nameOf = (count: number): string => (count === 1 ? base : `${base}#${count}`);
    while (taken.has(nameOf(repeat))) repeat++;
    taken.add(nameOf(repeat));
    repeats.set(base, repeat);
    return { id: nameOf(repeat), from, to, when };
  });
}

function groupEdges(edges: readonly CompiledEdge[], end: 'from' | 'to'): ReadonlyMap<string, readonly CompiledEdge[]> {
  const groups = new Map<string, CompiledEdge[]>();
  for (const edge of edges) {
    const group = groups.get(edge[end]);
    if (group === undefined) groups.set(edge[end], [edge]);
    else group.push(edge);
  }
  return groups;
}
