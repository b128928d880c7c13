/**
 * Facts about runs: one closed union, one envelope. Events are told, never asked: no listener can stop or change a run.
 * Type names and fields are the product's public protocol (`docs/events.md`) and stable.
 */
import type { ErrorRecord, StageName } from '../base/engine-error.ts';
import type { RunId, SessionId } from '../base/ids.ts';
import type { AutonomyLevel, Suggestion } from '../flowspec/autonomy.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { SkipReason } from '../flowspec/markers.ts';
import type { WhenTrace } from '../flowspec/when.ts';
import type { AgentEvent } from './agent-event.ts';
import type { AskEvent, RefusedAnswerEvent } from './ask.ts';
import type { CallEvent, ModelEvent, ModelUsage } from './call-event.ts';
import type { RunEndReason } from './cancel-scope.ts';
import type { StepEvent } from './step-event.ts';
import type { ToolEvent } from './tool-event.ts';

export type { CallEvent, ModelEvent, ModelUsage };

export type RunKind = 'flow' | 'agent';
export type RunEndStatus = 'completed' | 'failed' | 'cancelled' | 'skipped';
export type CancelReason = 'cancel' | 'fail-fast';

/** What runs of a flow, when it is not the whole of it: one node alone, or one with all that it depends on. */
export type RunPart = { readonly only: string } | { readonly to: string };

/** A run begins. */
export interface RunStartEvent {
  readonly type: 'run:start';
  readonly kind: RunKind;
  readonly name: string;
  /** Path of the definition relative to the workspace, with `/`. */
  readonly sourcePath: string;
  /** SHA-256 of the definition's text, in hex. */
  readonly definitionHash: string;
  readonly inputs: JsonValue;
  readonly redoCount?: number;
  readonly redoOf?: RunId;
  /** The run whose results it takes over where nothing has changed, and the node from which all runs again. */
  readonly rerunOf?: RunId;
  readonly rerunFromNode?: string;
  /** Absent when the whole flow runs. */
  readonly scope?: RunPart;
  /** Ids of the nodes that do not run because the caller has given their outputs. */
  readonly pinned?: readonly string[];
  /** Of the policy of a flow of a conversation: the conversation, which is the context of its events too, and the flow. */
  readonly sessionId?: SessionId;
  readonly flowId?: string;
  /** What it may do without being asked, from its start to its end; absent = no level holds. */
  readonly autonomy?: AutonomyLevel;
  /** Of a child: the task of its parent that called it; absent where the parent called it outside of a task. */
  readonly parentTaskId?: string;
  /** Of a child that an agent called outside of its inputs: the part of it that did. */
  readonly parentStage?: 'BeforeAll' | 'AfterAll';
  /**
   * Of a child that a script called: what was asked for, and how many equal calls its input or stage has made before. Of one that a tool
   * runs: the call of the tool.
   */
  readonly callKey?: string;
}

/** What a suspended run waits for. */
export type SuspendReason = 'approval' | 'user_input' | 'operator' | 'turn' | 'permission';

/** A person's answer to one that waits for it. */
export type SuspensionDecision = 'approve' | 'reject';

/** What a node asks a person before it goes on. */
export interface SuspensionRequest {
  readonly reason: SuspendReason;
  /** One or two sentences for the person who decides. */
  readonly message: string;
}

/** The run waits for a person: nothing of it runs, nothing can start, and nothing of it is held in memory. */
export interface RunSuspendedEvent {
  readonly type: 'run:suspended';
  readonly reason: SuspendReason;
  /** The first that waits: a node, or what waits in a run that a node called, as `<node>/input:<index>`. */
  readonly nodeId?: string;
}

/** The run goes on, after a person's answer or after the process that ran it was lost. Stands for `run:start`. */
export interface RunResumedEvent {
  readonly type: 'run:resumed';
  /** Who answered. */
  readonly by?: string;
  readonly decision?: SuspensionDecision;
  /** What the person had to say. */
  readonly comment?: string;
  /** The one that was answered, by its full name; absent when the answer is for all that wait. */
  readonly nodeId?: string;
}

/** The run was not begun, because a policy does not let it: all of its log. */
export interface RunRefusedEvent {
  readonly type: 'run:refused';
  /** For example `max_steps_exceeded`. */
  readonly code: string;
  readonly message: string;
  /** The rule and where it stands, and what it refuses. */
  readonly details: JsonValue;
}

/** A run has ended; its last event. */
export interface RunEndEvent {
  readonly type: 'run:end';
  readonly status: RunEndStatus;
  /**
   * Of a flow: map from the id of each node without outgoing edges to its output. Of an agent: `outputs` and `after_all`.
   */
  readonly output?: JsonValue;
  readonly error?: ErrorRecord;
  /** Every node whose task failed, tolerated or not, in order. */
  readonly failedNodes: readonly string[];
  readonly durationMs: number;
  readonly usage?: ModelUsage;
  /** US dollars, of the model calls with a known price. */
  readonly costUsd?: number;
  /** How many model calls have no known price: with any, `costUsd` is a lower bound. Absent = none. */
  readonly unpricedCalls?: number;
  /** The agent asks to be run again as a whole. */
  readonly redoRequested?: true;
  /** Why an agent skipped its whole run, where it said so. */
  readonly skipReason?: string;
  /** Of a cancelled one: why, where no person asked for that. */
  readonly reason?: RunEndReason;
}

interface TaskFields {
  readonly taskId: string;
  readonly nodeId?: string;
}

/**
 * Every `task:start` is followed by exactly one of the other four; one that a crash cut is followed by a second
 * `task:start` with `resumed`.
 */
export type TaskEvent =
  | ({ readonly type: 'task:start'; readonly nodeType?: string; readonly resumed?: true } & TaskFields)
  | ({
      readonly type: 'task:complete';
      readonly result: JsonValue;
      readonly durationMs: number;
      readonly attempts: number;
    } & TaskFields)
  | ({
      readonly type: 'task:failed';
      readonly error: ErrorRecord;
      readonly durationMs: number;
      readonly attempts: number;
    } & TaskFields)
  | ({ readonly type: 'task:cancelled'; readonly reason: CancelReason } & TaskFields)
  /** An input that its agent skipped, or a node whose agent skipped the whole run; the reason may be empty. */
  | ({ readonly type: 'task:skipped'; readonly reason: string } & TaskFields);

/** Parts of an agent's run; `taskId` for those that belong to one input. */
export type StageEvent =
  | { readonly type: 'stage:start'; readonly stage: StageName; readonly taskId?: string }
  | {
      readonly type: 'stage:end';
      readonly stage: StageName;
      readonly taskId?: string;
      readonly ms: number;
      /** What the script of Before All or After All gave, when it did not fail: a run that goes on builds on it. */
      readonly result?: JsonValue;
    };

/** What a script wants people to see. With `taskId` it belongs to one input, else to the run. */
export type NoteEvent =
  /** A later pin of the same `iden` takes the place of an earlier one. */
  | {
      readonly type: 'pin';
      readonly iden: string;
      /** Lower ones stand first; those without stand last. */
      readonly priority?: number;
      readonly label?: string;
      readonly content: string;
      readonly taskId?: string;
    }
  | { readonly type: 'label'; readonly text: string; readonly taskId?: string }
  /** Told by an agent of the contract pure, which may do no more than that. */
  | { readonly type: 'trace'; readonly name: string; readonly data: JsonValue; readonly taskId?: string }
  | {
      readonly type: 'log';
      readonly level: 'print' | 'info' | 'warn' | 'error';
      readonly text: string;
      readonly taskId?: string;
    };

/** Whether something was allowed: to act outside of its run, to ask a model, to call a tool, to go on. */
export interface GovernanceEvent {
  readonly type: 'governance:decision';
  readonly allowed: boolean;
  /** Stable id of the rule that decided. */
  readonly rule: string;
  /** For example `write` or `command`. */
  readonly effect: string;
  /** For example a path or an address, without secrets. */
  readonly target: string;
  /** Where the rule stands, as `<file>:<line>`; absent for those of the program. */
  readonly place?: string;
  /** Why it was refused, for people. */
  readonly reason?: string;
  /** The level of autonomy that decided; absent where it was no such level. */
  readonly level?: AutonomyLevel;
  /** Full name of the node with which a person had agreed before. */
  readonly approvedBy?: string;
  /** A call that a model asked for and that was not made. */
  readonly suggestion?: Suggestion;
}

export type PhaseEvent =
  | { readonly type: 'phase:start'; readonly name: string }
  | { readonly type: 'phase:complete'; readonly name: string }
  | { readonly type: 'phase:failed'; readonly name: string; readonly error: ErrorRecord }
  | { readonly type: 'phase:cancelled'; readonly name: string };

/** Whether an edge let the run through; decided once, when its source has ended or was skipped. */
export type EdgeEvent = {
  readonly type: 'edge:fired' | 'edge:skipped';
  readonly edgeId: string;
  readonly from: string;
  readonly to: string;
  /** The edge's own condition with the values it saw; absent when it has none. */
  readonly detail?: WhenTrace;
};

/**
 * What happens around the attempts of a node. A node in the body of a loop is named by its place in the run:
 * `<loop>[<item>].<id>`.
 */
export type NodeEvent =
  | {
      readonly type: 'node:skipped';
      readonly nodeId: string;
      readonly reason: SkipReason;
      /** For `when` the condition, for `edge` those of its incoming edges, with the values they saw. */
      readonly detail?: WhenTrace;
      /** For `autonomy`: what it would have done. */
      readonly suggestion?: Suggestion;
    }
  /** Instead of running, the node takes the output that it gave in an earlier run, or that is pinned to it. */
  | {
      readonly type: 'node:reused';
      readonly nodeId: string;
      readonly output: JsonValue;
      /** Absent when it is pinned. */
      readonly fromRunId?: RunId;
      /** The full name that the node had in that run, where it differs. */
      readonly fromNodeId?: string;
      readonly pin?: true;
    }
  /**
   * The node waits for a person; its task stays open. Also of an input of an agent (`input:<index>`), and of its stages
   * `BeforeAll` and `AfterAll`.
   */
  | { readonly type: 'node:suspended'; readonly nodeId: string; readonly request: SuspensionRequest }
  | { readonly type: 'node:input'; readonly nodeId: string; readonly input: JsonValue }
  | {
      readonly type: 'node:retry';
      readonly nodeId: string;
      /** The attempt that failed, from 1. */
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: ErrorRecord;
    };

export type RunEvent =
  | RunStartEvent
  | RunSuspendedEvent
  | RunResumedEvent
  | RunEndEvent
  | RunRefusedEvent
  | PhaseEvent
  | TaskEvent
  | NodeEvent
  | AskEvent
  | RefusedAnswerEvent
  | EdgeEvent
  | AgentEvent
  | ModelEvent
  | CallEvent
  | ToolEvent
  | StageEvent
  | StepEvent
  | NoteEvent
  | GovernanceEvent;

/** The scopes an event happened in. */
export interface EventContext {
  readonly sessionId: SessionId;
  readonly phase?: { readonly name: string };
  readonly task?: { readonly id: string };
  readonly agent?: { readonly name: string };
  /** Of a run that another one called: the node of the run at the top, by its full name, for which it happened. */
  readonly node?: { readonly id: string };
}

/** A numbered fact. */
export interface EventEnvelope {
  /** From 0 per root run, without gaps; child runs share their root's sequence. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly runId: RunId;
  readonly parentRunId?: RunId;
  /** Of a run that another one called: the run at the top, in whose log and numbering it stands. */
  readonly rootRunId?: RunId;
  readonly context: EventContext;
  readonly event: RunEvent;
}

/** The run in whose log and numbering an event stands. */
export function rootOf({ runId, rootRunId }: Pick<EventEnvelope, 'runId' | 'rootRunId'>): RunId {
  return rootRunId ?? runId;
}
