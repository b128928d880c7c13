/**
 * A run as rows of bars over time: one row a node, in start order, never reordered.
 */
import { loopType, type NodeState } from '../../engine/isomorphic.ts';
import { type FailedAttempt, isUnfinished, type LiveRun } from '../stores/runs/live-runs.ts';

import { shownNodeState } from '../stores/runs/shown-run.ts';
import { durationText } from '../ui/quantity-text.ts';
import { bodyRow } from './timeline-body.ts';
import type { BarKind, TimelineBar, TimelineNode, TimelineRow } from './timeline-row.ts';

export interface Timeline {
  readonly rows: readonly TimelineRow[];
  /** Milliseconds from the run's begin to its end, or to now. */
  readonly elapsedMs: number;
}

/** How long a run took, or has taken so far; one that was cut off or waits ends with its last sign of life. */
export function elapsedOf({ state, log }: LiveRun, now: number): number {
  if (state.durationMs !== null) return state.durationMs;
  if (state.startedAt === null) return 0;
  const lastSign = log.events.at(-1)?.at ?? state.startedAt;
  return Math.max(0, (isUnfinished(state) ? now : lastSign) - state.startedAt);
}

function barsOf(
  node: NodeState,
  attempts: readonly FailedAttempt[],
  span: { start: number; end: number },
): TimelineBar[] {
  const bars: TimelineBar[] = [];
  let from = node.startedAt ?? span.start;
  for (const { at, delayMs } of attempts) {
    const pauseEnd = Math.min(at + delayMs, span.end);
    bars.push({ kind: 'failed-attempt', fromMs: from - span.start, toMs: at - span.start });
    bars.push({ kind: 'pause', fromMs: at - span.start, toMs: pauseEnd - span.start });
    from = pauseEnd;
  }
  const end = node.endedAt ?? span.end;
  bars.push({ kind: lastKind(node), fromMs: from - span.start, toMs: Math.max(from, end) - span.start });
  return bars;
}

function lastKind({ status, nodeType }: NodeState): BarKind {
  if (status === 'suspended') return 'wait';
  return nodeType === loopType ? 'loop' : 'work';
}

const skipWords = {
  when: 'its condition did not hold',
  edge: 'no way in was taken',
  directive: 'it was told to skip',
  autonomy: 'it needs more freedom than the run has',
  disabled: 'it is disabled',
} as const;

function noteOf(node: NodeState, attempts: number): string {
  if (node.skip !== undefined) return `skipped: ${skipWords[node.skip.reason]}`;
  if (node.status === 'suspended') return node.request?.message ?? '';
  if (node.status === 'reused') return 'as in an earlier run';
  const tries = attempts === 0 ? [] : [`${attempts + 1} attempts`];
  const cause = node.error === undefined || node.status === 'completed' ? [] : [node.error.message];
  return [...tries, ...cause].join(', ');
}

function rowOf(run: LiveRun, timelineNode: TimelineNode, end: number): TimelineRow {
  const { id, name, isTolerated, depth } = timelineNode;
  if (timelineNode.loopId !== null) return bodyRow(run, { ...timelineNode, loopId: timelineNode.loopId }, end);
  const node = run.state.nodes.get(id);
  const state = shownNodeState(run, node, isTolerated);
  if (node === undefined) return { nodeId: id, name, depth, state, durationMs: null, tokens: null, bars: [], note: '' };
  const attempts = run.log.failedAttempts.get(id) ?? [];
  const start = run.state.startedAt ?? end;
  return {
    nodeId: id,
    name,
    depth,
    state,
    durationMs: node.durationMs ?? (node.startedAt === undefined ? null : end - node.startedAt),
    tokens: node.usage === undefined ? null : node.usage.promptTokens + node.usage.completionTokens,
    bars: node.startedAt === undefined ? [] : barsOf(node, attempts, { start, end }),
    note: noteOf(node, attempts.length),
  };
}

/** Milliseconds to the last event: a run that waited between its parts took less time than that. */
function lastSignOf({ state, log }: LiveRun): number {
  return (log.events.at(-1)?.at ?? 0) - (state.startedAt ?? 0);
}

/** Lays out a run; `nodes` in start order, `now` in epoch milliseconds. */
export function timelineOf(run: LiveRun, nodes: readonly TimelineNode[], now: number): Timeline {
  const elapsedMs = Math.max(elapsedOf(run, now), lastSignOf(run));
  const end = (run.state.startedAt ?? now) + elapsedMs;
  return { rows: nodes.map((node) => rowOf(run, node, end)), elapsedMs };
}

const mostTicks = 6;

/** Round distances between ticks: 1, 2 and 5 times a power of ten, in seconds also 30 s, 1 min and so on. */
const tickSteps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000,
] as const;

/** Marks of the time axis, in milliseconds; the last one lies at or beyond the end. */
export function axisTicks(elapsedMs: number): readonly number[] {
  const step = tickSteps.find((candidate) => elapsedMs / candidate <= mostTicks) ?? Math.ceil(elapsedMs / mostTicks);
  const count = Math.max(1, Math.ceil(elapsedMs / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** What stands at a mark: in milliseconds where marks stand too close for tenths of a second to tell them apart. */
export function tickText(tickMs: number, stepMs: number): string {
  if (tickMs === 0) return '0 s';
  return stepMs < 100 ? `${tickMs} ms` : durationText(tickMs);
}
