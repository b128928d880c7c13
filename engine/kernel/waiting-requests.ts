/**
 * What a run asks a person, in itself and in the runs that its nodes called.
 */
import { taskNameOf } from '../base/ids.ts';
import type { Ask } from './ask.ts';
import type { RunStartEvent, SuspensionRequest } from './run-event.ts';
import type { NodeState, RunState } from './run-state.ts';

/** One question. */
export interface WaitingRequest {
  /**
   * What waits, by its full name: a node or an input by its name in `RunState.nodes`, `BeforeAll` or `AfterAll` of an agent; in a
   * run that one of these called, behind the name of that one and a `/`. An answer names it so.
   */
  readonly name: string;
  readonly request: SuspensionRequest | undefined;
  /** What exactly is asked; absent where the question is whether what a crash has cut may run again. */
  readonly ask?: Ask;
  /** The run in which it waits: the root, or one below it that a node called. */
  readonly run: RunState;
}

/** What of its parent a called run stands below: a node, an input, a part of an agent; undefined where nothing of it can be named. */
export function callerNameOf({ parentTaskId, parentStage }: RunStartEvent): string | undefined {
  return parentTaskId === undefined ? parentStage : taskNameOf(parentTaskId);
}

/** All questions of a run, in the order in which what asks them began. */
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
    // Whether what was cut may run again comes before what is asked in a run that it had called.
    const isAskedFirst = run.kind === 'agent' && node.request?.reason === 'operator' && own.length > 0;
    return isAskedFirst || endedAlready.has(node.status) ? own : (requestsBelow(node.nodeId) ?? own);
  });
  if (stageRequest === undefined) return ofNodes;
  const { stage, request } = stageRequest;
  const own = { name: stage, request, run };
  return [...((request.reason === 'operator' ? undefined : requestsBelow(stage)) ?? [own]), ...ofNodes];
}

/** As `callerNameOf`. A part of an agent is named by what it asks: nothing else of its run is at work. */
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
  // While a node looks at one answer, its other questions wait on.
  const open = asks.filter(({ answer }) => answer === undefined);
  if (open.length === 0) return status === 'suspended' ? [{ name: nodeId, request, run }] : [];
  return open.map((ask) => ({ name: nodeId, request, run, ask }));
}
