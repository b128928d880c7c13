/**
 * Defines the steps of a plan, which state what a rerun would do with each node, in execution order.
 */
import type { RunId } from '../../base/ids.ts';
import type { CompiledFlow } from '../../language/flow/compiled-flow.ts';
import { orderNodes } from '../../language/flow/node-order.ts';
import type { WhyPart } from './earlier-results.ts';

/** What a rerun would do with one node. */
export interface RerunStep {
  readonly nodeId: string;
  /**
   * `maybe`: reused if the nodes before it produce the same outputs. `skipped`: skipped again. `pinned`: its output
   * comes from the caller. `given`: its output in this run comes from a person.
   */
  readonly fate: 'reused' | 'runs' | 'maybe' | 'skipped' | 'pinned' | 'given';
  /** Why the node is not reused, with the IDs of the nodes involved; empty for `reused`, `skipped`, `pinned` and `given`. */
  readonly why: string;
  /** The same text in parts, for display with other node names. */
  readonly whyParts: readonly WhyPart[];
  /** Whether the node, or a node in its body, had an outside effect in the earlier run and would or might repeat it. */
  readonly repeatsOutside?: true;
  /** The run that a reused result comes from, if it is not the run that is rerun. */
  readonly fromRunId?: RunId;
  /** For a loop that runs again, the number of reused items and the total, if known. */
  readonly items?: { readonly reused: number; readonly total: number };
}

/** Creates a step. @param whyParts why the node is not reused; empty if it is */
export function stepFor(nodeId: string, fate: RerunStep['fate'], whyParts: readonly WhyPart[]): RerunStep {
  const why = whyParts.map((part) => (typeof part === 'string' ? part : part.nodeId)).join('');
  return { nodeId, fate, why, whyParts };
}

/**
 * Sorts the steps of a plan in the order in which the earlier run reached their nodes. File order is not enough because
 * several nodes may run in parallel. A node that the earlier run did not have follows its predecessor in the flow. No
 * node precedes the nodes that lead to it.
 * @param reached IDs of nodes, in the order of the earlier run
 */
export function inReachedOrder<Step extends { readonly nodeId: string }>(
  { nodes, edges }: Pick<CompiledFlow, 'nodes' | 'edges'>,
  steps: readonly Step[],
  reached: Iterable<string>,
): readonly Step[] {
  const ranks = new Map([...reached].map((id, rank) => [id, rank]));
  let before = -1;
  const ranked = nodes.map(({ id }) => {
    const own = ranks.get(id);
    before = own ?? before;
    return { id, rank: own ?? before + 0.5 };
  });
  const { order } = orderNodes({ nodes: ranked.toSorted((a, b) => a.rank - b.rank), edges });
  const byId = new Map(steps.map((step) => [step.nodeId, step]));
  return order.flatMap(({ id }) => byId.get(id) ?? []);
}
