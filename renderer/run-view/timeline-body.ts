/**
 * The row of a node in the body of a loop: all its items together.
 */
import type { NodeState } from '../../engine/isomorphic.ts';
import { baseNodeId } from '../stores/flow/node-places.ts';
import type { LiveRun } from '../stores/runs/live-runs.ts';
import { type ShownState, shownNodeState } from '../stores/runs/shown-run.ts';
import type { TimelineBar, TimelineNode, TimelineRow } from './timeline-row.ts';

/** Bars that lie nearer to each other than this part of the run are drawn as one. */
const leastGapShare = 1 / 200;

/** Which of its items' states a row shows: the first of these that one of them is in. */
const byWeight: readonly ShownState[] = [
  'suspended',
  'cancelling',
  'retrying',
  'running',
  'failed',
  'tolerated',
  'interrupted',
  'cancelled',
  'completed',
  'reused',
  'skipped',
];

/** Adds up what a node of a body did for the items of its loop, wherever in the run that loop stands. `end`: epoch ms. */
export function bodyRow(run: LiveRun, node: TimelineNode & { readonly loopId: string }, end: number): TimelineRow {
  const { id, name, depth, isTolerated } = node;
  const states = statesOf(run, node);
  const start = run.state.startedAt ?? end;
  const shown = new Set(states.map((state) => shownNodeState(run, state, isTolerated)));
  const spans = states.flatMap((state) => spanOf(state, end));
  const tokens = states.reduce((sum, { usage }) => sum + (usage ? usage.promptTokens + usage.completionTokens : 0), 0);
  const ended = states.filter(({ endedAt }) => endedAt !== undefined).length;
  return {
    nodeId: id,
    name,
    depth,
    state: byWeight.find((state) => shown.has(state)) ?? shownNodeState(run, undefined, isTolerated),
    durationMs: spans.length === 0 ? null : spans.reduce((sum, { from, to }) => sum + to - from, 0),
    tokens: tokens === 0 ? null : tokens,
    bars: mergedBars(spans, start, (end - start) * leastGapShare),
    note: states.length === 0 ? '' : `${ended} of ${states.length} items`,
  };
}

function statesOf({ state, loops }: LiveRun, { id, loopId }: { id: string; loopId: string }): readonly NodeState[] {
  const states: NodeState[] = [];
  for (const [place, { items }] of loops.loops) {
    if (baseNodeId(place) !== loopId) continue;
    for (const item of items.keys()) {
      const found = state.nodes.get(`${place}[${item}].${id}`);
      if (found !== undefined) states.push(found);
    }
  }
  return states;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function spanOf({ startedAt, endedAt }: NodeState, end: number): Span[] {
  return startedAt === undefined ? [] : [{ from: startedAt, to: endedAt ?? end }];
}

function mergedBars(spans: readonly Span[], start: number, leastGap: number): readonly TimelineBar[] {
  const bars: { kind: 'work'; fromMs: number; toMs: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = bars.at(-1);
    if (last !== undefined && from - start <= last.toMs + leastGap) last.toMs = Math.max(last.toMs, to - start);
    else bars.push({ kind: 'work', fromMs: from - start, toMs: to - start });
  }
  return bars;
}
