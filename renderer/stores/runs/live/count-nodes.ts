/**
 * Counts the nodes of a flow, and how many of them are done in a run. All views use these counts. Nodes in loop bodies
 * are included, and each counts once regardless of the number of items.
 */
import type { NodeState } from '../../../../engine/isomorphic.ts';
import { loopsAround } from '../../flow/loop-bodies.ts';
import type { CheckedText } from '../../text/check.ts';
import type { LiveRun } from './live-runs.ts';
import { allItemsEnded } from './shown-items.ts';

type Counted = Pick<CheckedText, 'order' | 'nesting'>;

/** Returns the number of nodes in a flow. */
export function countNodes({ order }: Pick<CheckedText, 'order'>): number {
  return order.length;
}

/** Returns the flow that the run executes, or else the one on screen. */
export function countedFlow(run: LiveRun, onScreen: Counted): Counted {
  return run.definition ?? onScreen;
}

/** Interrupted nodes are excluded, because the count shows how far the run got. */
function isDone(node: NodeState | undefined): boolean {
  const status = node?.status;
  return status === 'completed' || status === 'reused' || status === 'failed' || status === 'skipped';
}

/** If a loop has completed or was never reached, its body has no remaining work. */
function isBehind(node: NodeState | undefined): boolean {
  return isDone(node) && node?.status !== 'failed';
}

/**
 * Returns how many of the nodes are done in the run. A node in a body is done when all of its items are, or when the
 * loop is.
 */
export function countDone(run: LiveRun, { order, nesting }: Counted): number {
  const { nodes } = run.state;
  let count = 0;
  for (const id of order) {
    const [outermost] = loopsAround(nesting, id);
    if (outermost === undefined) count += isDone(nodes.get(id)) ? 1 : 0;
    else count += isBehind(nodes.get(outermost)) || allItemsEnded(run, id) ? 1 : 0;
  }
  return count;
}
