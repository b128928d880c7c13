/**
 * The state of a run, folded from its events by the engine's own reducer. This includes child runs that are shown
 * separately.
 */
import {
  type EventEnvelope,
  emptyRunState,
  foldRun,
  type RunId,
  type RunState,
  WorkedTime,
} from '../../../../engine/isomorphic.ts';
import type { CheckedText } from '../../text/check.ts';
import type { ShownComparison } from '../comparison.ts';
import type { WhatIf } from '../what-if.ts';
import { callsOfChild, type FollowedCalls, followModelCalls, noModelCalls } from './model-calls.ts';
import { appendToLog, emptyRunLog, isLogged, logUpTo, type WindowRunLog } from './run-log.ts';
import { RunTrack, trackPageSize } from './run-track.ts';

/** A moment in the past of a run: right after an event. */
interface RunMoment {
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface LiveRun {
  readonly runId: RunId;
  readonly state: RunState;
  /**
   * The state according to the stored events of a run that lost its engine. Further events continue from this state.
   */
  readonly stateBeforeCut: RunState | null;
  readonly log: WindowRunLog;
  /** Set if this is the run as it was at an earlier moment. It can only be looked at. */
  readonly moment: RunMoment | null;
  /** Leads back to earlier moments of the root run. */
  readonly track: RunTrack;
  /** Read with `workedMs`. */
  readonly worked: WorkedTime;
  readonly calls: FollowedCalls;
  /** The text that the run executes. Null until it is known. */
  readonly definition: CheckedText | null;
  /** Whether cancellation was requested and its event has not arrived. */
  readonly isCancelling: boolean;
  /** Whether a pause was requested and its event has not arrived. */
  readonly isPausing: boolean;
  /** The run shown over the flow when this one was requested. Null if there was none or it is not known. */
  readonly before: RunId | null;
  /** The comparison with an earlier run, while it is shown over the run. */
  readonly comparison: ShownComparison | null;
  /** For an ended run over an edited text, by node ID: why the node is stale. */
  readonly stale: ReadonlyMap<string, string>;
  /** What another autonomy level would have paused, while that is shown over the run. */
  readonly whatIf: WhatIf | null;
  /** For a child run: where it was opened, and the root run with the log that contains its events. */
  readonly caller: { readonly path: string; readonly runId: RunId } | null;
}

/** Returns whether more events will arrive without an action by the user. */
export function isUnfinished({ status }: Pick<RunState, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** Returns whether the run can be canceled: it is running, or waits for an answer. */
export function isCancellable(state: Pick<RunState, 'status'>): boolean {
  return isUnfinished(state) || state.status === 'suspended';
}

/** Returns whether a person has paused the run, and nothing in it runs. */
export function isPaused({ status, pause }: Pick<RunState, 'status' | 'pause'>): boolean {
  return status === 'suspended' && pause !== undefined;
}

/**
 * Returns whether only streamed text, which is not part of the log, has arrived between the two. Always false for a
 * child run that changed, because its log does not cover the runs around it.
 */
export function hasSameFacts(before: LiveRun, now: LiveRun): boolean {
  if (before === now) return true;
  if (now.caller !== null) return false;
  for (const key in now) {
    // Streamed text replaces these. Every other change of them also changes the log or `stateBeforeCut`.
    if (key === 'state' || key === 'worked' || key === 'calls') continue;
    if (before[key as keyof LiveRun] !== now[key as keyof LiveRun]) return false;
  }
  return true;
}

/** Returns a run before its first event. */
export function newRun(runId: RunId): LiveRun {
  const state = { ...emptyRunState, runId };
  return {
    runId,
    state,
    stateBeforeCut: null,
    log: emptyRunLog,
    moment: null,
    track: new RunTrack(),
    worked: new WorkedTime(),
    calls: noModelCalls,
    definition: null,
    isCancelling: false,
    isPausing: false,
    before: null,
    comparison: null,
    stale: new Map(),
    whatIf: null,
    caller: null,
  };
}

/**
 * Returns a separately shown child run, with the state known in the root run. @param events events of that run's log
 * that have not been applied yet
 */
export function calledRun(run: LiveRun, root: LiveRun, events: readonly EventEnvelope[]): LiveRun {
  const state = root.state.children.get(run.runId);
  if (state === undefined) return run;
  const own = events.filter(({ runId }) => runId === run.runId).map(({ rootRunId: _, ...envelope }) => envelope);
  return {
    ...run,
    // Its own child runs are among all descendants of the root run.
    state: { ...state, children: root.state.children },
    log: appendToLog(run.log, own),
    track: root.track,
    worked: followWork(run.worked, own),
    calls: followModelCalls(run.calls, own),
    isCancelling: run.isCancelling && isCancellable(state),
    isPausing: run.isPausing && isUnfinished(state),
  };
}

/** Returns a child run, of which nothing is known yet, from its root run. */
export function openedRun(run: LiveRun, root: LiveRun): LiveRun {
  return { ...calledRun(run, root, root.log.events), calls: callsOfChild(root.calls, run.runId) };
}

/** Removes the events of child runs, because their tasks are not nodes of this flow. */
function ownEvents(events: readonly EventEnvelope[]): readonly EventEnvelope[] {
  return events.every(({ rootRunId }) => rootRunId === undefined)
    ? events
    : events.filter(({ rootRunId }) => rootRunId === undefined);
}

/** Marks everything active in a run without an engine as interrupted. */
export function cutOff(run: LiveRun): LiveRun {
  if (run.stateBeforeCut !== null) return run;
  return {
    ...run,
    state: interruptedState(run.state),
    stateBeforeCut: run.state,
    isCancelling: false,
    isPausing: false,
  };
}

function interruptedState(state: RunState): RunState {
  const nodes = new Map(state.nodes);
  for (const [id, node] of nodes) {
    if (node.status === 'running' || node.status === 'retrying') nodes.set(id, { ...node, status: 'cancelled' });
  }
  const children = new Map(state.children);
  for (const [id, child] of children) if (isUnfinished(child)) children.set(id, interruptedState(child));
  return { ...state, status: 'interrupted', nodes, children };
}

/** Applies further events to the run. */
export function foldInto(run: LiveRun, events: readonly EventEnvelope[]): LiveRun {
  let folded = run;
  for (const page of splitByPage(events)) {
    folded = foldPage(folded, page);
    run.track.add(page);
    run.track.keep(folded);
  }
  return folded;
}

/** Splits events where a page of the track ends. */
function splitByPage(events: readonly EventEnvelope[]): readonly (readonly EventEnvelope[])[] {
  const pages: EventEnvelope[][] = [[]];
  for (const event of events) {
    pages.at(-1)?.push(event);
    if ((event.seq + 1) % trackPageSize === 0) pages.push([]);
  }
  return pages.filter((page) => page.length > 0);
}

function foldPage(run: LiveRun, events: readonly EventEnvelope[]): LiveRun {
  const state = foldRun(run.stateBeforeCut ?? run.state, events);
  const isCancelling = run.isCancelling && isCancellable(state);
  const isPausing = run.isPausing && isUnfinished(state);
  const log = appendToLog(run.log, events);
  const worked = followWork(run.worked, ownEvents(events));
  const calls = followModelCalls(run.calls, events);
  return { ...run, state, stateBeforeCut: null, log, worked, calls, isCancelling, isPausing };
}

/**
 * Returns a root run as it was right after an event.
 * @param page the events of the run from `track.pointBefore` on, at least up to that event
 */
export function runAt(run: LiveRun, seq: number, page: readonly EventEnvelope[]): LiveRun {
  const fresh = newRun(run.runId);
  const { state, worked, log, calls } = run.track.pointBefore(seq) ?? fresh;
  const upToNow = { ...asPast(run, { seq, at: run.track.timeOf(seq) }), state, worked, log, calls };
  const then = foldPage(
    upToNow,
    page.filter((event) => event.seq > state.seq && event.seq <= seq),
  );
  // A longer log only has the lines of the page.
  const lines =
    run.log.omittedCount === 0
      ? { ...logUpTo(run.log, seq), omittedCount: 0 }
      : { ...then.log, later: page.filter((event) => event.seq > seq && isLogged(event)) };
  const { events, later, omittedCount } = lines;
  return { ...then, log: { ...then.log, events, later, omittedCount } };
}

/** Returns a child run as it was when its root run was as given. */
export function calledRunAt(run: LiveRun, root: LiveRun): LiveRun {
  const { state, worked, log } = newRun(run.runId);
  const { name, kind, sourcePath } = run.state;
  const before = { ...asPast(run, root.moment), state: { ...state, name, kind, sourcePath }, worked, log };
  const isOwn = ({ runId }: EventEnvelope): boolean => runId === run.runId;
  const then = openedRun(before, root);
  return { ...then, log: { ...then.log, later: root.log.later.filter(isOwn) } };
}

/** Removes what is known about the run only now. */
function asPast(run: LiveRun, moment: LiveRun['moment']): LiveRun {
  return {
    ...run,
    moment,
    stateBeforeCut: null,
    isCancelling: false,
    isPausing: false,
    stale: new Map(),
    whatIf: null,
  };
}

/** Returns the time worked after more events of the run. */
function followWork(worked: WorkedTime, events: readonly EventEnvelope[]): WorkedTime {
  const next = worked.copy();
  for (const { event, at } of events) next.take(event.type, at);
  return next;
}
