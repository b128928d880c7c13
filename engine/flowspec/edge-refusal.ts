/**
 * Whether an edge may be added to a flow, by the checks that a whole flow passes: said before it is added.
 */
import { nameEdges } from './compile-flow.ts';
import type { EdgeDoc, FlowDoc } from './flow-doc.ts';
import { type JsonValue, jsonEquals } from './json-value.ts';
import { loopFindings } from './loop-findings.ts';
import { findLoops } from './loops.ts';
import { cycleFindings } from './validate-flow.ts';

/**
 * Why an edge may not be added, as a sentence for people; null when it may.
 * @param replaced name of the edge whose place it takes, as `nameEdges` gives it
 */
export function edgeRefusal({ flow, nodes, edges }: FlowDoc, edge: EdgeDoc, replaced?: string): string | null {
  const names = nameEdges(edges);
  const others = edges.filter((_, index) => names[index]?.id !== replaced);
  const isThere = others.some(
    ({ from, to, when }) =>
      from === edge.from && to === edge.to && jsonEquals((when ?? null) as JsonValue, (edge.when ?? null) as JsonValue),
  );
  if (isThere) return `An edge leads from "${edge.from}" to "${edge.to}" already.`;
  const nesting = findLoops(nodes);
  const crossing = loopFindings({ flow, nodes, edges: [edge] }, nesting).find(
    ({ code }) => code === 'loop.crossing-edge',
  );
  if (crossing !== undefined) return crossing.message;
  // It stands first, so that a cycle that it closes is reported as its own.
  const cycle = cycleFindings({ flow, nodes, edges: [edge, ...others] }, nesting).find(({ path }) => path[1] === 0);
  return cycle?.message ?? null;
}
