/**
 * Hooks for the test or the dataset that is open over a flow.
 */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { CaseResult } from '../../engine/isomorphic.ts';
import { type NodeChecks, nodeChecks } from './cases/case-list.ts';
import { openResult } from './cases/cases.ts';
import { useStores } from './stores-context.tsx';

/** Returns the result of the test that is open over a file. Undefined if none is, or if another run is on screen. */
export function useOpenResult(path: string): CaseResult | undefined {
  const { cases, liveRuns } = useStores();
  const runId = useStore(liveRuns, ({ shown }) => shown.get(path)?.runId);
  return useStore(cases, (state) => openResult(state, runId, path));
}

/** Returns whether the pane of a file shows the table of a dataset. */
export function useShowsDataset(path: string): boolean {
  return useStore(useStores().datasets, ({ shown }) => shown?.target === path);
}

/** Returns what the open test reports about a node. Undefined if no test is open. */
export function useNodeChecks(path: string, nodeId: string): NodeChecks | undefined {
  const { cases } = useStores();
  const result = useOpenResult(path);
  // Other cases only matter for the coverage of an open test.
  const results = useStore(cases, (state) => (result === undefined ? undefined : state.results));
  return useMemo(
    () => (result === undefined || results === undefined ? undefined : nodeChecks(result, results, nodeId)),
    [result, results, nodeId],
  );
}
