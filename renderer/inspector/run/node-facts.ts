/**
 * Everything that the inspector shows of one node: its definition in the file and its state in the shown run.
 */
import {
  baseNodeId,
  type HeldNode,
  type NodeDoc,
  type NodeState,
  type NodeTypeCatalog,
  type NodeTypeSpec,
  type RunStatus,
} from '../../../engine/isomorphic.ts';
import type { LiveRun } from '../../stores/runs/live/live-runs.ts';
import type { ModelCall } from '../../stores/runs/live/model-calls.ts';
import type { FailedAttempt } from '../../stores/runs/live/run-log.ts';
import type { RecordedDecision, ToolCallRecord } from '../../stores/runs/live/tool-calls.ts';
import { heldAt, isFailureTolerated, type ShownState, shownStateOf } from '../../stores/runs/shown-run.ts';
import type { SettledFlow } from '../../stores/use-flow.ts';

/** A node in the shown run. Its parts stay the same objects while the node does not change. */
interface NodeInRun {
  readonly runStatus: RunStatus;
  readonly shownState: ShownState;
  /** Undefined if the run did not reach the node. */
  readonly nodeState: NodeState | undefined;
  /** Set if the run is held before the node, or in a child run of it. */
  readonly held: HeldNode | undefined;
  readonly failedAttempts: readonly FailedAttempt[];
  /** Model calls, oldest first. While they stream, only those without an end change. */
  readonly endedCalls: readonly ModelCall[];
  readonly openCalls: readonly ModelCall[];
  readonly toolCalls: readonly ToolCallRecord[];
  /** Policy decisions that rejected the node. */
  readonly decisions: readonly RecordedDecision[];
  /** Why it is stale after an edit. Null if it is not. */
  readonly stale: string | null;
}

export interface NodeFacts {
  readonly node: NodeDoc;
  /** Undefined for an unknown type. */
  readonly spec: NodeTypeSpec | undefined;
  /** Line in the file, from 1. Null if the text on screen does not contain the node. */
  readonly line: number | null;
  readonly state: ShownState;
  /** Undefined without a run, like the two fields below. */
  readonly runStatus: RunStatus | undefined;
  readonly nodeState: NodeState | undefined;
  readonly held: HeldNode | undefined;
  readonly failedAttempts: readonly FailedAttempt[];
  /** Model calls, oldest first. While they stream, only those without an end change. */
  readonly endedCalls: readonly ModelCall[];
  readonly openCalls: readonly ModelCall[];
  readonly toolCalls: readonly ToolCallRecord[];
  /** Policy decisions that rejected the node. */
  readonly decisions: readonly RecordedDecision[];
  /** Why it is stale after an edit. Null if it is not. */
  readonly stale: string | null;
}

/** The result of something that ran or was to run: a node, or an input of an agent. */
export type RanFacts = Pick<NodeFacts, 'state' | 'runStatus' | 'nodeState'>;

const nothing: readonly never[] = [];

/** Returns the state of a node of `flow` at its path in the run. */
export function nodeInRun(run: LiveRun, { doc, nesting }: SettledFlow, place: string): NodeInRun {
  const nodeId = baseNodeId(place);
  const node = doc?.nodes.find(({ id }) => id === nodeId);
  const loop = doc?.nodes.find(({ id }) => id === nesting.ownerOf.get(nodeId));
  const nodeState = run.state.nodes.get(place);
  const isTolerated = doc !== null && node !== undefined && isFailureTolerated(doc, node, loop);
  return {
    runStatus: run.state.status,
    shownState: shownStateOf(run, { nodeId, place, isTolerated }),
    stale: run.stale.get(nodeId) ?? null,
    nodeState,
    held: heldAt(run, place),
    failedAttempts: run.log.failedAttempts.get(place) ?? nothing,
    endedCalls: run.calls.ended.get(place) ?? nothing,
    openCalls: run.calls.open.get(place) ?? nothing,
    toolCalls: run.log.toolCalls.get(place) ?? nothing,
    decisions: run.log.decisions.get(place) ?? nothing,
  };
}

/** Returns undefined if the flow on screen does not contain the node. */
export function nodeFacts(
  flow: SettledFlow,
  nodeId: string,
  { inRun, types }: { readonly inRun: NodeInRun | undefined; readonly types: NodeTypeCatalog },
): NodeFacts | undefined {
  const node = flow.doc?.nodes.find(({ id }) => id === nodeId);
  if (node === undefined) return undefined;
  return {
    node,
    spec: types.get(node.type),
    line: flow.nodeRanges.get(nodeId)?.line ?? null,
    state: inRun?.shownState ?? (node.disabled ? 'disabled' : 'idle'),
    runStatus: inRun?.runStatus,
    nodeState: inRun?.nodeState,
    held: inRun?.held,
    failedAttempts: inRun?.failedAttempts ?? nothing,
    endedCalls: inRun?.endedCalls ?? nothing,
    openCalls: inRun?.openCalls ?? nothing,
    toolCalls: inRun?.toolCalls ?? nothing,
    decisions: inRun?.decisions ?? nothing,
    stale: inRun?.stale ?? null,
  };
}
