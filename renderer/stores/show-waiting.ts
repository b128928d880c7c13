/**
 * Leads from a question to what asks it.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { AgentViews } from './agents/agent-runs.ts';
import type { WaitingNode } from './runs/waiting-list.ts';
import type { Selection } from './window/selection.ts';

interface Views {
  readonly selection: StoreApi<Selection>;
  readonly agentViews: StoreApi<AgentViews>;
}

/** Selects it in the run that is shown over `path`: a node, or an input of the run or of one that a node of it called. */
export function showWaiting({ selection, agentViews }: Views, path: string, { nodeId, agentRun }: WaitingNode): void {
  if (agentRun === null) {
    selection.getState().selectPlace(path, nodeId);
    return;
  }
  const { runId, isCalled, taskId } = agentRun;
  if (isCalled) selection.getState().selectPlace(path, nodeId.slice(0, nodeId.lastIndexOf('/')));
  agentViews.getState().showCalled(path, isCalled ? runId : null);
  agentViews.getState().selectInput(runId, taskId);
}
