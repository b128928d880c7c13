/**
 * Hooks that subscribe the views of a flow to the minimum of state they need.
 */
import { startTransition, useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type StoreApi, useStore } from 'zustand';
import { type Breakpoint, isCataloguePath, type NodeState } from '../../engine/isomorphic.ts';
import { hasSameFacts } from './runs/live/live-run.ts';
import type { LiveRun } from './runs/live/live-runs.ts';
import { type ShownItems, shownItems } from './runs/live/shown-items.ts';
import { flowOnScreen, placeInRun, selectRunNow, selectShownDefinition, selectShownRun } from './runs/shown-run.ts';
import { useStores } from './stores-context.tsx';
import type { OpenFile } from './text/file.ts';
import type { OpenFiles } from './text/files.ts';
import { type FlowViewState, initialFlowView } from './window/selection.ts';

/**
 * Returns the flow on screen for a path: the content of the file or, while a run of another version is shown, the
 * definition of that run (`isOldVersion`). Undefined if no such flow is open.
 */
export function useOpenFile(path: string): OpenFile | undefined {
  const { openFiles, liveRuns } = useStores();
  const flow = useStore(openFiles, ({ files }) => files.get(path));
  const definition = useStore(liveRuns, (state) => selectShownDefinition(state, path));
  return useMemo(() => flowOnScreen(flow, definition), [flow, definition]);
}

/** Returns one part of the file on screen for a path. Renders again only when that part changes. */
export function useOpenFilePart<Part>(path: string, select: (file: OpenFile) => Part): Part | undefined {
  const { openFiles, liveRuns } = useStores();
  const definition = useStore(liveRuns, (state) => selectShownDefinition(state, path));
  return useStore(openFiles, ({ files }) => {
    const file = flowOnScreen(files.get(path), definition);
    return file === undefined ? undefined : select(file);
  });
}

/**
 * A flow without the properties that every keystroke changes. The rest changes when a check finds that the flow did.
 */
export type SettledFlow = Omit<OpenFile, 'text' | 'isCheckStale' | 'undoLabel' | 'redoLabel' | 'editedAt'>;

const settledParts = new WeakMap<OpenFile, SettledFlow>();

/** Returns the same object for the same file, because many views request it on every keystroke. */
function settledPart(flow: OpenFile): SettledFlow {
  const known = settledParts.get(flow);
  if (known !== undefined) return known;
  const { text, isCheckStale, undoLabel, redoLabel, editedAt, ...settled } = flow;
  settledParts.set(flow, settled);
  return settled;
}

function isSamePart(left: SettledFlow, right: SettledFlow): boolean {
  if (left === right) return true;
  for (const key in left) {
    if (left[key as keyof SettledFlow] !== right[key as keyof SettledFlow]) return false;
  }
  for (const key in right) {
    if (!(key in left)) return false;
  }
  return true;
}

/** Returns whether a text field or the editor has the focus. */
function isInText(): boolean {
  return document.activeElement?.closest('.monaco-editor') != null;
}

/** A state of the file. The state with the higher number is newer. */
interface FlowSnapshot {
  readonly flow: SettledFlow | undefined;
  readonly number: number;
}

interface SettledView {
  /** Returns the state that must be rendered synchronously. */
  readonly urgent: () => FlowSnapshot;
  /** Calls `onLate` with states that may be rendered after the keystroke that caused them. */
  readonly follow: (onUrgent: () => void, onLate: (sight: FlowSnapshot) => void) => () => void;
}

/** Tracks the settled part of a file, which most keystrokes do not change. */
function viewSettled(
  files: StoreApi<OpenFiles>,
  path: string,
  definition: Parameters<typeof flowOnScreen>[1],
): SettledView {
  let urgent: FlowSnapshot = { flow: undefined, number: 0 };
  let last = urgent;
  const read = (): FlowSnapshot => {
    const file = flowOnScreen(files.getState().files.get(path), definition);
    const flow = file === undefined ? undefined : settledPart(file);
    const isSame = flow === last.flow || (flow !== undefined && last.flow !== undefined && isSamePart(flow, last.flow));
    if (!isSame) last = { flow, number: last.number + 1 };
    return last;
  };
  urgent = read();
  return {
    urgent: () => urgent,
    follow(onUrgent, onLate) {
      const take = (): void => {
        const before = last;
        const now = read();
        if (now === before && now === urgent) return;
        if (mayBeLate(before.flow, now.flow)) {
          if (now !== before) onLate(now);
          return;
        }
        urgent = now;
        onUrgent();
      };
      urgent = read();
      return files.subscribe(take);
    },
  };
}

function mayBeLate(before: SettledFlow | undefined, now: SettledFlow | undefined): boolean {
  if (before === undefined || now === undefined) return false;
  return (isInText() && before.status === now.status) || (before.doc === null && isLarge(now));
}

/**
 * Like `useOpenFile`, for views that must not be rendered for keystrokes that do not affect them. A change caused by a
 * keystroke is rendered after it, in slices between which further keystrokes are handled; components rendered with it
 * should be memoized. Opening a large flow is rendered in slices, too. Changes from the canvas or a form are rendered
 * at once, because fields and gestures depend on what is rendered.
 */
export function useSettledFlow(path: string): SettledFlow | undefined {
  const { openFiles, liveRuns } = useStores();
  const definition = useStore(liveRuns, (state) => selectShownDefinition(state, path));
  const view = useMemo(() => viewSettled(openFiles, path, definition), [openFiles, path, definition]);
  const [late, setLate] = useState<{ readonly view: SettledView; readonly sight: FlowSnapshot } | null>(null);
  // `useDeferredValue` would render each view twice per keystroke: first with the old value, then with the new one.
  const follow = useCallback(
    (onUrgent: () => void) => view.follow(onUrgent, (sight) => startTransition(() => setLate({ view, sight }))),
    [view],
  );
  const urgent = useSyncExternalStore(follow, view.urgent);
  return late !== null && late.view === view && late.sight.number > urgent.number ? late.sight.flow : urgent.flow;
}

/** The first render of a flow with this many nodes takes several frames. */
const manyNodes = 1_000;

function isLarge({ doc }: SettledFlow): boolean {
  return (doc?.nodes.length ?? 0) >= manyNodes;
}

/** Returns the run shown over a flow, at the moment on screen. A new object with every batch of its events. */
export function useShownRun(path: string): LiveRun | undefined {
  return useStore(useStores().liveRuns, (state) => selectShownRun(state, path));
}

/** Like `useShownRun`, but keeps returning the same object while only streamed text arrives. */
export function useShownRunFacts(path: string): LiveRun | undefined {
  const kept = useRef<LiveRun>(undefined);
  return useStore(useStores().liveRuns, (state) => {
    const run = selectShownRun(state, path);
    const isSame = run !== undefined && kept.current !== undefined && hasSameFacts(kept.current, run);
    if (!isSame) kept.current = run;
    return kept.current;
  });
}

/**
 * Returns one part of the run shown over a flow, or undefined if none is shown. Renders again only when that part
 * changes.
 */
export function useShownRunPart<Part>(path: string, select: (run: LiveRun) => Part): Part | undefined {
  return useStore(useStores().liveRuns, (state) => {
    const run = selectShownRun(state, path);
    return run === undefined ? undefined : select(run);
  });
}

/** Like `useShownRunPart`, but of the run as it is now, even if an earlier moment is on screen. */
export function useRunNowPart<Part>(path: string, select: (run: LiveRun) => Part): Part | undefined {
  return useStore(useStores().liveRuns, (state) => {
    const run = selectRunNow(state, path);
    return run === undefined ? undefined : select(run);
  });
}

/** Returns whether an earlier moment of the run is on screen. It offers no actions on the run. */
export function useIsPast(path: string): boolean {
  return useShownRunPart(path, ({ moment }) => moment !== null) ?? false;
}

/** Returns the selected items of a flow's loops. Changes only when another item is selected. */
export function useChosenItems(path: string): FlowViewState['items'] {
  return useStore(useStores().selection, ({ views }) => (views.get(path) ?? initialFlowView).items);
}

/** Returns one part of a node's state in the shown run. `select` also receives its path in the run. */
export function useNodePart<Part>(
  path: string,
  nodeId: string,
  select: (run: LiveRun, place: string) => Part,
): Part | undefined {
  const items = useChosenItems(path);
  return useShownRunPart(path, (run) => select(run, placeInRun(run, nodeId, items)));
}

/** Returns the summary of all items of a node in a body, or null. See `shownItems`. */
export function useShownItems(path: string, nodeId: string, isTolerated: boolean): ShownItems | null {
  const chosen = useChosenItems(path);
  const shown = useShownRunPart(path, (run) => {
    const items = shownItems(run, nodeId, { chosen, isTolerated });
    // Combined into one string, because an equal string does not cause a render.
    return items === null ? null : `${items.state} ${items.words}`;
  });
  if (shown == null) return null;
  const [state = ''] = shown.split(' ', 1);
  return { state: state as ShownItems['state'], words: shown.slice(state.length + 1) };
}

/** Returns a node's state in the shown run. Undefined if it was not reached or no run is shown. */
export function useNodeState(path: string, nodeId: string): NodeState | undefined {
  return useNodePart(path, nodeId, ({ state }, place) => state.nodes.get(place));
}

/** Returns whether a node's output is pinned for runs from this window. */
export function useIsPinned(path: string, nodeId: string): boolean {
  return useStore(useStores().pins, ({ files }) => files.get(path)?.[nodeId] !== undefined);
}

/** Returns the breakpoint of a node. */
export function useBreakpoint(path: string, nodeId: string): Breakpoint | undefined {
  return useStore(useStores().breakpoints, ({ flows }) => flows.get(path)?.find(({ node }) => node === nodeId));
}

/**
 * Returns the selected node, view mode and text position of a flow. Change them through
 * `useStores().selection.getState()`.
 */
export function useSelection(path: string): FlowViewState {
  return useStore(useStores().selection, ({ views }) => views.get(path) ?? initialFlowView);
}

/** Returns whether the conversations of a catalog are shown instead of it. */
export function useIsChat(path: string): boolean {
  const { mode } = useSelection(path);
  return mode === 'chat' && isCataloguePath(path);
}

/** Returns the display names of the nodes of the flow on screen, by ID. */
export function useNodeNames(path: string): ReadonlyMap<string, string> {
  const doc = useSettledFlow(path)?.doc;
  return useMemo(() => new Map(doc?.nodes.map(({ id, name }) => [id, name ?? id])), [doc]);
}
