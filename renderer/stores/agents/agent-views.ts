/**
 * What the person looks at in runs of agents: the input that is selected, and the called run that lies over its caller.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RunId, RunState } from '../../../engine/isomorphic.ts';

export interface AgentViews {
  /** By run: the task id of the input that is looked at. */
  readonly inputs: ReadonlyMap<string, string>;
  /** By the path of a tab: the run, below the one that is shown there, that is looked at. */
  readonly called: ReadonlyMap<string, RunId>;
  selectInput(runId: RunId, taskId: string): void;
  /** Looks at a called run; null = at the run that is shown over the tab. */
  showCalled(path: string, runId: RunId | null): void;
}

export function createAgentViews(): StoreApi<AgentViews> {
  return createStore<AgentViews>()((set, get) => ({
    inputs: new Map(),
    called: new Map(),
    selectInput: (runId, taskId) => set({ inputs: new Map(get().inputs).set(runId, taskId) }),
    showCalled(path, runId) {
      const called = new Map(get().called);
      if (runId === null) called.delete(path);
      else called.set(path, runId);
      set({ called });
    },
  }));
}

/** The runs that a task of a run called, in their order; `taskId` null = those that it called outside of any task. */
export function calledRuns(root: RunState, runId: RunId | null, taskId: string | null): readonly RunState[] {
  return [...root.children.values()].filter(
    ({ parentRunId, parentTaskId }) => parentRunId === runId && parentTaskId === taskId,
  );
}
