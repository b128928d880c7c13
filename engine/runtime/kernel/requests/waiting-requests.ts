/**
 * Lists the open requests of a run and its child runs.
 */
import { taskNameOf } from '../../../base/ids.ts';
import type { RunStartEvent, SuspensionRequest } from '../events/run-event.ts';
import type { NodeState, RunState } from '../events/run-state.ts';
import type { Ask } from './ask.ts';

/** An open request. */
export interface WaitingRequest {
  /**
   * Full name of the waiting node, input or stage: the name in `RunState.nodes`, or an agent's `BeforeAll` or
   * `AfterAll`. In a child run, it is prefixed with the caller's name and `/`. Answers use this name.
   */
  readonly name: string;
  readonly request: SuspensionRequest | undefined;
  /** The question; absent if the request is whether work interrupted by a crash may run again. */
  readonly ask?: Ask;
  /** The waiting run: the root or a run below it. */
  readonly run: RunState;
}

/**
 * Returns a child run's caller in its parent: a node, an input or an agent's stage. Undefined if the caller has no
 * name.
 */
export function callerNameOf({ parentTaskId, parentStage }: RunStartEvent): string | undefined {
  return parentTaskId === undefined ? parentStage : taskNameOf(parentTaskId);
}

/** Returns a run's open requests in the order in which the requesting nodes started. */
export function waitingRequests(root: RunState): readonly WaitingRequest[] {
  return requestsOf(root, [...root.children.values()]);
}

/** @param below all runs below the root */
function requestsOf(run: RunState, below: readonly RunState[]): readonly WaitingRequest[] {
  const called = new Map<string, RunState>();
  const { stageRequest, nodes } = run;
  for (const child of below) {
    const caller = child.parentRunId === run.runId ? callerIn(run, child) : undefined;
    const goesOn = child.status === 'suspended' || child.status === 'running';
    if (goesOn && caller !== undefined) called.set(caller, child);
  }
  const requestsBelow = (name: string): readonly WaitingRequest[] | undefined => {
    const child = called.get(name);
    return child && requestsOf(child, below).map((one) => ({ ...one, name: `${name}/${one.name}` }));
  };
  const ofNodes = [...nodes.values()].flatMap((node): readonly WaitingRequest[] => {
    const own = requestsOfNode(node, run);
    // The request to repeat interrupted work precedes any questions from its child runs.
    const isAskedFirst = run.kind === 'agent' && node.request?.reason === 'operator' && own.length > 0;
    return isAskedFirst || endedAlready.has(node.status) ? own : (requestsBelow(node.nodeId) ?? own);
  });
  if (stageRequest === undefined) return ofNodes;
  const { stage, request } = stageRequest;
  const own = { name: stage, request, run };
  return [...((request.reason === 'operator' ? undefined : requestsBelow(stage)) ?? [own]), ...ofNodes];
}

/** Like `callerNameOf`. An agent's stage is identified by its request, because nothing else in its run is active. */
function callerIn({ stageRequest }: RunState, { parentTaskId }: RunState): string | undefined {
  return parentTaskId === null ? stageRequest?.stage : taskNameOf(parentTaskId);
}

const endedAlready: ReadonlySet<NodeState['status']> = new Set([
  'completed',
  'reused',
  'failed',
  'skipped',
  'cancelled',
]);

function requestsOfNode({ nodeId, status, request, asks = [] }: NodeState, run: RunState): readonly WaitingRequest[] {
  if (endedAlready.has(status)) return [];
  // While a node processes one answer, its other questions stay open.
  const open = asks.filter(({ answer }) => answer === undefined);
  if (open.length === 0) return status === 'suspended' ? [{ name: nodeId, request, run }] : [];
  return open.map((ask) => ({ name: nodeId, request, run, ask }));
}
