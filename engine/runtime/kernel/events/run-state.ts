/**
 * The current state of a run, computed from its events by `fold-run.ts`, and its entry in the history.
 */
import type { ErrorRecord, StageName } from '../../../base/engine-error.ts';
import type { RunId } from '../../../base/ids.ts';
import type { SkipReason } from '../../../language/bindings/markers.ts';
import type { WhenTrace } from '../../../language/bindings/when.ts';
import type { AutonomyLevel, SuggestedAction } from '../../../language/flow/autonomy.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { RunEndReason } from '../hub/cancel-scope.ts';
import type { Ask } from '../requests/ask.ts';
import { type LoopTallies, noLoopTallies } from './loop-tallies.ts';
import { PersistentMap } from './persistent-map.ts';
import { PersistentSet } from './persistent-set.ts';
import type { ModelUsage, RunEndStatus, RunKind, RunPart, SuspensionRequest } from './run-event.ts';

/** `interrupted` is derived and never stored: a run without `run:end` that has a dead owner process. */
export type RunStatus = 'queued' | 'running' | 'suspended' | RunEndStatus | 'interrupted';

/** What a suspended run is waiting for, taken from its oldest request. */
export type WaitStatus = 'PENDING_APPROVAL' | 'PENDING_USER_INPUT' | 'PENDING_PERMISSION';

/** A run as listed in the history. */
export interface RunSummary {
  readonly runId: RunId;
  /** Number of the run in its workspace, from 1 in the order of the requests. Numbers are never reused. */
  readonly number: number;
  readonly kind: RunKind;
  readonly name: string;
  /** Relative to the workspace, with forward slashes. */
  readonly sourcePath: string;
  readonly definitionHash: string;
  readonly status: RunStatus;
  /** Set for a suspended run; absent if it waits for permission to repeat work that a crash interrupted. */
  readonly waitStatus?: WaitStatus;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Duration in milliseconds; absent for running and interrupted runs. */
  readonly durationMs?: number;
  readonly redoOf?: RunId;
  readonly redoCount?: number;
  readonly rerunOf?: RunId;
  /** The part of the flow that runs, set once the run has started; absent for the whole flow. */
  readonly scope?: RunPart;
  /** Ids of the nodes with supplied outputs; absent if there are none. */
  readonly pinned?: readonly string[];
  /**
   * Cost in US dollars of the model calls with a known price; absent while the run is in progress and if there were no
   * such calls.
   */
  readonly costUsd?: number;
  /**
   * Number of model calls without a known price. If there are any, `costUsd` is a lower bound. Absent if there are
   * none.
   */
  readonly unpricedCalls?: number;
  readonly error?: ErrorRecord;
  readonly failedNodes: readonly string[];
  /** Why the run was canceled, if no person requested it. */
  readonly endReason?: RunEndReason;
  /**
   * Describes, as a clause, what the history cannot read of the run. Affected fields have substitute values. Absent if
   * no damage is known.
   */
  readonly damage?: string;
}

/** Status of a node. A node without an entry in `RunState.nodes` has not been reached yet. */
export type NodeStatus =
  | 'running'
  | 'retrying'
  | 'suspended'
  | 'completed'
  | 'reused'
  | 'failed'
  | 'skipped'
  | 'cancelled';

/** State of a node, or of an input of an agent. */
export interface NodeState {
  /**
   * Name of the node. In a loop body it includes the position in the run: `<loop>[<item>].<id>`. For an input it is the
   * task: `input:<index>`.
   */
  readonly nodeId: string;
  readonly nodeType?: string | undefined;
  readonly status: NodeStatus;
  /** Start time in epoch milliseconds; absent for a skipped node. */
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly durationMs?: number | undefined;
  /** Number of finished attempts, or the current attempt while the node runs; from 1. */
  readonly attempts: number;
  readonly input?: JsonValue | undefined;
  readonly output?: JsonValue | undefined;
  readonly error?: ErrorRecord | undefined;
  /** Text streamed by the current or most recent attempt. */
  readonly text: string;
  /** Why the node was skipped. `text` is the agent's own reason. */
  readonly skip?: { readonly reason: SkipReason; readonly detail?: WhenTrace; readonly text?: string } | undefined;
  /** Effects and tool calls that the autonomy level held back. */
  readonly suggestions?: readonly SuggestedAction[] | undefined;
  readonly usage?: ModelUsage | undefined;
  /** Cost in US dollars of its model calls with a known price, including child runs; undefined if there were none. */
  readonly costUsd?: number | undefined;
  /** Number of its model calls without a known price; undefined if there were none. */
  readonly unpricedCalls?: number | undefined;
  /** The request to a person by this node or one of its child runs, while it is suspended. */
  readonly request?: SuspensionRequest | undefined;
  /**
   * Every question the node has asked so far, in order, with the answers. While it is suspended it waits for those
   * without an answer.
   */
  readonly asks?: readonly Ask[] | undefined;
  /** The run from which the result was reused, if it was. */
  readonly fromRunId?: RunId | undefined;
  /** Full name of the node in that run, if it differs. */
  readonly fromNodeId?: string | undefined;
  /** The node was reused because its output is pinned. */
  readonly isPinned?: true | undefined;
  /** The current or most recent stage of an input. */
  readonly stage?: StageName | undefined;
  /** The agent's label for the input. */
  readonly label?: string | undefined;
  /** The child run and input that streamed text last; absent for a node that streams its own text. */
  readonly speaker?: string | undefined;
}

/** Something an agent wants people to see. */
export interface Pin {
  readonly iden: string;
  readonly priority?: number;
  readonly label?: string;
  readonly content: string;
  /** The input the pin belongs to; absent for a pin of the run. */
  readonly taskId?: string;
}

/** A stage of an agent's run that waits for a person. */
export interface StageRequest {
  readonly stage: 'BeforeAll' | 'AfterAll';
  readonly request: SuspensionRequest;
}

/**
 * State of a run. `fold-run.ts` supplies its own collection types; collections of any other type work too and are
 * copied once.
 */
export interface RunState {
  readonly runId: RunId | null;
  readonly kind: RunKind;
  readonly name: string;
  readonly sourcePath: string;
  /** Never `interrupted`, because folding has no information about owner processes. */
  readonly status: RunStatus;
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  readonly inputs: JsonValue;
  readonly output: JsonValue | undefined;
  readonly error: ErrorRecord | undefined;
  /** Every node with a failed task, in order, including tolerated failures. */
  readonly failedNodes: ReadonlySet<string>;
  readonly redoOf: RunId | null;
  readonly redoCount: number;
  /** The earlier run that supplied unchanged results, and the node from which everything ran again. */
  readonly rerunOf: RunId | null;
  readonly rerunFromNode: string | null;
  /** The part of the flow that runs; null for the whole flow. */
  readonly scope: RunPart | null;
  /** Ids of the nodes with supplied outputs. */
  readonly pinned: readonly string[];
  /** Autonomy level of the run; null if none applies. */
  readonly autonomy: AutonomyLevel | null;
  /** Whether the agent requested that the run be repeated. */
  readonly redoRequested: boolean;
  /** The agent's reason for skipping the whole run. */
  readonly skipReason: string | undefined;
  /** Why the run was canceled, if no person requested it. */
  readonly endReason: RunEndReason | undefined;
  /** The agent's label for its run. */
  readonly label: string | undefined;
  /** The request of a stage that belongs to no input, Before All or After All. */
  readonly stageRequest: StageRequest | undefined;
  /** Pins of the run and its inputs, in display order. */
  readonly pins: readonly Pin[];
  /** The parent run and the task that started this run; null for a root run. */
  readonly parentRunId: RunId | null;
  readonly parentTaskId: string | null;
  /** All direct and indirect child runs by id; they share the log. Only a root run has any. */
  readonly children: ReadonlyMap<string, RunState>;
  /**
   * States by node id, or by task id for the inputs of an agent. An unchanged node keeps its identity (`===`) from one
   * state to the next.
   */
  readonly nodes: ReadonlyMap<string, NodeState>;
  /** Ids of the edges that fired. */
  readonly firedEdges: ReadonlySet<string>;
  /** Ids of the edges with a condition that was false. */
  readonly skippedEdges: ReadonlySet<string>;
  /** How far its loops are. */
  readonly tallies: LoopTallies;
  /** Token usage of the whole run; for a root, it includes all runs below it. */
  readonly usage: ModelUsage;
  /** Cost in US dollars, as far as prices are known; undefined if no call had a known price. */
  readonly costUsd: number | undefined;
  /** Number of model calls without a known price. If there are any, `costUsd` is a lower bound. */
  readonly unpricedCalls: number;
  /** Sequence number of the last event that was folded in; -1 before the first. */
  readonly seq: number;
}

const noIds = PersistentSet.of([]);

/** The state of a run before its first event. */
export const emptyRunState: RunState = {
  runId: null,
  kind: 'flow',
  name: '',
  sourcePath: '',
  status: 'queued',
  startedAt: null,
  durationMs: null,
  inputs: {},
  output: undefined,
  error: undefined,
  failedNodes: noIds,
  redoOf: null,
  redoCount: 0,
  rerunOf: null,
  rerunFromNode: null,
  scope: null,
  pinned: [],
  autonomy: null,
  redoRequested: false,
  skipReason: undefined,
  endReason: undefined,
  label: undefined,
  stageRequest: undefined,
  pins: [],
  parentRunId: null,
  parentTaskId: null,
  children: PersistentMap.of<RunState>(new Map()),
  nodes: PersistentMap.of<NodeState>(new Map()),
  firedEdges: noIds,
  skippedEdges: noIds,
  tallies: noLoopTallies,
  usage: { promptTokens: 0, completionTokens: 0 },
  costUsd: undefined,
  unpricedCalls: 0,
  seq: -1,
};

/** A run while a batch of events is folded. */
export type MutableRun = { -readonly [Key in keyof RunState]: RunState[Key] };

/** Copies field by field, which is many times as fast as `...`. */
export function copyOfRun(run: RunState): MutableRun {
  return {
    runId: run.runId,
    kind: run.kind,
    name: run.name,
    sourcePath: run.sourcePath,
    status: run.status,
    startedAt: run.startedAt,
    durationMs: run.durationMs,
    inputs: run.inputs,
    output: run.output,
    error: run.error,
    failedNodes: run.failedNodes,
    redoOf: run.redoOf,
    redoCount: run.redoCount,
    rerunOf: run.rerunOf,
    rerunFromNode: run.rerunFromNode,
    scope: run.scope,
    pinned: run.pinned,
    autonomy: run.autonomy,
    redoRequested: run.redoRequested,
    skipReason: run.skipReason,
    endReason: run.endReason,
    label: run.label,
    stageRequest: run.stageRequest,
    pins: run.pins,
    parentRunId: run.parentRunId,
    parentTaskId: run.parentTaskId,
    children: run.children,
    nodes: run.nodes,
    firedEdges: run.firedEdges,
    skippedEdges: run.skippedEdges,
    tallies: run.tallies,
    usage: run.usage,
    costUsd: run.costUsd,
    unpricedCalls: run.unpricedCalls,
    seq: run.seq,
  };
}
