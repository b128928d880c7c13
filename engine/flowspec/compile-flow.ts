/**
 * A document without errors → the graph that the runner walks: start order fixed, defaults filled in, edges named.
 */
import { EngineError } from '../base/engine-error.ts';
import type { CompiledEdge, CompiledFlow, CompiledNode, CompiledNodePolicy } from './compiled-flow.ts';
import type { EdgeDoc, FlowDoc, NodeDoc, NodePolicy } from './flow-doc.ts';
import { orderNodes } from './node-order.ts';

/**
 * Compiles a document. Edge endpoints must exist and ids be unique, as `parseFlow` checks.
 * @throws EngineError `flow.invalid` when the edges close a cycle
 */
export function compileFlow(doc: FlowDoc): CompiledFlow {
  const { order, stuck } = orderNodes(doc);
  if (stuck.length > 0) throw cycleError(stuck);
  const edges = nameEdges(doc.edges);
  const incoming = groupEdges(edges, 'to');
  const outgoing = groupEdges(edges, 'from');
  return {
    name: doc.flow.name,
    inputs: doc.flow.input ?? {},
    policy: { failFast: doc.flow.policy?.failFast ?? true, maxParallel: doc.flow.policy?.maxParallel ?? 1 },
    nodes: order.map((node) => compileNode(node, incoming.get(node.id) ?? [], outgoing.get(node.id) ?? [])),
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
): CompiledNode {
  return {
    id: node.id,
    type: node.type,
    input: node.input,
    config: node.config ?? {},
    when: node.when,
    disabled: node.disabled ?? false,
    policy: compilePolicy(node.policy),
    upstream: [...new Set(incoming.map(({ from }) => from))],
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
  return edges.map(({ from, to, id }) => {
    if (id !== undefined) return { id, from, to };
    const base = `${from}->${to}`;
    let repeat = repeats.get(base) ?? 1;
    const nameOf = (count: number): string => (count === 1 ? base : `${base}#${count}`);
    while (taken.has(nameOf(repeat))) repeat++;
    taken.add(nameOf(repeat));
    repeats.set(base, repeat);
    return { id: nameOf(repeat), from, to };
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
