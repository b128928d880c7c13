/**
 * What the views of one flow subscribe to, each to the least it needs.
 */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { NodeState } from '../../engine/isomorphic.ts';
import type { LiveRun, LiveRuns } from './live-runs.ts';
import type { OpenFlow } from './open-flows.ts';
import { type FlowView, initialFlowView } from './selection.ts';
import { useStores } from './stores-context.tsx';

/** The run that is shown over a flow. */
export function selectShownRun({ runs, shown }: LiveRuns, path: string): LiveRun | undefined {
  const current = shown.get(path);
  return current === undefined ? undefined : runs.get(current.runId);
}

/** What a flow is while a run of an older version of it is shown: that version. */
export function flowOnScreen(flow: OpenFlow | undefined, definition: LiveRun['definition']): OpenFlow | undefined {
  if (flow === undefined || definition === null || definition.text === flow.text) return flow;
  if (flow.status === 'loading') return flow;
  return { ...flow, ...definition, status: 'ready', isOldVersion: true };
}

/**
 * The flow that is on screen for a path: what the file holds or, while a run of another version of it is shown, the
 * definition of that run (`isOldVersion`). Undefined when no such flow is open.
 */
export function useOpenFlow(path: string): OpenFlow | undefined {
  const { openFlows, liveRuns } = useStores();
  const flow = useStore(openFlows, ({ flows }) => flows.get(path));
  const definition = useStore(liveRuns, (state) => selectShownRun(state, path)?.definition ?? null);
  return useMemo(() => flowOnScreen(flow, definition), [flow, definition]);
}

/** The run shown over a flow; a new object with every batch of its events. */
export function useShownRun(path: string): LiveRun | undefined {
  return useStore(useStores().liveRuns, (state) => selectShownRun(state, path));
}

/** One part of the run shown over a flow; undefined when none is. Redraws only when that part changes. */
export function useShownRunPart<Part>(path: string, select: (run: LiveRun) => Part): Part | undefined {
  return useStore(useStores().liveRuns, (state) => {
    const run = selectShownRun(state, path);
    return run === undefined ? undefined : select(run);
  });
}

/** A node's state in the run that is shown; undefined when it was not reached or no run is shown. */
export function useNodeState(path: string, nodeId: string): NodeState | undefined {
  return useShownRunPart(path, ({ state }) => state.nodes.get(nodeId));
}

/** Selected node, view mode and text place of a flow; change them through `useStores().selection.getState()`. */
export function useSelection(path: string): FlowView {
  return useStore(useStores().selection, ({ views }) => views.get(path) ?? initialFlowView);
}
