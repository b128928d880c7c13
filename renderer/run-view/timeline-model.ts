/**
 * A run as rows of bars over time: one row per node in start order, never reordered, with one row per tool call below
 * it.
 */
import { baseNodeId, isLoop, loopStepsOf, type NodeState } from '../../engine/isomorphic.ts';
import { givenWords } from '../card/card-state.ts';
import { outputLine } from '../card/output-line.ts';
import type { LiveRun } from '../stores/runs/live/live-runs.ts';
import type { FailedAttempt } from '../stores/runs/live/run-log.ts';
import { nodeWorkedMs, spannedMs, waitsWithin } from '../stores/runs/live/run-time.ts';
import { shownItems } from '../stores/runs/live/shown-items.ts';
import { answerWords } from '../stores/runs/requests/answer-words.ts';
import { nextPlaceAt, placedState } from '../stores/runs/shown-run.ts';
import { durationText } from '../ui/quantity-text.ts';
import { text as breakpointWords } from './breakpoints/text.ts';
import { text } from './text.ts';
import { type BarKind, callRows, type TimelineBar, type TimelineRow } from './timeline-rows.ts';

export interface TimelineNode {
  readonly id: string;
  readonly name: string;
  readonly isTolerated: boolean;
  readonly depth: number;
  /** The loop that contains it. Null outside loops. */
  readonly loopId: string | null;
}

export interface Timeline {
  readonly rows: readonly TimelineRow[];
  /** Milliseconds from the start of the run to its end, or to the present. */
  readonly elapsedMs: number;
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
  const end = Math.max(from, node.endedAt ?? span.end);
  const kind = lastKind(node);
  for (const wait of waitsWithin(node, from, end)) {
    bars.push({ kind: 'work', fromMs: from - span.start, toMs: wait.from - span.start });
    bars.push({ kind: 'wait', fromMs: wait.from - span.start, toMs: wait.to - span.start });
    from = wait.to;
  }
  if (kind !== 'wait' || from < end) bars.push({ kind, fromMs: from - span.start, toMs: end - span.start });
  return bars;
}

function lastKind({ status, nodeType }: NodeState): BarKind {
  if (status === 'suspended') return 'wait';
  return isLoop(nodeType) ? 'loop' : 'work';
}

function noteOf(node: NodeState, attempts: number): string {
  if (node.skip !== undefined) return text.timeline.skipped[node.skip.reason];
  if (node.status === 'suspended') return node.request?.message ?? '';
  if (node.given !== undefined) return givenWords(node.given);
  if (node.status === 'reused') return node.isPinned === true ? text.timeline.pinned : text.timeline.reused;
  const tries = attempts === 0 ? [] : [text.timeline.attempts({ count: attempts + 1 })];
  const answers = (node.asks ?? []).flatMap(({ request, answer }) =>
    answer ? [answerWords(request.kind, answer)] : [],
  );
  const cause = node.error === undefined || node.status === 'completed' ? [] : [node.error.message];
  return [...tries, ...answers.slice(-1), ...cause].join(', ');
}

/** The same text as on the card. */
function givenText({ status, output }: NodeState): string {
  return status === 'completed' && output !== undefined ? (outputLine(output)?.text ?? '') : '';
}

/** Marks the node that a paused run starts next. */
function nextNote(run: LiveRun, id: string): string {
  if (nextPlaceAt(run, id) === undefined) return '';
  return run.state.pause?.reason === 'breakpoint' ? breakpointWords.stopped : text.timeline.next;
}

function rowOf(run: LiveRun, timelineNode: TimelineNode, end: number): TimelineRow {
  const { id, name, isTolerated, depth } = timelineNode;
  if (timelineNode.loopId !== null) return bodyRow(run, { ...timelineNode, loopId: timelineNode.loopId }, end);
  const node = run.state.nodes.get(id);
  const state = placedState(run, { nodeId: id, place: id, isTolerated });
  const next = nextNote(run, id);
  if (node === undefined)
    return { nodeId: id, name, depth, state, durationMs: null, tokens: null, bars: [], note: next };
  const attempts = run.log.failedAttempts.get(id) ?? [];
  const start = run.state.startedAt ?? end;
  return {
    nodeId: id,
    name,
    depth,
    state,
    durationMs: nodeWorkedMs(node, end) ?? null,
    tokens: node.usage === undefined ? null : node.usage.promptTokens + node.usage.completionTokens,
    bars: node.startedAt === undefined ? [] : barsOf(node, attempts, { start, end }),
    note: next || noteOf(node, attempts.length) || givenText(node),
  };
}

/** Lays out a run. `nodes` are in start order, `now` is in epoch milliseconds. */
export function timelineOf(run: LiveRun, nodes: readonly TimelineNode[], now: number): Timeline {
  const elapsedMs = spannedMs(run, now);
  const end = (run.state.startedAt ?? now) + elapsedMs;
  const loopOf = new Map(nodes.map(({ id, loopId }) => [id, loopId]));
  const rows = nodes.flatMap((node) => {
    const row = rowOf(run, node, end);
    const isTakenOver = row.note === '' && isInTakenOver(run, loopOf, node.loopId);
    return [isTakenOver ? { ...row, note: text.timeline.reused } : row, ...callRows(run, node, end)];
  });
  return { rows, elapsedMs };
}

/** Returns the rows at an earlier moment. The bars are those of now, so that the timeline also shows what is to come. */
export function rowsThen(
  rowsNow: readonly TimelineRow[],
  then: LiveRun,
  nodes: readonly TimelineNode[],
): readonly TimelineRow[] {
  const keyOf = ({ nodeId, call }: TimelineRow): string => `${call?.seq ?? ''} ${nodeId}`;
  const rows = timelineOf(then, nodes, then.moment?.at ?? 0).rows;
  const found = new Map(rows.map((row) => [keyOf(row), row]));
  const notYet = { state: 'queued', durationMs: null, tokens: null, note: '' } as const;
  return rowsNow.map((row) => ({ ...(found.get(keyOf(row)) ?? { ...row, ...notYet }), bars: row.bars }));
}

/** Returns whether a loop, or one around it, was reused as a whole. Then the nodes in its body have no state. */
function isInTakenOver(run: LiveRun, loopOf: ReadonlyMap<string, string | null>, loopId: string | null): boolean {
  if (loopId === null) return false;
  return run.state.nodes.get(loopId)?.status === 'reused' || isInTakenOver(run, loopOf, loopOf.get(loopId) ?? null);
}

const mostTicks = 6;

/** Round distances between ticks: 1, 2 and 5 times a power of ten, and above that 30 s, 1 min and so on. */
const tickSteps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000,
] as const;

/** Returns the ticks of the time axis, in milliseconds. The last one is at or beyond the end. */
export function axisTicks(elapsedMs: number): readonly number[] {
  const step = tickSteps.find((candidate) => elapsedMs / candidate <= mostTicks) ?? Math.ceil(elapsedMs / mostTicks);
  const count = Math.max(1, Math.ceil(elapsedMs / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Returns the label of a tick, in milliseconds if the ticks are too close for tenths of a second. */
export function tickText(tickMs: number, stepMs: number): string {
  if (tickMs === 0) return text.timeline.zero;
  return stepMs < 100 ? text.timeline.milliseconds({ count: tickMs }) : durationText(tickMs);
}

/** Bars closer to each other than this fraction of the run are merged. */
const leastGapShare = 1 / 200;

/** No selected item, because a row represents all items. */
const noItems: ReadonlyMap<string, number> = new Map();

/**
 * Combines a body node's work on all items of its loop, including all instances of that loop in the run. `end`: epoch
 * ms.
 */
function bodyRow(run: LiveRun, node: TimelineNode & { readonly loopId: string }, end: number): TimelineRow {
  const { id, name, depth, isTolerated } = node;
  const states = statesOf(run, node);
  const start = run.state.startedAt ?? end;
  const items = shownItems(run, id, { chosen: noItems, isTolerated });
  const worked = states.flatMap((state) => nodeWorkedMs(state, end) ?? []);
  const parts = states.map((state) => partsOf(state, end));
  const leastGap = (end - start) * leastGapShare;
  const tokens = states.reduce((sum, { usage }) => sum + (usage ? usage.promptTokens + usage.completionTokens : 0), 0);
  return {
    nodeId: id,
    name,
    depth,
    state: items?.state ?? placedState(run, { nodeId: id, place: id, isTolerated }),
    durationMs: worked.length === 0 ? null : worked.reduce((sum, ms) => sum + ms, 0),
    isInBody: true,
    summedCount: worked.length > 1 ? worked.length : undefined,
    tokens: tokens === 0 ? null : tokens,
    bars: [
      ...mergedBars(
        'work',
        parts.flatMap(({ worked }) => worked),
        { start, leastGap },
      ),
      ...mergedBars(
        'wait',
        parts.flatMap(({ waited }) => waited),
        { start, leastGap },
      ),
    ],
    note: [nextNote(run, id), items?.words ?? ''].filter(Boolean).join(', '),
  };
}

function statesOf({ state }: LiveRun, { id, loopId }: { id: string; loopId: string }): readonly NodeState[] {
  const states: NodeState[] = [];
  for (const [place, { items }] of state.tallies.loops) {
    if (baseNodeId(place) !== loopId) continue;
    for (const item of items.keys()) {
      const found = state.nodes.get(`${place}[${item}].${id}`);
      if (found !== undefined) states.push(found);
    }
  }
  return states;
}

/** Returns the states of a node in a loop, of all items that it has reached. */
export function statesInBody(run: LiveRun, id: string): readonly NodeState[] {
  const loop = loopStepsOf(run.state.tallies.bodies.get(id)?.followed ?? '').at(-1);
  return loop === undefined ? [] : statesOf(run, { id, loopId: baseNodeId(loop.loop) });
}

interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

function spanOf({ startedAt, endedAt }: NodeState, end: number): TimeSpan[] {
  return startedAt === undefined ? [] : [{ from: startedAt, to: endedAt ?? end }];
}

/** Returns when the node worked, and when it waited for people. */
function partsOf(
  node: NodeState,
  end: number,
): { readonly worked: readonly TimeSpan[]; readonly waited: readonly TimeSpan[] } {
  const [span] = spanOf(node, end);
  if (span === undefined) return { worked: [], waited: [] };
  const waited = waitsWithin(node, span.from, span.to);
  const cuts = [span.from, ...waited.flatMap(({ from, to }) => [from, to]), span.to];
  const worked = cuts.flatMap((from, index): TimeSpan[] => {
    const to = cuts[index + 1];
    return index % 2 === 1 || to === undefined || (to <= from && waited.length > 0) ? [] : [{ from, to }];
  });
  return { worked, waited };
}

function mergedBars(
  kind: BarKind,
  spans: readonly TimeSpan[],
  { start, leastGap }: { readonly start: number; readonly leastGap: number },
): readonly TimelineBar[] {
  const bars: { kind: BarKind; fromMs: number; toMs: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = bars.at(-1);
    if (last !== undefined && from - start <= last.toMs + leastGap) last.toMs = Math.max(last.toMs, to - start);
    else bars.push({ kind, fromMs: from - start, toMs: to - start });
  }
  return bars;
}
