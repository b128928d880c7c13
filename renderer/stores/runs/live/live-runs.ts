/**
 * Runs folded from their events by the engine's own reducer, and which run is shown over which flow.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type EventEnvelope,
  isCataloguePath,
  type RunId,
  type RunState,
  rootOf,
} from '../../../../engine/isomorphic.ts';
import type { CheckedText } from '../../text/check.ts';
import {
  calledRun,
  calledRunAt,
  cutOff,
  foldInto,
  isCancellable,
  isUnfinished,
  type LiveRun,
  newRun,
  openedRun,
} from './live-run.ts';

export { isCancellable, isPaused, isUnfinished, type LiveRun } from './live-run.ts';

export interface DisplayedRun {
  readonly runId: RunId;
  /** Whether the run was selected from the history, in which case a run that starts later does not replace it. */
  readonly isChosen: boolean;
  /**
   * Set after the user has edited the flow under the run: the text on screen is no longer the one that the run
   * executes.
   */
  readonly isLoose?: true;
}

/** The properties of a run known before its first event. */
interface AnnouncedRun {
  readonly runId: RunId;
  readonly path: string;
  readonly definition: CheckedText | null;
}

export interface LiveRuns {
  readonly runs: ReadonlyMap<string, LiveRun>;
  /** By run: how shown runs were at an earlier moment, which is on screen instead of `runs`. Also for child runs. */
  readonly past: ReadonlyMap<string, LiveRun>;
  /** By flow path. */
  readonly shown: ReadonlyMap<string, DisplayedRun>;
  /** Returns the `seq` of the last applied event of a run, or -1 if there is none. */
  lastSeq(runId: string): number;
  /** Applies events of any number of runs, in `seq` order and without gaps. */
  applyEvents(events: readonly EventEnvelope[]): void;
  /** Adds a run that was just requested, and shows it over its flow. */
  announce(run: AnnouncedRun): void;
  setDefinition(runId: RunId, definition: CheckedText): void;
  setCancelling(runId: RunId, isCancelling: boolean): void;
  setPausing(runId: RunId, isPausing: boolean): void;
  setStale(runId: RunId, stale: LiveRun['stale']): void;
  setWhatIf(runId: RunId, whatIf: LiveRun['whatIf']): void;
  /** Shows a root run, with its child runs, at an earlier moment. Further events do not change that. */
  showPast(run: LiveRun): void;
  /** Shows a root run, with its child runs, as it is now. */
  showNow(runId: RunId): void;
  /** Shows it with another run of the same flow. Null ends the comparison. */
  setComparison(runId: RunId, comparison: LiveRun['comparison']): void;
  /** Marks a run as interrupted because its engine is gone. */
  markInterrupted(runId: RunId): void;
  /** Shows a run of the history over its flow. */
  choose(path: string, runId: RunId): void;
  /**
   * Shows a child run over its flow.
   * @param from path of the tab where it was selected
   * @param root the root run
   */
  chooseCalled(from: string, root: RunId, called: RunId): void;
  /** Called when the user edits the flow: from then on the edited text is on screen, under the shown run. */
  loosen(path: string): void;
  /** Hides the run and shows only the file. */
  hide(path: string): void;
  /** Removes a deleted run from all flows. */
  forget(runId: RunId): void;
}

/** Returns whether an edited text may be shown under the run: it is neither running nor waiting for an answer. */
export function mayLoosen(state: Pick<RunState, 'status'>): boolean {
  return !isCancellable(state);
}

/** Returns whether the run has ended and cannot be resumed. */
export function isOver({ status }: Pick<RunState, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled' || status === 'skipped';
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
 * Shows a run that just started over its flow, unless the user has selected another run that it does not redo, or an
 * earlier moment of another run.
 */
function showStarted(
  { shown, past }: Pick<LiveRuns, 'shown' | 'past'>,
  events: readonly EventEnvelope[],
): LiveRuns['shown'] {
  let result = shown;
  for (const { runId, rootRunId, event } of events) {
    // A run for a conversation without a separate file is shown over the catalog only on request.
    if (event.type !== 'run:start' || rootRunId !== undefined || isCataloguePath(event.sourcePath)) continue;
    const current = result.get(event.sourcePath);
    if (current?.runId === runId || (current?.isChosen && current.runId !== event.redoOf)) continue;
    if (current !== undefined && past.has(current.runId)) continue;
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

/** Events about requests to people, at any level of a run. */
const waitingEvents: ReadonlySet<string> = new Set<EventEnvelope['event']['type']>([
  'approval:requested',
  'input:requested',
  'approval:resolved',
  'input:received',
  'node:suspended',
]);

function touchesHistory(events: readonly EventEnvelope[]): boolean {
  // Child runs are not separate entries.
  return events.some(
    ({ event: { type }, rootRunId }) => waitingEvents.has(type) || (rootRunId === undefined && historyEvents.has(type)),
  );
}

type Runs = LiveRuns['runs'];

/** Applies events to their runs, and to the separately shown child runs of those. */
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

/** Returns undefined if the root run is not loaded or has no such child run. */
function openedCall(runs: Runs, { from, rootId, calledId }: OpenedCall): LiveRun | undefined {
  const root = runs.get(rootId);
  if (root?.state.children.has(calledId) !== true) return undefined;
  return openedRun({ ...newRun(calledId), caller: { path: from, runId: rootId } }, root);
}

/** Returns a past run with those of its child runs that are loaded. */
function pastWithChildren(runs: Runs, root: LiveRun): Runs {
  const called = [...runs].filter(([, { caller }]) => caller?.runId === root.runId);
  return new Map([[root.runId, root], ...called.map(([id, run]) => [id, calledRunAt(run, root)] as const)]);
}

/** Returns the runs shown over flows, and their root runs. */
function runsOnScreen(runs: Runs, shown: LiveRuns['shown']): ReadonlySet<RunId> {
  const onScreen = [...shown.values()].map(({ runId }) => runId);
  return new Set([...onScreen, ...onScreen.flatMap((runId) => runs.get(runId)?.caller?.runId ?? [])]);
}

/** Child runs are canceled and paused together with their run. */
function withRequest(runs: Runs, runId: RunId, requested: Partial<Pick<LiveRun, 'isCancelling' | 'isPausing'>>): Runs {
  const isMeant = (run: LiveRun): boolean => run.runId === runId || run.caller?.runId === runId;
  return new Map([...runs].map(([id, run]) => [id, isMeant(run) ? { ...run, ...requested } : run]));
}

type Setters = Pick<
  LiveRuns,
  | 'setDefinition'
  | 'setStale'
  | 'setWhatIf'
  | 'setCancelling'
  | 'setPausing'
  | 'setComparison'
  | 'showPast'
  | 'showNow'
  | 'markInterrupted'
>;

function createRunSetters(set: StoreApi<LiveRuns>['setState'], get: () => LiveRuns): Setters {
  const update = (runId: RunId, change: (run: LiveRun) => LiveRun): void => {
    const { runs } = get();
    const run = runs.get(runId);
    if (run !== undefined) set({ runs: new Map(runs).set(runId, change(run)) });
  };
  /** What the user has selected, and the text, are the same at every moment. */
  const updateAll = (runId: RunId, change: (run: LiveRun) => LiveRun): void => {
    update(runId, change);
    const { past } = get();
    const then = past.get(runId);
    if (then !== undefined) set({ past: new Map(past).set(runId, change(then)) });
  };
  const setPast = (rootId: RunId, parts: LiveRuns['past']): void => {
    const others = [...get().past].filter(([id, { caller }]) => id !== rootId && caller?.runId !== rootId);
    set({ past: new Map([...others, ...parts]) });
  };
  return {
    setDefinition: (runId, definition) => updateAll(runId, (run) => ({ ...run, definition })),
    setStale(runId, stale) {
      const before = get().runs.get(runId)?.stale;
      const isSame = before?.size === stale.size && [...stale].every(([id, why]) => before.get(id) === why);
      if (!isSame) update(runId, (run) => ({ ...run, stale }));
    },
    setWhatIf: (runId, whatIf) => update(runId, (run) => ({ ...run, whatIf })),
    setCancelling: (runId, isCancelling) => set({ runs: withRequest(get().runs, runId, { isCancelling }) }),
    setPausing: (runId, isPausing) => set({ runs: withRequest(get().runs, runId, { isPausing }) }),
    setComparison: (runId, comparison) => updateAll(runId, (run) => ({ ...run, comparison })),
    showPast: (run) => setPast(run.runId, pastWithChildren(get().runs, run)),
    showNow: (runId) => setPast(runId, new Map()),
    markInterrupted: (runId) => update(runId, cutOff),
  };
}

/** @param onHistoryChange called after events that change the list of runs or their open requests */
export function createLiveRuns(onHistoryChange: () => void = () => undefined): StoreApi<LiveRuns> {
  return createStore<LiveRuns>()((set, get) => {
    /** Drops ended runs that no flow shows. They can be loaded again from the history. */
    const setShown = (shown: LiveRuns['shown']): void => {
      const kept = runsOnScreen(get().runs, shown);
      const runs = [...get().runs].filter(([, run]) => kept.has(run.runId) || isUnfinished(run.state));
      const past = [...get().past].filter(([, run]) => kept.has(run.runId));
      set({ shown, runs: new Map(runs), past: new Map(past) });
    };

    return {
      runs: new Map(),
      past: new Map(),
      shown: new Map(),
      lastSeq: (runId) => get().runs.get(runId)?.state.seq ?? -1,
      applyEvents(events) {
        set({ runs: withEvents(get().runs, events) });
        const shown = showStarted(get(), events);
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
      ...createRunSetters(set, get),
      choose(path, runId) {
        const run = get().runs.get(runId) ?? newRun(runId);
        set({ runs: new Map(get().runs).set(runId, run) });
        setShown(new Map(get().shown).set(path, { runId, isChosen: true }));
      },
      chooseCalled(from, rootId, calledId) {
        const run = openedCall(get().runs, { from, rootId, calledId });
        if (run === undefined) return;
        set({ runs: new Map(get().runs).set(calledId, run) });
        const root = get().past.get(rootId);
        if (root !== undefined) get().showPast(root);
        setShown(new Map(get().shown).set(run.state.sourcePath, { runId: calledId, isChosen: true }));
      },
      loosen(path) {
        const current = get().shown.get(path);
        if (current !== undefined && !current.isLoose) {
          set({ shown: new Map(get().shown).set(path, { ...current, isLoose: true }) });
        }
      },
      forget: (runId) => setShown(new Map([...get().shown].filter(([, shown]) => shown.runId !== runId))),
      hide: (path) => setShown(new Map([...get().shown].filter(([at]) => at !== path))),
    };
  });
}
