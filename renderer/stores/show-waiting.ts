/**
 * Leads from a request to the node that made it.
 */
import type { StoreApi } from 'zustand/vanilla';
import { asRunId, type RunId, type RunKind } from '../../engine/isomorphic.ts';
import type { EngineClient } from '../bridge/engine-client.ts';
import type { AgentViews } from './agents/agent-runs.ts';
import type { LiveRuns } from './runs/live/live-runs.ts';
import type { AnswerDrafts } from './runs/requests/ask-answers.ts';
import { type WaitingNode, waitingNodes } from './runs/requests/waiting-list.ts';
import type { WindowRunActions } from './runs/run-actions.ts';
import type { Selection } from './window/selection.ts';

interface WaitingViewStores {
  readonly selection: StoreApi<Selection>;
  readonly agentViews: StoreApi<AgentViews>;
  readonly answerDrafts: StoreApi<AnswerDrafts>;
}

export interface WaitingViews extends WaitingViewStores {
  readonly runs: Pick<WindowRunActions, 'openRun'>;
  readonly liveRuns: StoreApi<LiveRuns>;
}

/** The place where a run waits. */
interface WaitingPlace {
  readonly path: string;
  readonly kind: RunKind;
  readonly runId: RunId;
  /** Full name of the node. Empty if the run itself waits. */
  readonly nodeId: string;
}

/**
 * Selects the waiting element in the run shown over `path`: a node, or an input of the run or of a child run. Focuses
 * its form, if it has one.
 */
export function showWaiting(
  { selection, agentViews, answerDrafts }: WaitingViewStores,
  path: string,
  { nodeId, agentRun, ask }: WaitingNode,
): void {
  answerDrafts.getState().lead(ask === undefined ? null : nodeId);
  if (agentRun === null) {
    selection.getState().selectPlace(path, nodeId);
    return;
  }
  const { runId, isCalled, taskId } = agentRun;
  if (isCalled) selection.getState().selectPlace(path, nodeId.slice(0, nodeId.lastIndexOf('/')));
  agentViews.getState().showCalled(path, isCalled ? runId : null);
  agentViews.getState().selectInput(runId, taskId);
}

/** Opens the run and selects the waiting element, if it still waits. */
export async function showWaitingPlace(
  stores: WaitingViews,
  { path, kind, runId, nodeId }: WaitingPlace,
): Promise<void> {
  await stores.runs.openRun(path, runId, kind);
  const state = stores.liveRuns.getState().runs.get(runId)?.state;
  const node = state === undefined ? undefined : waitingNodes(state, null).find((one) => one.nodeId === nodeId);
  if (node !== undefined) showWaiting(stores, path, node);
  else if (nodeId !== '') stores.selection.getState().selectPlace(path, nodeId);
}

/** Opens a run of the history at a node, as addressed by a link. Throws the error of the engine. */
export async function showRun(
  stores: WaitingViews & { readonly engine: EngineClient },
  { runId, nodeId }: { readonly runId: RunId; readonly nodeId: string | null },
): Promise<void> {
  const { sourcePath, kind } = await stores.engine.call('getRun', runId);
  await showWaitingPlace(stores, { path: sourcePath, kind, runId: asRunId(runId), nodeId: nodeId ?? '' });
}
