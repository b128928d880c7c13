/**
 * The steps of a plan: what a rerun would do with each node, in the order in which it comes to them.
 */
import type { RunId } from '../base/ids.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import { orderNodes } from '../flowspec/node-order.ts';
import type { WhyPart } from './earlier-results.ts';

/** What a rerun would do with one node. */
export interface RerunStep {
  readonly nodeId: string;
  /** `maybe`: reused if the nodes before it produce the same outputs. `skipped`: as before. `pinned`: its output comes from the caller. */
  readonly fate: 'reused' | 'runs' | 'maybe' | 'skipped' | 'pinned';
  /** Why it does not simply stay as it was, with the ids of the nodes that it speaks of; empty for `reused`, `skipped` and `pinned`. */
  readonly why: string;
  /** The same in parts, for those who show nodes by other names. */
  readonly whyParts: readonly WhyPart[];
  /** It, or a node of its body, acted outside in the earlier run, and would or might do so again. */
  readonly repeatsOutside?: true;
  /** The run that a reused result comes from, where that is another than the one that runs again. */
  readonly fromRunId?: RunId;
  /** Of a loop that runs again, where it is known: how many of its items are reused, of how many. */
  readonly items?: { readonly reused: number; readonly total: number };
}

/** @param why why it does not simply stay as it was; empty where it does */
export function stepFor(nodeId: string, fate: RerunStep['fate'], whyParts: readonly WhyPart[]): RerunStep {
  const why = whyParts.map((part) => (typeof part === 'string' ? part : part.nodeId)).join('');
  return { nodeId, fate, why, whyParts };
}

/**
 * Sorts steps of a plan as the earlier run came to their nodes: several nodes may run at a time, so that is not the order of the file. A
 * node that the earlier run did not have follows the one before it in the flow, and no node comes before those that lead to it.
 * @param reached ids of nodes, in the order of the earlier run
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
