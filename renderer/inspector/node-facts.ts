/**
 * All that the inspector shows of one node: what the file says of it, and what the shown run made of it.
 */
import type { NodeDoc, NodeState, NodeTypeSpec } from '../../engine/isomorphic.ts';
import type { LiveRun } from '../stores/live-runs.ts';
import { nodeTypes } from '../stores/node-types.ts';
import type { OpenFlow } from '../stores/open-flows.ts';
import type { FailedAttempt } from '../stores/run-log.ts';
import { isFailureTolerated, type ShownState, shownNodeState } from '../stores/shown-state.ts';

export interface NodeFacts {
  readonly node: NodeDoc;
  /** Undefined for a type that nobody knows. */
  readonly spec: NodeTypeSpec | undefined;
  /** Line of the file, from 1; null when the text on screen has no such node. */
  readonly line: number | null;
  readonly state: ShownState;
  readonly run: LiveRun | undefined;
  /** Undefined when there is no run, or it did not reach the node. */
  readonly nodeState: NodeState | undefined;
  readonly failedAttempts: readonly FailedAttempt[];
}

/** Undefined when the flow on screen has no such node. */
export function nodeFacts(flow: OpenFlow, nodeId: string, run: LiveRun | undefined): NodeFacts | undefined {
  const { doc } = flow;
  const node = doc?.nodes.find(({ id }) => id === nodeId);
  if (doc === null || node === undefined) return undefined;
  const nodeState = run?.state.nodes.get(nodeId);
  const atRest: ShownState = node.disabled ? 'disabled' : 'idle';
  return {
    node,
    spec: nodeTypes.get(node.type),
    line: flow.nodeRange(nodeId)?.line ?? null,
    state: run === undefined ? atRest : shownNodeState(run, nodeState, isFailureTolerated(doc, node)),
    run,
    nodeState,
    failedAttempts: run?.log.failedAttempts.get(nodeId) ?? [],
  };
}
