/**
 * What is shown of a node in the body of a loop: all of its items as one, in the words that every view uses.
 */
import { type BodyTally, baseNodeId, isInBody, loopStepsOf, type NodeStatus } from '../../../engine/isomorphic.ts';
import type { FlowView } from '../window/selection.ts';
import { isUnfinished, type LiveRun } from './live-runs.ts';
import type { ShownState } from './shown-run.ts';

/** All items of a node in a body, as one. */
export interface ShownItems {
  readonly state: ShownState;
  /** `2 of 3 ran, 1 skipped`. */
  readonly words: string;
}

/**
 * What is shown of a node in a body as long as nobody has chosen one of the items; null for a node outside of loops, one
 * that no item has reached or whose result is stale, or when an item is chosen.
 */
export function shownItems(
  run: LiveRun,
  nodeId: string,
  { chosen, isTolerated }: { readonly chosen: FlowView['items']; readonly isTolerated: boolean },
): ShownItems | null {
  const tally = run.state.tallies.bodies.get(nodeId);
  if (tally === undefined || run.stale.has(nodeId)) return null;
  const steps = loopStepsOf(tally.followed);
  const step = steps.at(-1);
  if (step === undefined || steps.some(({ loop }) => chosen.has(baseNodeId(loop)))) return null;
  const total = totalOf(run, baseNodeId(step.loop), tally);
  return { state: stateOf(run, tally, { total, isTolerated }), words: itemsText(tally, total) };
}

/** Whether a node in a body has ended for every item, none of them cut off. */
export function allItemsEnded(run: LiveRun, nodeId: string): boolean {
  const tally = run.state.tallies.bodies.get(nodeId);
  const step = loopStepsOf(tally?.followed ?? '').at(-1);
  if (tally === undefined || step === undefined || tally.open.size > 0 || tally.counts.cancelled > 0) return false;
  return heardOf(tally) >= totalOf(run, baseNodeId(step.loop), tally);
}

/** Places that have ended in any way. */
function heardOf({ counts }: BodyTally): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Items of all runs of the loop; what has been heard of, where nobody knows how many there are. */
function totalOf({ state }: LiveRun, loopId: string, tally: BodyTally): number {
  let total = 0;
  for (const [place, loop] of state.tallies.loops) {
    if (baseNodeId(place) === loopId) total += loop.total ?? loop.items.size;
  }
  return Math.max(total, tally.open.size + heardOf(tally));
}

/** How the items went, in the words that all views use. */
function itemsText({ open, counts }: BodyTally, total: number): string {
  const waiting = [...open.values()].filter((isWaiting) => isWaiting).length;
  const others: readonly (readonly [number, string])[] = [
    [counts.reused, 'reused'],
    [counts.failed, 'failed'],
    [counts.cancelled, 'cancelled'],
    [counts.skipped, 'skipped'],
    [counts.disabled, 'disabled'],
    [waiting, 'waiting'],
  ];
  const more = others.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return [`${counts.ran} of ${total} ran`, ...more].join(', ');
}

/** The weightiest of what its items are in. */
function stateOf(
  run: LiveRun,
  tally: BodyTally,
  { total, isTolerated }: { readonly total: number; readonly isTolerated: boolean },
): ShownState {
  const { open, counts } = tally;
  if ([...open.values()].includes(true)) return 'suspended';
  const isGoing = isUnfinished(run.state);
  if (open.size > 0 && isGoing) return run.isCancelling ? 'cancelling' : 'running';
  if (counts.failed > 0) return isTolerated && !endedRun(run, tally) ? 'tolerated' : 'failed';
  if (counts.cancelled + open.size > 0) return run.state.status === 'interrupted' ? 'interrupted' : 'cancelled';
  return isGoing && heardOf(tally) < total ? 'running' : goodEndOf(counts);
}

/** Whether one of the places made the run fail. */
function endedRun({ state: { error, nodes } }: LiveRun, { followed }: BodyTally): boolean {
  const place = error?.nodeId;
  if (place === undefined || !isInBody(place) || baseNodeId(place) !== baseNodeId(followed)) return false;
  return cutStatuses.has(nodes.get(place)?.status);
}

const cutStatuses: ReadonlySet<NodeStatus | undefined> = new Set<NodeStatus>(['failed', 'cancelled']);

function goodEndOf({ ran, reused, skipped }: BodyTally['counts']): ShownState {
  if (ran > 0) return 'completed';
  if (reused > 0) return 'reused';
  return skipped > 0 ? 'skipped' : 'disabled';
}
