/**
 * Summarizes all items of a node in a loop body, with the same text in every view.
 */
import { type BodyTally, baseNodeId, isInBody, loopStepsOf, type NodeStatus } from '../../../../engine/isomorphic.ts';
import type { FlowViewState } from '../../window/selection.ts';
import { nextPlaceAt, type ShownState } from '../shown-run.ts';
import { text } from '../text.ts';
import { isPaused, isUnfinished, type LiveRun } from './live-runs.ts';

/** All items of a node in a body, combined. */
export interface ShownItems {
  readonly state: ShownState;
  /** Text such as `2 of 3 ran, 1 skipped`. */
  readonly words: string;
}

/**
 * Returns the summary of a node in a body if no item is selected. Null for a node outside loops, for a node that no
 * item has reached or that is stale, or if an item is selected.
 */
export function shownItems(
  run: LiveRun,
  nodeId: string,
  { chosen, isTolerated }: { readonly chosen: FlowViewState['items']; readonly isTolerated: boolean },
): ShownItems | null {
  const tally = run.state.tallies.bodies.get(nodeId);
  if (tally === undefined || run.stale.has(nodeId)) return null;
  const steps = loopStepsOf(tally.followed);
  const step = steps.at(-1);
  if (step === undefined || steps.some(({ loop }) => chosen.has(baseNodeId(loop)))) return null;
  const total = totalOf(run, baseNodeId(step.loop), tally);
  return { state: stateOf(run, tally, { total, isTolerated }), words: itemsText(tally, total) };
}

/** Returns whether a node in a body has ended for every item without interruption. */
export function allItemsEnded(run: LiveRun, nodeId: string): boolean {
  const tally = run.state.tallies.bodies.get(nodeId);
  const step = loopStepsOf(tally?.followed ?? '').at(-1);
  if (tally === undefined || step === undefined || tally.open.size > 0 || tally.counts.cancelled > 0) return false;
  return heardOf(tally) >= totalOf(run, baseNodeId(step.loop), tally);
}

/** Returns the number of items that have ended in any way. */
function heardOf({ counts }: BodyTally): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Returns the number of items in all runs of the loop, or of those seen so far if the total is not known. */
function totalOf({ state }: LiveRun, loopId: string, tally: BodyTally): number {
  let total = 0;
  for (const [place, loop] of state.tallies.loops) {
    if (baseNodeId(place) === loopId) total += loop.total ?? loop.items.size;
  }
  return Math.max(total, tally.open.size + heardOf(tally));
}

/** Summarizes the results of the items. */
function itemsText({ open, counts }: BodyTally, total: number): string {
  const waiting = [...open.values()].filter((isWaiting) => isWaiting).length;
  const others: readonly (readonly [number, (counted: { readonly count: number }) => string])[] = [
    [counts.reused, text.items.reused],
    [counts.failed, text.items.failed],
    [counts.cancelled, text.items.canceled],
    [counts.skipped, text.items.skipped],
    [counts.disabled, text.items.disabled],
    [waiting, text.items.waiting],
  ];
  const more = others.flatMap(([count, words]) => (count > 0 ? [words({ count })] : []));
  return [text.items.ran({ count: counts.ran, total }), ...more].join(', ');
}

/** Returns the most important state among the items. */
function stateOf(
  run: LiveRun,
  tally: BodyTally,
  { total, isTolerated }: { readonly total: number; readonly isTolerated: boolean },
): ShownState {
  const { open, counts } = tally;
  if ([...open.values()].includes(true)) return 'suspended';
  if (isHeld(run, tally)) return 'paused';
  const isGoing = isUnfinished(run.state);
  if (open.size > 0 && isGoing) return run.isCancelling ? 'cancelling' : 'running';
  if (counts.failed > 0) return isTolerated && !endedRun(run, tally) ? 'tolerated' : 'failed';
  if (counts.cancelled + open.size > 0) return run.state.status === 'interrupted' ? 'interrupted' : 'cancelled';
  return isGoing && heardOf(tally) < total ? 'running' : goodEndOf(counts);
}

/** Returns whether the run is paused before the node, or before something below it. */
function isHeld(run: LiveRun, { open, followed }: BodyTally): boolean {
  return (open.size > 0 && isPaused(run.state)) || nextPlaceAt(run, baseNodeId(followed)) !== undefined;
}

/** Returns whether one of the items made the run fail. */
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
