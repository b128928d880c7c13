/**
 * Runs as their events make them: each folded by the engine's own reducer. Also which run is shown over which flow.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type EventEnvelope, isCataloguePath, type RunId, type RunState, rootOf } from '../../../engine/isomorphic.ts';
import type { CheckedText } from '../text/check.ts';
import { calledRun, foldInto, isCancellable, isUnfinished, type LiveRun, newRun } from './live-run.ts';

export { isCancellable, isUnfinished, type LiveRun } from './live-run.ts';

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
  setWhatIf(runId: RunId, whatIf: LiveRun['whatIf']): void;
  /** Shows what it gave beside what another run of its flow gave. */
  compare(runId: RunId, other: RunId): void;
  /** The engine that ran it is gone: what was under way in it has been cut off. */
  markInterrupted(runId: RunId): void;
  /** Shows a run of the history over its flow. */
  choose(path: string, runId: RunId): void;
  /**
   * Shows a run that another one has called over the flow that it is of.
   * @param from path of the tab where it was chosen
   * @param root the run at the top
   */
  chooseCalled(from: string, root: RunId, called: RunId): void;
  /** The person edits the flow: from now on its own text is on screen, under the run that is shown. */
  loosen(path: string): void;
  /** Goes back to the file alone. */
  hide(path: string): void;
  /** The run is no more: no flow shows it. */
  forget(runId: RunId): void;
}

/** Whether a newer text may be shown under the run: it neither goes on nor waits for an answer. */
export function mayLoosen(state: Pick<RunState, 'status'>): boolean {
  return !isCancellable(state);
}

/** Whether the run has an end: it neither goes on nor could be made to. */
export function isOver({ status }: Pick<RunState, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled' || status === 'skipped';
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
    // What runs for a conversation without a file of its own lies over the catalogue only when somebody asks for it.
    if (event.type !== 'run:start' || rootRunId !== undefined || isCataloguePath(event.sourcePath)) continue;
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
  'run:refused',
]);

/** What waits for people, wherever in a run. */
const waitingEvents: ReadonlySet<string> = new Set<EventEnvelope['event']['type']>([
  'approval:requested',
  'input:requested',
  'approval:resolved',
  'input:received',
  'node:suspended',
]);

function touchesHistory(events: readonly EventEnvelope[]): boolean {
  // Runs that another one called are no entries of their own.
  return events.some(
    ({ event: { type }, rootRunId }) => waitingEvents.has(type) || (rootRunId === undefined && historyEvents.has(type)),
  );
}

type Runs = LiveRuns['runs'];

/** Takes events up into their runs, and into those that are looked at on their own below them. */
function withEvents(former: Runs, events: readonly EventEnvelope[]): Runs {
  const runs = new Map(former);
  const groups = groupByRun(events);
  for (const [runId, group] of groups) runs.set(runId, foldInto(runs.get(runId) ?? newRun(runId), group));
  for (const [runId, run] of runs) {
    const root = run.caller === null ? undefined : runs.get(run.caller.runId);
    const group = root === undefined ? undefined : groups.get(root.runId);
    if (root !== undefined && group !== undefined) runs.set(runId, calledRun(run, root, group));
  }
  return runs;
}

interface OpenedCall {
  readonly from: string;
  readonly rootId: RunId;
  readonly calledId: RunId;
}

/** Undefined when the run at the top is not known here, or has called no such run. */
function openedCall(runs: Runs, { from, rootId, calledId }: OpenedCall): LiveRun | undefined {
  const root = runs.get(rootId);
  if (root?.state.children.has(calledId) !== true) return undefined;
  return calledRun({ ...newRun(calledId), caller: { path: from, runId: rootId } }, root, root.log.events);
}

/** Those that flows show, and those that these are a part of. */
function runsOnScreen(runs: Runs, shown: LiveRuns['shown']): ReadonlySet<RunId> {
  const onScreen = [...shown.values()].map(({ runId }) => runId);
  return new Set([...onScreen, ...onScreen.flatMap((runId) => runs.get(runId)?.caller?.runId ?? [])]);
}

/** Those below a run stop with it. */
function withCancelling(runs: Runs, runId: RunId, isCancelling: boolean): Runs {
  const stops = (run: LiveRun): boolean => run.runId === runId || run.caller?.runId === runId;
  return new Map([...runs].map(([id, run]) => [id, stops(run) ? { ...run, isCancelling } : run]));
}

/** @param onHistoryChange called behind events that change the list of runs, or of what waits in them */
export function createLiveRuns(onHistoryChange: () => void = () => undefined): StoreApi<LiveRuns> {
  return createStore<LiveRuns>()((set, get) => {
    const update = (runId: RunId, change: (run: LiveRun) => LiveRun): void => {
      const { runs } = get();
      const run = runs.get(runId);
      if (run !== undefined) set({ runs: new Map(runs).set(runId, change(run)) });
    };
    /** Drops ended runs that no flow shows: the history can bring them back. */
    const setShown = (shown: LiveRuns['shown']): void => {
      const kept = runsOnScreen(get().runs, shown);
      const runs = [...get().runs].filter(([, run]) => kept.has(run.runId) || isUnfinished(run.state));
      set({ shown, runs: new Map(runs) });
    };

    return {
      runs: new Map(),
      shown: new Map(),
      lastSeq: (runId) => get().runs.get(runId)?.state.seq ?? -1,
      applyEvents(events) {
        set({ runs: withEvents(get().runs, events) });
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
      setWhatIf: (runId, whatIf) => update(runId, (run) => ({ ...run, whatIf })),
      setCancelling: (runId, isCancelling) => set({ runs: withCancelling(get().runs, runId, isCancelling) }),
      compare: (runId, other) => update(runId, (run) => ({ ...run, comparedWith: other })),
      markInterrupted: (runId) => update(runId, cutOff),
      choose(path, runId) {
        const run = get().runs.get(runId) ?? newRun(runId);
        set({ runs: new Map(get().runs).set(runId, run) });
        setShown(new Map(get().shown).set(path, { runId, isChosen: true }));
      },
      chooseCalled(from, rootId, calledId) {
        const run = openedCall(get().runs, { from, rootId, calledId });
        if (run === undefined) return;
        set({ runs: new Map(get().runs).set(calledId, run) });
        setShown(new Map(get().shown).set(run.state.sourcePath, { runId: calledId, isChosen: true }));
      },
      loosen(path) {
        const current = get().shown.get(path);
        if (current !== undefined && !current.isLoose) {
          set({ shown: new Map(get().shown).set(path, { ...current, isLoose: true }) });
        }
      },
      forget: (runId) => setShown(new Map([...get().shown].filter(([, shown]) => shown.runId !== runId))),
      hide(path) {
        setShown(new Map([...get().shown].filter(([at]) => at !== path)));
      },
    };
  });
}
