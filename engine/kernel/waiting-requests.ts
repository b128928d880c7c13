/**
 * What a run asks a person, in itself and in the runs that its nodes called.
 */
import { nodeNameOf } from '../base/ids.ts';
import type { SuspensionRequest } from './run-event.ts';
import type { RunState } from './run-state.ts';

/** One question. */
export interface WaitingRequest {
  /**
   * What waits, by its full name: a node or an input by its name in `RunState.nodes`, `BeforeAll` or `AfterAll` of an agent; in a
   * run that a node called, behind the name of that node and a `/`. An answer names it so.
   */
  readonly name: string;
  readonly request: SuspensionRequest | undefined;
  /** The run in which it waits: the root, or one below it that a node called. */
  readonly run: RunState;
}

/** All questions of a run, in the order in which what asks them began. */
export function waitingRequests(root: RunState): readonly WaitingRequest[] {
  return requestsOf(root, [...root.children.values()]);
}

/** @param below all runs below the root */
function requestsOf(run: RunState, below: readonly RunState[]): readonly WaitingRequest[] {
  const called = new Map<string, RunState>();
  for (const child of below) {
    const caller = child.parentRunId === run.runId ? nodeNameOf(child.parentTaskId ?? undefined) : undefined;
    if (child.status === 'suspended' && caller !== undefined) called.set(caller, child);
  }
  return ownRequests(run).flatMap((own) => {
    const child = called.get(own.name);
    if (child === undefined) return [own];
    return requestsOf(child, below).map((one) => ({ ...one, name: `${own.name}/${one.name}` }));
  });
}

function ownRequests(run: RunState): readonly WaitingRequest[] {
  const { stageRequest, nodes } = run;
  const waiting: WaitingRequest[] = [];
  if (stageRequest !== undefined) waiting.push({ name: stageRequest.stage, request: stageRequest.request, run });
  for (const { nodeId, status, request } of nodes.values()) {
    if (status === 'suspended') waiting.push({ name: nodeId, request, run });
  }
  return waiting;
}
