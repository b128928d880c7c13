/**
 * The data of a timeline row, and the rows of tool calls below the node that made them.
 */
import type { LiveRun } from '../stores/runs/live/live-runs.ts';
import { callState, type ToolCallRecord, toolAnswer } from '../stores/runs/live/tool-calls.ts';
import { placeInRun, type ShownState } from '../stores/runs/shown-run.ts';
import { text } from './text.ts';

/**
 * `pause` is the time before the next attempt, `loop` means other nodes run inside it, `wait` is a request to a person.
 */
export type BarKind = 'work' | 'failed-attempt' | 'pause' | 'loop' | 'wait';

export interface TimelineBar {
  readonly kind: BarKind;
  /** Milliseconds since the run began. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface TimelineRow {
  readonly nodeId: string;
  /** For the row of a call: the number of its first event, and the path of its node in the run. */
  readonly call?: { readonly seq: number; readonly place: string };
  /** The name on the card. */
  readonly name: string;
  /** Number of loops around it. */
  readonly depth: number;
  readonly state: ShownState;
  readonly durationMs: number | null;
  /** For a node in a loop, whose row stands for all items. */
  readonly isInBody?: boolean;
  /** Number of items whose times `durationMs` adds up. Undefined unless there are several. */
  readonly summedCount?: number | undefined;
  readonly tokens: number | null;
  readonly bars: readonly TimelineBar[];
  /** The reason, the count, or else the output. Shown beside the last bar. */
  readonly note: string;
}

/** Maximum number of rows per node. The inspector shows more. */
const mostRows = 100;

const noItems: ReadonlyMap<string, number> = new Map();

/** Restricted to the call: a wait for a person before the first attempt is not part of its work. */
function barsOf(
  call: ToolCallRecord,
  state: string,
  span: { readonly start: number; readonly end: number },
): TimelineBar[] {
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
  const shown = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return shown.length <= 200 ? shown : `${shown.slice(0, 200)}…`;
}

function noteOf({ failedTries, result, params, asked }: ToolCallRecord): string {
  const tries = failedTries.length === 0 ? [] : [text.timeline.attempts({ count: failedTries.length + 1 })];
  return [...tries, textOf(result === undefined ? (params ?? asked) : toolAnswer(result))].join(', ');
}

/** Returns the rows for the calls of a node, oldest first. For a node in a loop, those of the item that ran last. */
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
