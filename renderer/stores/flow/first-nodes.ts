/**
 * The nodes of a flow in the order in which a reader follows them.
 */
import type { FlowDoc, NodeDoc } from '../../../engine/isomorphic.ts';
import type { LoopBodyNesting } from './loop-bodies.ts';

/**
 * Returns the first nodes of a flow, up to `count`: each after the nodes with an edge to it, and the nodes of a body after
 * their loop. Otherwise, and in a cycle, the order of the file applies.
 */
export function firstNodes(
  { nodes, edges }: Pick<FlowDoc, 'nodes' | 'edges'>,
  { ownerOf, bodyOf }: LoopBodyNesting,
  count: number,
): readonly NodeDoc[] {
  const sources = new Map<string, string[]>();
  for (const { from, to } of edges) sources.set(to, [...(sources.get(to) ?? []), from]);
  const placed = new Set<string>();
  const isPast = (id: string): boolean => placed.has(id) && (bodyOf.get(id) ?? []).every(isPast);
  const isReady = ({ id }: NodeDoc): boolean => {
    const owner = ownerOf.get(id);
    return (owner === undefined || placed.has(owner)) && (sources.get(id) ?? []).every(isPast);
  };
  const first: NodeDoc[] = [];
  while (first.length < Math.min(count, nodes.length)) {
    const left = nodes.filter(({ id }) => !placed.has(id));
    const next = left.find(isReady) ?? left[0];
    if (next === undefined) break;
    first.push(next);
    placed.add(next.id);
  }
  return first;
}
