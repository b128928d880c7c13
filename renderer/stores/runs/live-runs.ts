/**
 * Runs as their events make them: each folded by the engine's own reducer. Also which run is shown over which flow.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type EventEnvelope,
  emptyRunState,
  foldRun,
  type RunId,
  type RunState,
  rootOf,
} from '../../../engine/isomorphic.ts';
import type { CheckedText } from '../text/check.ts';
import { type EdgeTallies, followBodyEdges, noEdges } from './body-edges.ts';
import { type BodyTallies, followBodies } from './body-tally.ts';
import { followLoops, type LoopProgress, noLoopProgress } from './loop-progress.ts';
import { appendToLog, emptyRunLog, type RunLog } from './run-log.ts';

export interface LiveRun {
  readonly runId: RunId;
  readonly state: RunState;
  /** What the facts alone say of a run whose engine was lost; when more facts come, they go on from here. */
  readonly stateBeforeCut: RunState | null;
  readonly log: RunLog;
  readonly loops: LoopProgress;
  /** Of nodes in the bodies of loops: how their items went. */
  readonly bodies: BodyTallies;
  /** Of edges in the bodies of loops: for how many items each was taken. */
  readonly bodyEdges: EdgeTallies;
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
}

export interface ShownRun {
  readonly runId: RunId;
  /** Chosen from the history: a run that starts later does not take its place. */
  readonly isChosen: boolean;
  /** The person went on editing under it: the text on screen is theirs, no more the one that the run executes. */
  readonly isLoose?: true;
}

/** What is known of a run before its first event. */
interface AnnouncedRun {
  readonly runId: RunId;
  readonly path: string;
  readonly definition: CheckedText | null;
}

export interface LiveRuns {
  readonly runs: ReadonlyMap<string, LiveRun>;
  /** By flow path. */
  readonly shown: ReadonlyMap<string, ShownRun>;
  /** `seq` of the last applied event of a run; -1 = none. */
  lastSeq(runId: string): number;
  /** Folds events in `seq` order, without gaps, of any number of runs. */
  applyEvents(events: readonly EventEnvelope[]): void;
  /** Makes a run known that was just asked for, and shows it over its flow. */
  announce(run: AnnouncedRun): void;
  setDefinition(runId: RunId, definition: CheckedText): void;
  setCancelling(runId: RunId, isCancelling: boolean): void;
  setStale(runId: RunId, stale: LiveRun['stale']): void;
  /** Shows what it gave beside what another run of its flow gave. */
  compare(runId: RunId, other: RunId): void;
  /** The engine that ran it is gone: what was under way in it has been cut off. */
  markInterrupted(runId: RunId): void;
  /** Shows a run of the history over its flow. */
  choose(path: string, runId: RunId): void;
  /** The person edits the flow: from now on its own text is on screen, under the run that is shown. */
  loosen(path: string): void;
  /** Goes back to the file alone. */
  hide(path: string): void;
  /** The run is no more: no flow shows it. */
  forget(runId: RunId): void;
}

/** Whether facts are still to come without anybody asking for them. */
export function isUnfinished({ status }: Pick<RunState, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** Whether a newer text may be shown under the run: it neither goes on nor waits for an answer. */
export function mayLoosen(state: Pick<RunState, 'status'>): boolean {
  return !isUnfinished(state) && state.status !== 'suspended';
}

/** Whether the run has an end: it neither goes on nor could be made to. */
export function isOver({ status }: Pick<RunState, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled' || status === 'skipped';
}

function newRun(runId: RunId): LiveRun {
  const state = { ...emptyRunState, runId };
  return {
    runId,
    state,
    stateBeforeCut: null,
    log: emptyRunLog,
    loops: noLoopProgress,
    bodies: new Map(),
    bodyEdges: noEdges,
    definition: null,
    isCancelling: false,
    before: null,
    comparedWith: null,
    stale: new Map(),
  };
}

/** Without those of the runs that it called, whose tasks are not nodes of its flow. */
function ownEvents(events: readonly EventEnvelope[]): readonly EventEnvelope[] {
  return events.every(({ rootRunId }) => rootRunId === undefined)
    ? events
    : events.filter(({ rootRunId }) => rootRunId === undefined);
}

function foldInto(run: LiveRun, events: readonly EventEnvelope[]): LiveRun {
  const state = foldRun(run.stateBeforeCut ?? run.state, events);
  const isCancelling = run.isCancelling && isUnfinished(state);
  const log = appendToLog(run.log, events);
  const own = ownEvents(events);
  const isSkipped = (place: string): boolean => state.nodes.get(place)?.status === 'skipped';
  const followed = {
    loops: followLoops(run.loops, own),
    bodies: followBodies(run.bodies, own),
    bodyEdges: followBodyEdges(run.bodyEdges, own, isSkipped),
  };
  return { ...run, ...followed, state, stateBeforeCut: null, log, isCancelling };
}

/** A run whose engine died: nothing in it goes on. */
function cutOff(run: LiveRun): LiveRun {
  if (run.stateBeforeCut !== null) return run;
  return { ...run, state: interruptedState(run.state), stateBeforeCut: run.state, isCancelling: false };
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

function groupByRun(events: readonly EventEnvelope[]): Map<RunId, EventEnvelope[]> {
  const groups = new Map<RunId, EventEnvelope[]>();
  for (const event of events) {
    const rootId = rootOf(event);
    const group = groups.get(rootId);
    if (group === undefined) groups.set(rootId, [event]);
    else group.push(event);
  }
  return groups;
}

/**
 * A run that just started is shown over its flow, unless the person looks at one of their choice that it is no redo of.
 */
function showStarted(shown: ReadonlyMap<string, ShownRun>, events: readonly EventEnvelope[]): LiveRuns['shown'] {
  let result = shown;
  for (const { runId, rootRunId, event } of events) {
    if (event.type !== 'run:start' || rootRunId !== undefined) continue;
    const current = result.get(event.sourcePath);
    if (current?.runId === runId || (current?.isChosen && current.runId !== event.redoOf)) continue;
    result = new Map(result).set(event.sourcePath, { runId, isChosen: false });
  }
  return result;
}

const historyEvents: ReadonlySet<string> = new Set<EventEnvelope['event']['type']>([
  'run:start',
  'run:suspended',
  'run:resumed',
  'run:end',
]);

function touchesHistory(events: readonly EventEnvelope[]): boolean {
  // Runs that another one called are no entries of their own.
  return events.some(({ event, rootRunId }) => rootRunId === undefined && historyEvents.has(event.type));
}

/** @param onHistoryChange called behind events that change the list of runs */
export function createLiveRuns(onHistoryChange: () => void = () => undefined): StoreApi<LiveRuns> {
  return createStore<LiveRuns>()((set, get) => {
    const update = (runId: RunId, change: (run: LiveRun) => LiveRun): void => {
      const { runs } = get();
      const run = runs.get(runId);
      if (run !== undefined) set({ runs: new Map(runs).set(runId, change(run)) });
    };
    /** Drops ended runs that no flow shows: the history can bring them back. */
    const setShown = (shown: LiveRuns['shown']): void => {
      const kept = new Set([...shown.values()].map(({ runId }) => runId));
      const runs = [...get().runs].filter(([, run]) => kept.has(run.runId) || isUnfinished(run.state));
      set({ shown, runs: new Map(runs) });
    };

    return {
      runs: new Map(),
      shown: new Map(),
      lastSeq: (runId) => get().runs.get(runId)?.state.seq ?? -1,
      applyEvents(events) {
        const runs = new Map(get().runs);
        for (const [runId, group] of groupByRun(events)) {
          runs.set(runId, foldInto(runs.get(runId) ?? newRun(runId), group));
        }
        set({ runs });
        const shown = showStarted(get().shown, events);
        if (shown !== get().shown) setShown(shown);
        if (touchesHistory(events)) onHistoryChange();
      },
      announce({ runId, path, definition }) {
        const run = get().runs.get(runId) ?? newRun(runId);
        const state = run.state.sourcePath === '' ? { ...run.state, sourcePath: path } : run.state;
        const former = get().shown.get(path)?.runId ?? null;
        const before = former === runId ? run.before : former;
        set({ runs: new Map(get().runs).set(runId, { ...run, state, definition, before }) });
        setShown(new Map(get().shown).set(path, { runId, isChosen: false }));
      },
      setDefinition: (runId, definition) => update(runId, (run) => ({ ...run, definition })),
      setStale(runId, stale) {
        const before = get().runs.get(runId)?.stale;
        const isSame = before?.size === stale.size && [...stale].every(([id, why]) => before.get(id) === why);
        if (!isSame) update(runId, (run) => ({ ...run, stale }));
      },
      setCancelling: (runId, isCancelling) => update(runId, (run) => ({ ...run, isCancelling })),
      compare: (runId, other) => update(runId, (run) => ({ ...run, comparedWith: other })),
      markInterrupted: (runId) => update(runId, cutOff),
      choose(path, runId) {
        const run = get().runs.get(runId) ?? newRun(runId);
        set({ runs: new Map(get().runs).set(runId, run) });
        setShown(new Map(get().shown).set(path, { runId, isChosen: true }));
      },
      loosen(path) {
        const current = get().shown.get(path);
        if (current !== undefined && !current.isLoose) {
          set({ shown: new Map(get().shown).set(path, { ...current, isLoose: true }) });
        }
      },
      forget: (runId) => setShown(new Map([...get().shown].filter(([, shown]) => shown.runId !== runId))),
      hide(path) {
        const shown = new Map(get().shown);
        shown.delete(path);
        setShown(shown);
      },
    };
  });
}
