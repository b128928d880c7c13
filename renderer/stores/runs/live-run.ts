/**
 * One run as its events make it, folded by the engine's own reducer; also one that another run has called, as it is looked at on its
 * own.
 */
import {
  type EventEnvelope,
  emptyRunState,
  foldRun,
  type RunId,
  type RunState,
  WorkedTime,
} from '../../../engine/isomorphic.ts';
import type { CheckedText } from '../text/check.ts';
import { appendToLog, emptyRunLog, type RunLog } from './run-log.ts';
import { followWork } from './run-time.ts';
import type { WhatIf } from './what-if.ts';

export interface LiveRun {
  readonly runId: RunId;
  readonly state: RunState;
  /** What the facts alone say of a run whose engine was lost; when more facts come, they go on from here. */
  readonly stateBeforeCut: RunState | null;
  readonly log: RunLog;
  /** Read it with `workedMs`. */
  readonly worked: WorkedTime;
  /** The text that the run executes; null until it is known. */
  readonly definition: CheckedText | null;
  /** Cancel was asked for and the fact has not arrived. */
  readonly isCancelling: boolean;
  /** The run that was shown over the flow when this one was asked for; null = none, or nobody knows. */
  readonly before: RunId | null;
  /** The run that the person has chosen to compare it with. */
  readonly comparedWith: RunId | null;
  /** Of an ended run over an edited text, by node id: why the node would run anew. */
  readonly stale: ReadonlyMap<string, string>;
  /** What another level of autonomy would have held back in it, while that is drawn over it. */
  readonly whatIf: WhatIf | null;
  /** Of a run that another one has called: where it was opened, and the run at the top, whose log it is a part of. */
  readonly caller: { readonly path: string; readonly runId: RunId } | null;
}

/** Whether facts are still to come without anybody asking for them. */
export function isUnfinished({ status }: Pick<RunState, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** Whether it can be cancelled: it is running, or waits for a person. */
export function isCancellable(state: Pick<RunState, 'status'>): boolean {
  return isUnfinished(state) || state.status === 'suspended';
}

/**
 * Whether only streamed text has arrived between the two, which the log does not keep. Always false for a called run that
 * changed, because its log does not cover the runs around it.
 */
export function hasSameFacts(before: LiveRun, now: LiveRun): boolean {
  if (before === now) return true;
  if (now.caller !== null) return false;
  for (const key in now) {
    // Streamed text replaces these two. Every other change of them also changes the log or `stateBeforeCut`.
    if (key === 'state' || key === 'worked') continue;
    if (before[key as keyof LiveRun] !== now[key as keyof LiveRun]) return false;
  }
  return true;
}

/** Before its first event. */
export function newRun(runId: RunId): LiveRun {
  const state = { ...emptyRunState, runId };
  return {
    runId,
    state,
    stateBeforeCut: null,
    log: emptyRunLog,
    worked: new WorkedTime(),
    definition: null,
    isCancelling: false,
    before: null,
    comparedWith: null,
    stale: new Map(),
    whatIf: null,
    caller: null,
  };
}

/** A run that is looked at on its own, as the run at the top has it. @param events of that run's log, not taken yet */
export function calledRun(run: LiveRun, root: LiveRun, events: readonly EventEnvelope[]): LiveRun {
  const state = root.state.children.get(run.runId);
  if (state === undefined) return run;
  const own = events.filter(({ runId }) => runId === run.runId).map(({ rootRunId: _, ...envelope }) => envelope);
  return {
    ...run,
    // What it has called stands among all runs below the top.
    state: { ...state, children: root.state.children },
    log: appendToLog(run.log, own),
    worked: followWork(run.worked, own),
    isCancelling: run.isCancelling && isCancellable(state),
  };
}

/** Without those of the runs that it called, whose tasks are not nodes of its flow. */
function ownEvents(events: readonly EventEnvelope[]): readonly EventEnvelope[] {
  return events.every(({ rootRunId }) => rootRunId === undefined)
    ? events
    : events.filter(({ rootRunId }) => rootRunId === undefined);
}

/** The run with more of its events. */
export function foldInto(run: LiveRun, events: readonly EventEnvelope[]): LiveRun {
  const state = foldRun(run.stateBeforeCut ?? run.state, events);
  const isCancelling = run.isCancelling && isCancellable(state);
  const log = appendToLog(run.log, events);
  const worked = followWork(run.worked, ownEvents(events));
  return { ...run, state, stateBeforeCut: null, log, worked, isCancelling };
}
