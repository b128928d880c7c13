/**
 * How many nodes a flow has, and how many of them are done in a run: the one way in which every view counts them. Those in
 * the bodies of loops are nodes like the others, and each counts once however many items there are.
 */
import type { NodeState } from '../../../engine/isomorphic.ts';
import { loopsAround } from '../flow/loop-bodies.ts';
import type { CheckedText } from '../text/check.ts';
import type { LiveRun } from './live-runs.ts';
import { allItemsEnded } from './shown-items.ts';

type Counted = Pick<CheckedText, 'order' | 'nesting'>;

/** All nodes of a flow. */
export function countNodes({ order }: Pick<CheckedText, 'order'>): number {
  return order.length;
}

/** The flow as the run executes it, else as it is on screen. */
export function countedFlow(run: LiveRun, onScreen: Counted): Counted {
  return run.definition ?? onScreen;
}

/** Not those that were cut off: the count says how far the run came. */
function isDone(node: NodeState | undefined): boolean {
  const status = node?.status;
  return status === 'completed' || status === 'reused' || status === 'failed' || status === 'skipped';
}

/** A loop that has ended well, or whose turn did not come, leaves nothing in its body to be done. */
function isBehind(node: NodeState | undefined): boolean {
  return isDone(node) && node?.status !== 'failed';
}

/** How many of the nodes are done in the run; one in a body when all of its items are, or the loop is. */
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
