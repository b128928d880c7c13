/**
 * What the output of a node depends on in its flow, and what depends on it.
 */
import { parsePath } from '../flowspec/binding-path.ts';
import { findBindings } from '../flowspec/bindings.ts';
import type { CompiledFlow, CompiledNode } from '../flowspec/compiled-flow.ts';
import type { WhenExpr } from '../flowspec/flow-doc.ts';
import { inputConditions, pathsOf } from '../flowspec/when.ts';

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

/** Whether it sees what does not stand in its input: its body does, or conditions in its input. */
export function seesBeside(node: CompiledNode): boolean {
  return node.body !== undefined || inputConditions(node).length > 0;
}

/** First parts of the paths that the input's bindings and conditions read, bodies of loops with all of theirs included. */
export function rootsOf(node: CompiledNode): readonly string[] {
  const { input, body } = node;
  const own = findBindings(input).flatMap(({ template }) =>
    template.parts.flatMap((part) => (typeof part === 'string' ? [] : part.path.slice(0, 1))),
  );
  const conditions = [
    // Checked flows hold nothing else there.
    ...inputConditions(node).map(({ condition }) => condition as unknown as WhenExpr),
    ...[...(body?.nodes ?? []), ...(body?.edges ?? [])].flatMap(({ when }) => when ?? []),
  ];
  const read = conditions.flatMap((condition) => pathsOf(condition).flatMap(({ text }) => parsePath(text)?.[0] ?? []));
  return [...new Set([...own, ...read, ...(body?.nodes.flatMap(rootsOf) ?? [])])];
}
