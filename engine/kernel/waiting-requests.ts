/**
 * What a run asks a person, in itself and in the runs that its nodes called.
 */
import { nodeNameOf } from '../base/ids.ts';
import type { Ask } from './ask.ts';
import type { SuspensionRequest } from './run-event.ts';
import type { NodeState, RunState } from './run-state.ts';

/** One question. */
export interface WaitingRequest {
  /**
   * What waits, by its full name: a node or an input by its name in `RunState.nodes`, `BeforeAll` or `AfterAll` of an agent; in a
   * run that a node called, behind the name of that node and a `/`. An answer names it so.
   */
  readonly name: string;
  readonly request: SuspensionRequest | undefined;
  /** What exactly is asked; absent where the question is whether what a crash has cut may run again. */
  readonly ask?: Ask;
  /** The run in which it waits: the root, or one below it that a node called. */
  readonly run: RunState;
}

/** What of its parent a called run stands below; undefined where nothing of it can be named. */
export function callerNameOf(parentTaskId: string | undefined): string | undefined {
  return nodeNameOf(parentTaskId);
}

/** All questions of a run, in the order in which what asks them began. */
export function waitingRequests(root: RunState): readonly WaitingRequest[] {
  return requestsOf(root, [...root.children.values()]);
}

/** @param below all runs below the root */
function requestsOf(run: RunState, below: readonly RunState[]): readonly WaitingRequest[] {
  const called = new Map<string, RunState>();
  for (const child of below) {
    const caller = child.parentRunId === run.runId ? callerNameOf(child.parentTaskId ?? undefined) : undefined;
    const goesOn = child.status === 'suspended' || child.status === 'running';
    if (goesOn && caller !== undefined) called.set(caller, child);
  }
  const { stageRequest, nodes } = run;
  const ofStage = stageRequest && { name: stageRequest.stage, request: stageRequest.request, run };
  const ofNodes = [...nodes.values()].flatMap((node): readonly WaitingRequest[] => {
    const child = endedAlready.has(node.status) ? undefined : called.get(node.nodeId);
    if (child === undefined) return requestsOfNode(node, run);
    return requestsOf(child, below).map((one) => ({ ...one, name: `${node.nodeId}/${one.name}` }));
  });
  return ofStage === undefined ? ofNodes : [ofStage, ...ofNodes];
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
  // While a node looks at one answer, its other questions wait on.
  const open = asks.filter(({ answer }) => answer === undefined);
  if (open.length === 0) return status === 'suspended' ? [{ name: nodeId, request, run }] : [];
  return open.map((ask) => ({ name: nodeId, request, run, ask }));
}
