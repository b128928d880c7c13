/**
 * A run's current state, computed from its events by `fold-run.ts`, and its entry in the history.
 */
import type { ErrorRecord, StageName } from '../../../base/engine-error.ts';
import type { RunId } from '../../../base/ids.ts';
import type { SkipReason } from '../../../language/bindings/markers.ts';
import type { WhenTrace } from '../../../language/bindings/when.ts';
import type { AutonomyLevel, SuggestedAction } from '../../../language/flow/autonomy.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { BudgetDoc } from '../../../language/triggers/budget-doc.ts';
import type { RunEndReason } from '../hub/cancel-scope.ts';
import type { Ask } from '../requests/ask.ts';
import type { HeldNode, PausedAt } from './held-nodes.ts';
import { type LoopTallies, noLoopTallies } from './loop-tallies.ts';
import { PersistentMap } from './persistent-map.ts';
import { PersistentSet } from './persistent-set.ts';
import type { Pin } from './pin-list.ts';
import type { EditedInput, GivenOutput, ModelUsage, RunEndStatus, SuspensionRequest } from './run-event.ts';
import type { RunKind, RunPart, StartedBy } from './start-event.ts';

/** `interrupted` is derived and never stored: it is a run without `run:end` whose owner process is dead. */
export type RunStatus = 'queued' | 'running' | 'suspended' | RunEndStatus | 'interrupted';

/** The wait that suspended a run, taken from its oldest request. */
export type WaitStatus = 'PENDING_APPROVAL' | 'PENDING_USER_INPUT' | 'PENDING_PERMISSION' | 'PAUSED';

/** A run as listed in the history. */
export interface RunSummary {
  readonly runId: RunId;
  /** The run's number in its workspace, from 1 in the order of the requests. Numbers are never reused. */
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
  /** IDs of the nodes with supplied outputs; absent if there are none. */
  readonly pinned?: readonly string[];
  /** Absent for runs of earlier versions. */
  readonly startedBy?: StartedBy;
  /**
   * Cost in US dollars of model calls with known prices; absent while the run is in progress and if there were no such
   * calls.
   */
  readonly costUsd?: number;
  /** Number of model calls with unknown prices, so that `costUsd` is a lower bound. Absent if there are none. */
  readonly unpricedCalls?: number;
  /** Prompt and response tokens of its model calls; absent while the run is in progress and if there were no calls. */
  readonly tokens?: number;
  /** What people have called the run, sorted; absent if it has no labels or is in a shared history. */
  readonly labels?: readonly string[];
  /** What a person has written about the run. */
  readonly note?: string;
  readonly error?: ErrorRecord;
  readonly failedNodes: readonly string[];
  /** Why the run was canceled, if no person requested it. */
  readonly endReason?: RunEndReason;
  /**
   * A clause that describes the parts of the run that the history cannot read. Affected fields have substitute values.
   * Absent if no damage is known.
   */
  readonly damage?: string;
}

/** A node's status. A node without an entry in `RunState.nodes` has not been reached yet. */
export type NodeStatus =
  | 'running'
  | 'retrying'
  | 'suspended'
  | 'completed'
  | 'reused'
  | 'failed'
  | 'skipped'
  | 'cancelled';

/** State of a node or an agent's input. */
export interface NodeState {
  /**
   * The node's name. In a loop body, it includes the position in the run: `<loop>[<item>].<id>`. For an input, it is
   * the task: `input:<index>`.
   */
  readonly nodeId: string;
  readonly nodeType?: string | undefined;
  readonly status: NodeStatus;
  /** Start time in epoch milliseconds; absent for a skipped node. */
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly durationMs?: number | undefined;
  /** Number of finished attempts or, while the node runs, the current attempt number, from 1. */
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
  /** Cost in US dollars of its model calls with known prices, including child runs; undefined if there were none. */
  readonly costUsd?: number | undefined;
  /** Number of its model calls with unknown prices; undefined if there were none. */
  readonly unpricedCalls?: number | undefined;
  /** While suspended: the request to a person by this node or one of its child runs. */
  readonly request?: SuspensionRequest | undefined;
  /**
   * All questions that the node has asked so far, in order, with their answers. While suspended, it waits for the
   * missing answers.
   */
  readonly asks?: readonly Ask[] | undefined;
  /** The run from which the result was reused, if any. */
  readonly fromRunId?: RunId | undefined;
  /** Full name of the node in that run, if it differs. */
  readonly fromNodeId?: string | undefined;
  /** The node was reused because its output is pinned. */
  readonly isPinned?: true | undefined;
  /** Set if a person gave the node its output. It then also counts as pinned. */
  readonly given?: GivenOutput | undefined;
  /** Set if a person has changed the node's input. */
  readonly edited?: EditedInput | undefined;
  /** An input's current or most recent stage. */
  readonly stage?: StageName | undefined;
  /** The agent's label for the input. */
  readonly label?: string | undefined;
  /** The child run and input that streamed text last; absent for a node that streams its own text. */
  readonly speaker?: string | undefined;
}

/** A stage of an agent run that waits for a person. */
export interface StageRequest {
  readonly stage: 'BeforeAll' | 'AfterAll';
  readonly request: SuspensionRequest;
}

/**
 * A run's state. `fold-run.ts` supplies its own collection types; other collection types also work and are copied once.
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
  /** All nodes with a failed task, in order, including tolerated failures. */
  readonly failedNodes: ReadonlySet<string>;
  readonly redoOf: RunId | null;
  readonly redoCount: number;
  /** The earlier run that supplied unchanged results, and the node from which everything ran again. */
  readonly rerunOf: RunId | null;
  readonly rerunFromNode: string | null;
  /** The part of the flow that runs; null for the entire flow. */
  readonly scope: RunPart | null;
  /** IDs of the nodes with supplied outputs. */
  readonly pinned: readonly string[];
  /** Null for runs of earlier versions. */
  readonly startedBy: StartedBy | null;
  /** The run's autonomy level; null if none applies. */
  readonly autonomy: AutonomyLevel | null;
  /** Whether the agent requested a repeat of the run. */
  readonly redoRequested: boolean;
  /** The agent's reason for skipping the entire run. */
  readonly skipReason: string | undefined;
  /** Why the run was canceled, if no person requested it. */
  readonly endReason: RunEndReason | undefined;
  readonly pause: PausedAt | undefined;
  /** The nodes that are held, in order, also those of child runs. Empty for a child run. */
  readonly held: readonly HeldNode[];
  /** What the run may use before it is paused, as far as it was raised; undefined if it has no budget. */
  readonly budget: BudgetDoc | undefined;
  /** The agent's label for its run. */
  readonly label: string | undefined;
  /** The request of a stage that belongs to no input: Before All or After All. */
  readonly stageRequest: StageRequest | undefined;
  /** Pins of the run and its inputs, in display order. */
  readonly pins: readonly Pin[];
  /** The parent run and the task that started this run; null for a root run. */
  readonly parentRunId: RunId | null;
  readonly parentTaskId: string | null;
  /** All direct and indirect child runs by ID; they share the log. Only root runs have any. */
  readonly children: ReadonlyMap<string, RunState>;
  /**
   * States by node ID or, for an agent's inputs, by task ID. An unchanged node keeps its identity (`===`) from one
   * state to the next.
   */
  readonly nodes: ReadonlyMap<string, NodeState>;
  /** IDs of the edges that fired. */
  readonly firedEdges: ReadonlySet<string>;
  /** IDs of the edges whose condition was false. */
  readonly skippedEdges: ReadonlySet<string>;
  /** The progress of its loops. */
  readonly tallies: LoopTallies;
  /** Token usage of the entire run; for a root run, includes all runs below it. */
  readonly usage: ModelUsage;
  /** Cost in US dollars, insofar as prices are known; undefined if no call had a known price. */
  readonly costUsd: number | undefined;
  /** Number of model calls with unknown prices. If there are any, `costUsd` is a lower bound. */
  readonly unpricedCalls: number;
  /** Sequence number of the last folded event; -1 before the first. */
  readonly seq: number;
}

const noIds = PersistentSet.of([]);

/** A run's state before its first event. */
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
  startedBy: null,
  autonomy: null,
  redoRequested: false,
  skipReason: undefined,
  endReason: undefined,
  pause: undefined,
  held: [],
  budget: undefined,
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

/** Copies field by field, which is many times faster than `...`. */
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
    startedBy: run.startedBy,
    autonomy: run.autonomy,
    redoRequested: run.redoRequested,
    skipReason: run.skipReason,
    endReason: run.endReason,
    pause: run.pause,
    held: run.held,
    budget: run.budget,
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
