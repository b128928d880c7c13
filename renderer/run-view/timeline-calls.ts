/**
 * The calls of tools as rows of the timeline, below the node that made them.
 */
import type { LiveRun } from '../stores/runs/live-runs.ts';
import { placeInRun } from '../stores/runs/shown-run.ts';
import { callState, type ToolCall, toolAnswer } from '../stores/runs/tool-calls.ts';
import type { TimelineBar, TimelineRow } from './timeline-model.ts';

/** Rows of one node; the inspector has more. */
const mostRows = 100;

const noItems: ReadonlyMap<string, number> = new Map();

/** Within the call: a wait for a person before the first attempt is none of its work. */
function barsOf(call: ToolCall, state: string, span: { readonly start: number; readonly end: number }): TimelineBar[] {
  const bars: TimelineBar[] = [];
  let from = call.startedAt;
  for (const { at, delayMs } of call.failedTries) {
    const pauseEnd = Math.min(at + delayMs, call.endedAt ?? span.end);
    bars.push({ kind: 'failed-attempt', fromMs: from - span.start, toMs: at - span.start });
    bars.push({ kind: 'pause', fromMs: at - span.start, toMs: pauseEnd - span.start });
    from = pauseEnd;
  }
  const to = state === 'cancelled' ? from : Math.max(from, call.endedAt ?? span.end);
  if (state === 'suspended') return [...bars, { kind: 'wait', fromMs: from - span.start, toMs: to - span.start }];
  const { durationMs } = call;
  const began = durationMs === undefined || bars.length > 0 ? from : Math.max(from, to - durationMs);
  if (began > from) bars.push({ kind: 'wait', fromMs: from - span.start, toMs: began - span.start });
  return [...bars, { kind: 'work', fromMs: began - span.start, toMs: to - span.start }];
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

function noteOf({ failedTries, result, params, asked }: ToolCall): string {
  const tries = failedTries.length === 0 ? [] : [`${failedTries.length + 1} attempts`];
  return [...tries, textOf(result === undefined ? (params ?? asked) : toolAnswer(result))].join(', ');
}

/** Rows of the calls of a node, the oldest first; of one in a loop those of the item last at work. */
export function callRows(
  run: LiveRun,
  { id, depth }: { readonly id: string; readonly depth: number },
  end: number,
): readonly TimelineRow[] {
  if (run.log.toolCalls.size === 0) return [];
  const place = placeInRun(run, id, noItems);
  const calls = run.log.toolCalls.get(place) ?? [];
  const status = run.state.nodes.get(place)?.status;
  const start = run.state.startedAt ?? end;
  return calls.slice(-mostRows).map((call) => {
    const state = callState(call, status);
    return {
      nodeId: id,
      call: { seq: call.seq, place },
      name: call.tool,
      depth: depth + 1,
      state,
      durationMs: call.durationMs ?? null,
      tokens: null,
      bars: barsOf(call, state, { start, end }),
      note: noteOf(call),
    };
  });
}
