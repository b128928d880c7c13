/**
 * A document without errors → the graph that the runner walks: start order fixed, defaults filled in, edges named.
 */
import { EngineError } from '../base/engine-error.ts';
import type { CompiledEdge, CompiledFlow, CompiledGraph, CompiledNode, CompiledNodePolicy } from './compiled-flow.ts';
import type { EdgeDoc, FlowDoc, NodeDoc, NodePolicy } from './flow-doc.ts';
import { isJsonList } from './json-value.ts';
import { orderNodes } from './node-order.ts';

/** The node type whose `input.body` names the nodes that it runs for each of its items. */
export const loopType = 'control.foreach';

/**
 * Compiles a document. Edge endpoints must exist, ids be unique and bodies of loops closed, as `parseFlow` and
 * `validateFlow` check.
 * @throws EngineError `flow.invalid` when the edges close a cycle
 */
export function compileFlow(doc: FlowDoc): CompiledFlow {
  const { order, stuck } = orderNodes(doc);
  if (stuck.length > 0) throw cycleError(stuck);
  const edges = nameEdges(doc.edges);
  const ownerOf = bodyOwners(doc.nodes);
  const graphs = groupByOwner(order, edges, ownerOf);
  const positionOf = new Map(doc.nodes.map(({ id }, position) => [id, position]));
  return {
    name: doc.flow.name,
    inputs: doc.flow.input ?? {},
    policy: { failFast: doc.flow.policy?.failFast ?? true, maxParallel: doc.flow.policy?.maxParallel ?? 1 },
    ...compileGraph(topLevel, { graphs, positionOf, ancestors: new Set() }),
  };
}

const topLevel = '';

/** Of each node that stands in the body of a loop: the loop. */
export function bodyOwners(nodes: readonly NodeDoc[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { id, type, input } of nodes) {
    const body = type === loopType ? input['body'] : undefined;
    if (!isJsonList(body)) continue;
    for (const inner of body) if (typeof inner === 'string' && !owners.has(inner)) owners.set(inner, id);
  }
  return owners;
}

interface GraphParts {
  readonly nodes: NodeDoc[];
  readonly edges: CompiledEdge[];
}

/** The nodes and edges of each body, and of the flow itself; an edge across the border of a body belongs to none. */
function groupByOwner(
  nodes: readonly NodeDoc[],
  edges: readonly CompiledEdge[],
  ownerOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, GraphParts> {
  const graphs = new Map<string, GraphParts>();
  const graphOf = (id: string): GraphParts => {
    const owner = ownerOf.get(id) ?? topLevel;
    let graph = graphs.get(owner);
    if (graph === undefined) {
      graph = { nodes: [], edges: [] };
      graphs.set(owner, graph);
    }
    return graph;
  };
  for (const node of nodes) graphOf(node.id).nodes.push(node);
  for (const edge of edges) {
    const graph = graphOf(edge.from);
    if (graph === graphOf(edge.to)) graph.edges.push(edge);
  }
  return graphs;
}

interface GraphWorld {
  readonly graphs: ReadonlyMap<string, GraphParts>;
  readonly positionOf: ReadonlyMap<string, number>;
  /** The loops around this graph; one that holds itself is left without its body. */
  readonly ancestors: ReadonlySet<string>;
}

function compileGraph(owner: string, world: GraphWorld): CompiledGraph {
  const { nodes, edges } = world.graphs.get(owner) ?? { nodes: [], edges: [] };
  const incoming = groupEdges(edges, 'to');
  const outgoing = groupEdges(edges, 'from');
  const ancestors = new Set([...world.ancestors, owner]);
  return {
    nodes: nodes.map((node) => ({
      ...compileNode(node, incoming.get(node.id) ?? [], outgoing.get(node.id) ?? []),
      position: world.positionOf.get(node.id) ?? 0,
      ...(node.type === loopType && !ancestors.has(node.id)
        ? { body: compileGraph(node.id, { ...world, ancestors }) }
        : {}),
    })),
    edges,
  };
}

function cycleError(stuck: readonly string[]): EngineError {
  const some = stuck.slice(0, 20).join(', ');
  return new EngineError({
    code: 'flow.invalid',
    message: `The edges close a cycle, so these nodes could never start: ${some}${stuck.length > 20 ? ', ...' : ''}.`,
  });
}

function compileNode(
  node: NodeDoc,
  incoming: readonly CompiledEdge[],
  outgoing: readonly CompiledEdge[],
): Omit<CompiledNode, 'position' | 'body'> {
  return {
    id: node.id,
    type: node.type,
    input: node.input,
    config: node.config ?? {},
    when: node.when,
    disabled: node.disabled ?? false,
    policy: compilePolicy(node.policy),
    upstream: [...new Set(incoming.map(({ from }) => from))],
    incomingCount: incoming.length,
    outgoing,
  };
}

function compilePolicy(policy: NodePolicy = {}): CompiledNodePolicy {
  const { timeoutMs = 0, continueOnError, retry } = policy;
  return {
    timeoutMs: timeoutMs === 0 ? null : timeoutMs,
    continueOnError,
    maxAttempts: retry?.maxAttempts ?? 1,
    backoffMs: retry?.backoffMs ?? 0,
  };
}

/** Ids from the file are kept; the others get `from->to`, or the first free of `from->to#2`, `#3`…. */
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
