import { useStore } from 'zustand';
import type { RunState } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useShownRunPart } from '../stores/use-flow.ts';

/** Returns the child run shown over the run of a tab; undefined if that run itself is shown. */
export function useCalledRun(path: string): RunState | undefined {
  const calledId = useStore(useStores().agentViews, ({ called }) => called.get(path));
  return useShownRunPart(path, ({ state }) => (calledId === undefined ? undefined : state.children.get(calledId)));
}
