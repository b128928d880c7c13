/**
 * Which nodes of a flow stand before and behind one, and which outputs a node uses.
 */
import { findBindings } from '../flowspec/bindings.ts';
import type { CompiledFlow, CompiledNode } from '../flowspec/compiled-flow.ts';

/** All nodes that can be reached from a node by edges, without itself. */
export function nodesBehind(flow: CompiledFlow, nodeId: string): ReadonlySet<string> {
  const next = new Map(flow.nodes.map(({ id, outgoing }) => [id, outgoing.map(({ to }) => to)]));
  return closure(nodeId, (id) => next.get(id) ?? []);
}

/** All nodes from which a node can be reached by edges, and those whose outputs its body uses. */
export function nodesBefore(flow: CompiledFlow, node: CompiledNode): readonly string[] {
  const upstreamOf = new Map(flow.nodes.map(({ id, upstream }) => [id, upstream]));
  return [...new Set([...closure(node.id, (id) => upstreamOf.get(id) ?? []), ...rootsOf(node)])];
}

function closure(start: string, nextOf: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const left = [...nextOf(start)];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    left.push(...nextOf(id));
  }
  return found;
}

/** First parts of the paths that the input's bindings read, bodies of loops included. */
export function rootsOf({ input, body }: CompiledNode): readonly string[] {
  const own = findBindings(input).flatMap(({ template }) =>
    template.parts.flatMap((part) => (typeof part === 'string' ? [] : part.path.slice(0, 1))),
  );
  return [...new Set([...own, ...(body?.nodes.flatMap(rootsOf) ?? [])])];
}
