/**
 * Finds the bodies of n8n loops. There, a loop is a cycle: its last node is connected to the node that starts it.
 */
import { numberAt } from '../read-json.ts';
import type { SourceEdge, SourceFlow, SourceNode } from '../source-flow.ts';

/** Type of nodes that run what follows them once per item. */
const n8nLoopType = 'n8n-nodes-base.splitInBatches';

/** Returns the output that starts an iteration. */
export function loopPort({ settings }: SourceNode): string {
  return (numberAt(settings, 'typeVersion') ?? 1) >= 3 ? '1' : '0';
}

/** Whether an edge is between items of data, not from a part of a node such as its model. */
export function isMainEdge({ fromPort }: Pick<SourceEdge, 'fromPort'>): boolean {
  return /^\d+$/.test(fromPort);
}

/**
 * Marks the nodes in bodies of loops. A body must be closed: it is entered only by the loop, and left only to it. In
 * other graphs, the connection back to the loop stays, and is reported as a cycle.
 */
export function withLoopBodies(flow: SourceFlow): SourceFlow {
  const loops = flow.nodes.filter(({ type }) => type === n8nLoopType);
  if (loops.length === 0) return flow;
  const next = targetsOf(flow.edges);
  const parents = new Map<string, { readonly loop: string; readonly size: number }>();
  for (const loop of loops) {
    const body = bodyOf(loop, next, flow.edges);
    for (const key of body) {
      const known = parents.get(key);
      // The smallest body around a node is the innermost one.
      if (known === undefined || body.size < known.size) parents.set(key, { loop: loop.key, size: body.size });
    }
  }
  const nodes = flow.nodes.map((node) => {
    const parent = parents.get(node.key)?.loop;
    return parent === undefined ? node : { ...node, parent };
  });
  return { ...flow, nodes };
}

function targetsOf(edges: readonly SourceEdge[]): ReadonlyMap<string, readonly SourceEdge[]> {
  const targets = new Map<string, SourceEdge[]>();
  for (const edge of edges) {
    if (isMainEdge(edge)) targets.set(edge.from, [...(targets.get(edge.from) ?? []), edge]);
  }
  return targets;
}

function bodyOf(
  loop: SourceNode,
  next: ReadonlyMap<string, readonly SourceEdge[]>,
  edges: readonly SourceEdge[],
): ReadonlySet<string> {
  const isStart = ({ fromPort }: SourceEdge): boolean => fromPort === loopPort(loop);
  const body = new Set((next.get(loop.key) ?? []).filter(isStart).map(({ to }) => to));
  for (const key of body) for (const { to } of next.get(key) ?? []) if (to !== loop.key) body.add(to);
  const isClosed = edges.every((edge) => {
    if (!isMainEdge(edge) || body.has(edge.from)) return true;
    return !body.has(edge.to) || (edge.from === loop.key && isStart(edge));
  });
  const returns = [...body].some((key) => (next.get(key) ?? []).some(({ to }) => to === loop.key));
  return isClosed && returns && !body.has(loop.key) ? body : new Set();
}
