/**
 * Leads from a question to what asks it.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { RunId, RunKind } from '../../engine/isomorphic.ts';
import type { AgentViews } from './agents/agent-runs.ts';
import type { LiveRuns } from './runs/live-runs.ts';
import type { RunActions } from './runs/run-actions.ts';
import { type WaitingNode, waitingNodes } from './runs/waiting-list.ts';
import type { Selection } from './window/selection.ts';

interface Views {
  readonly selection: StoreApi<Selection>;
  readonly agentViews: StoreApi<AgentViews>;
}

export interface WaitingViews extends Views {
  readonly runs: Pick<RunActions, 'openRun'>;
  readonly liveRuns: StoreApi<LiveRuns>;
}

/** Where a run waits. */
interface WaitingPlace {
  readonly path: string;
  readonly kind: RunKind;
  readonly runId: RunId;
  /** Full name of the node; empty = the run itself waits. */
  readonly nodeId: string;
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

/** Opens the run and selects in it what waits, if it still does. */
export async function showWaitingPlace(
  stores: WaitingViews,
  { path, kind, runId, nodeId }: WaitingPlace,
): Promise<void> {
  await stores.runs.openRun(path, runId, kind);
  const state = stores.liveRuns.getState().runs.get(runId)?.state;
  const node = state === undefined ? undefined : waitingNodes(state, null).find((one) => one.nodeId === nodeId);
  if (node !== undefined) showWaiting(stores, path, node);
}
