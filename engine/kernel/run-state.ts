/**
 * What is true of a run now, which `fold-run.ts` makes from events; and its line in the history.
 */
import type { ErrorRecord, StageName } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { AutonomyLevel, Suggestion } from '../flowspec/autonomy.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { SkipReason } from '../flowspec/markers.ts';
import type { WhenTrace } from '../flowspec/when.ts';
import type { Ask } from './ask.ts';
import type { RunEndReason } from './cancel-scope.ts';
import { type LoopTallies, noLoopTallies } from './loop-tallies.ts';
import { PersistentMap } from './persistent-map.ts';
import { PersistentSet } from './persistent-set.ts';
import type { ModelUsage, RunEndStatus, RunKind, RunPart, SuspensionRequest } from './run-event.ts';

/** `interrupted` is derived, never stored: a run without `run:end` whose owner is dead. */
export type RunStatus = 'queued' | 'running' | 'suspended' | RunEndStatus | 'interrupted';

/** For what a suspended run waits, by the oldest question. */
export type WaitStatus = 'PENDING_APPROVAL' | 'PENDING_USER_INPUT' | 'PENDING_PERMISSION';

/** A run as the history lists it. */
export interface RunSummary {
  readonly runId: RunId;
  /** Counts the runs of a workspace from 1, in the order in which they were asked for; a number is given once. */
  readonly number: number;
  readonly kind: RunKind;
  readonly name: string;
  /** Relative to the workspace, with `/`. */
  readonly sourcePath: string;
  readonly definitionHash: string;
  readonly status: RunStatus;
  /** Of a suspended run; absent when it waits for whether what a crash has cut may run again. */
  readonly waitStatus?: WaitStatus;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Milliseconds; absent while the run goes on and for an interrupted one. */
  readonly durationMs?: number;
  readonly redoOf?: RunId;
  readonly redoCount?: number;
  readonly rerunOf?: RunId;
  /** What of its flow it runs, once it has begun; absent = all of it. */
  readonly scope?: RunPart;
  /** Ids of the nodes whose outputs were given; absent = none. */
  readonly pinned?: readonly string[];
  /** US dollars, of the model calls with a known price; absent while the run goes on and when there was none. */
  readonly costUsd?: number;
  /** How many model calls have no known price: with any, `costUsd` is a lower bound. Absent = none. */
  readonly unpricedCalls?: number;
  readonly error?: ErrorRecord;
  readonly failedNodes: readonly string[];
  /** Why it was cancelled, where no person asked for that. */
  readonly endReason?: RunEndReason;
  /** What of the run cannot be read in the history, as a clause; fields that it concerns have substitutes. Absent = nothing is known to be damaged. */
  readonly damage?: string;
}

/** A node that has no entry in `RunState.nodes` has not been reached yet. */
export type NodeStatus =
  | 'running'
  | 'retrying'
  | 'suspended'
  | 'completed'
  | 'reused'
  | 'failed'
  | 'skipped'
  | 'cancelled';

/** What is true of a node, or of an input of an agent. */
export interface NodeState {
  /**
   * A node in the body of a loop is named by its place in the run: `<loop>[<item>].<id>`; an input by its task:
   * `input:<index>`.
   */
  readonly nodeId: string;
  readonly nodeType?: string | undefined;
  readonly status: NodeStatus;
  /** Epoch milliseconds; absent for a skipped node. */
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly durationMs?: number | undefined;
  /** Attempts that ended, or, while it runs, the one that is going on; from 1. */
  readonly attempts: number;
  readonly input?: JsonValue | undefined;
  readonly output?: JsonValue | undefined;
  readonly error?: ErrorRecord | undefined;
  /** Text streamed in the attempt that is going on or was the last. */
  readonly text: string;
  /** `text`: what an agent said of it. */
  readonly skip?: { readonly reason: SkipReason; readonly detail?: WhenTrace; readonly text?: string } | undefined;
  /** What it would have done, or what its model wanted to call, where a level of autonomy held that back. */
  readonly suggestions?: readonly Suggestion[] | undefined;
  readonly usage?: ModelUsage | undefined;
  /** US dollars, of its model calls with a known price, those of runs that it called included; undefined when there was none. */
  readonly costUsd?: number | undefined;
  /** Its model calls without a known price; undefined when there was none. */
  readonly unpricedCalls?: number | undefined;
  /** What it, or a run that it called, asks a person, while it is suspended. */
  readonly request?: SuspensionRequest | undefined;
  /** All that it has asked so far, in order, with the answers; of those without one, it waits while it is suspended. */
  readonly asks?: readonly Ask[] | undefined;
  /** The run whose result it took over, when it was reused. */
  readonly fromRunId?: RunId | undefined;
  /** The full name that it had there, where it differs. */
  readonly fromNodeId?: string | undefined;
  /** It was reused because its output is pinned. */
  readonly isPinned?: true | undefined;
  /** The part of its agent that an input is in or was in last. */
  readonly stage?: StageName | undefined;
  /** What the agent calls the input. */
  readonly label?: string | undefined;
  /** The called run and its input that spoke last; absent for a node that speaks itself. */
  readonly speaker?: string | undefined;
}

/** Something that an agent wants to be seen. */
export interface Pin {
  readonly iden: string;
  readonly priority?: number;
  readonly label?: string;
  readonly content: string;
  /** The input it belongs to; absent = the run. */
  readonly taskId?: string;
}

/** A part of an agent's run that waits for a person. */
export interface StageRequest {
  readonly stage: 'BeforeAll' | 'AfterAll';
  readonly request: SuspensionRequest;
}

/** What is true of a run. Its collections are those of `fold-run.ts`; any others work too, and are copied once. */
export interface RunState {
  readonly runId: RunId | null;
  readonly kind: RunKind;
  readonly name: string;
  readonly sourcePath: string;
  /** Folding knows no owners, so it never yields `interrupted`. */
  readonly status: RunStatus;
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  readonly inputs: JsonValue;
  readonly output: JsonValue | undefined;
  readonly error: ErrorRecord | undefined;
  /** Every node whose task failed, tolerated or not, in order. */
  readonly failedNodes: ReadonlySet<string>;
  readonly redoOf: RunId | null;
  readonly redoCount: number;
  /** The run whose results it took over where nothing had changed, and the node from which all ran again. */
  readonly rerunOf: RunId | null;
  readonly rerunFromNode: string | null;
  /** What of its flow it runs; null = all of it. */
  readonly scope: RunPart | null;
  /** Ids of the nodes whose outputs were given. */
  readonly pinned: readonly string[];
  /** What it may do without being asked; null = no level holds. */
  readonly autonomy: AutonomyLevel | null;
  /** The agent asked to be run again. */
  readonly redoRequested: boolean;
  /** Why the agent skipped its whole run. */
  readonly skipReason: string | undefined;
  /** Why it was cancelled, where no person asked for that. */
  readonly endReason: RunEndReason | undefined;
  /** What the agent calls its run. */
  readonly label: string | undefined;
  /** What a part of an agent that belongs to no input, Before All or After All, asks a person. */
  readonly stageRequest: StageRequest | undefined;
  /** Of the run and of its inputs, in the order they are to be shown. */
  readonly pins: readonly Pin[];
  /** The run that called it, and the task that did; null for a root. */
  readonly parentRunId: RunId | null;
  readonly parentTaskId: string | null;
  /** All runs below this one that share its log, by id: those it called, and those they called. Only a root has any. */
  readonly children: ReadonlyMap<string, RunState>;
  /** By node id, or for an agent's inputs by task id. An untouched node keeps its identity (`===`) from one state to the next. */
  readonly nodes: ReadonlyMap<string, NodeState>;
  /** Ids of the edges that fired. */
  readonly firedEdges: ReadonlySet<string>;
  /** Ids of the edges whose condition was false. */
  readonly skippedEdges: ReadonlySet<string>;
  /** How far its loops are. */
  readonly tallies: LoopTallies;
  /** Of the whole run, for a root with all runs below it. */
  readonly usage: ModelUsage;
  /** US dollars, as far as prices are known; undefined = nothing with a price was asked. */
  readonly costUsd: number | undefined;
  /** Model calls without a known price: with any, `costUsd` is a lower bound. */
  readonly unpricedCalls: number;
  /** The last `seq` folded in; -1 before the first. */
  readonly seq: number;
}

const noIds = PersistentSet.of([]);

/** Before the first event. */
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
