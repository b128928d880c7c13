/**
 * Durations of runs and nodes, used by every view that shows them. Time in which a run or a node waited for a person,
 * or in which no process ran it, is not part of its duration.
 */
import { isLoop, type NodeState } from '../../../../engine/isomorphic.ts';
import { waitingSpans } from '../requests/answer-words.ts';
import type { LiveRun } from './live-run.ts';

function isAtWork({ status }: LiveRun['state']): boolean {
  return status === 'queued' || status === 'running';
}

/**
 * Returns the milliseconds that a run has worked, up to `now` (epoch milliseconds) or to its end. For an ended run,
 * this is the duration measured by the engine.
 */
export function workedMs({ state, worked }: LiveRun, now: number): number {
  if (state.durationMs !== null) return state.durationMs;
  if (state.startedAt === null) return 0;
  return isAtWork(state) ? worked.msAt(now) : worked.ms;
}

/**
 * Returns the milliseconds from the start of a run to its end, or to `now`, including waits: the length of its
 * timeline.
 */
export function spannedMs(run: LiveRun, now: number): number {
  const { state, log } = run;
  if (state.startedAt === null) return 0;
  // A run that waits for a person also waits while no process runs it.
  const goesOn = isAtWork(state) || (state.status === 'suspended' && log.hasAsked && state.pause === undefined);
  const end = goesOn ? now : (log.events.at(-1)?.at ?? state.startedAt);
  return Math.max(0, end - state.startedAt, workedMs(run, now));
}

/** Returns the milliseconds from the start of a run to the moment on screen. Null if that is now. */
export function momentMs({ moment, state: { startedAt } }: LiveRun): number | null {
  return moment === null ? null : Math.max(0, moment.at - (startedAt ?? moment.at));
}

/**
 * Returns when a node waited for people within a period, in epoch milliseconds. A loop does not wait: the nodes of its
 * body do.
 */
export function waitsWithin({ asks = [], nodeType }: NodeState, from: number, end: number) {
  if (isLoop(nodeType)) return [];
  return waitingSpans(asks, end)
    .map((span) => ({ from: Math.max(from, span.from), to: Math.min(end, span.to) }))
    .filter((span) => span.from <= span.to);
}

/**
 * Returns the milliseconds that a node has worked, up to `now` or to its end. Undefined for a node that did not start.
 * The work of a node that made requests has several parts, and the engine reports only the last one.
 */
export function nodeWorkedMs(node: NodeState, now: number): number | undefined {
  const { startedAt, endedAt, durationMs, asks = [] } = node;
  if (startedAt === undefined || (durationMs !== undefined && asks.length === 0)) return durationMs;
  const end = Math.max(startedAt, endedAt ?? now);
  const waited = waitsWithin(node, startedAt, end).reduce((sum, { from, to }) => sum + to - from, 0);
  return end - startedAt - waited;
}

/** Returns when a running node would have started if it had not paused, in epoch milliseconds. */
export function workingSince(node: NodeState): number | undefined {
  const { startedAt, asks = [] } = node;
  if (startedAt === undefined) return undefined;
  const answered = asks.filter(({ answer }) => answer !== undefined);
  const waits = waitsWithin({ ...node, asks: answered }, startedAt, Number.POSITIVE_INFINITY);
  return waits.reduce((since, { from, to }) => since + to - from, startedAt);
}

/** Returns the milliseconds that an ended node has worked. Undefined while it runs. */
export function nodeDurationMs(node: NodeState): number | undefined {
  return node.durationMs === undefined ? undefined : nodeWorkedMs(node, node.endedAt ?? 0);
}
