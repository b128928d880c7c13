/**
 * Run events: a closed union of types and one envelope. Events only report; a subscriber cannot stop or change a run.
 * The type names and fields are the product's stable public protocol (`docs/events.md`).
 */
import type { ErrorRecord, StageName } from '../../../base/engine-error.ts';
import type { RunId, SessionId } from '../../../base/ids.ts';
import type { SkipReason } from '../../../language/bindings/markers.ts';
import type { WhenTrace } from '../../../language/bindings/when.ts';
import type { AutonomyLevel, SuggestedAction } from '../../../language/flow/autonomy.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { BudgetDoc } from '../../../language/triggers/budget-doc.ts';
import type { RunEndReason } from '../hub/cancel-scope.ts';
import type { PauseAction, PauseReason } from '../hub/run-pause.ts';
import type { AskEvent, RefusedAnswerEvent } from '../requests/ask.ts';
import type { AgentEvent } from './agent-event.ts';
import type { CallEvent, ModelEvent, ModelUsage } from './call-event.ts';
import type { HeldEvent } from './held-nodes.ts';
import type { RunKind, RunPart, RunStartEvent, StartedBy } from './start-event.ts';
import type { StepEvent } from './step-event.ts';
import type { ToolEvent } from './tool-event.ts';

export type { CallEvent, ModelEvent, ModelUsage, RunKind, RunPart, RunStartEvent, StartedBy };

export type RunEndStatus = 'completed' | 'failed' | 'cancelled' | 'skipped';
export type CancelReason = 'cancel' | 'fail-fast';

/** The request or wait that suspended a run. */
export type SuspendReason = 'approval' | 'user_input' | 'operator' | 'turn' | 'permission' | PauseReason;

/** A person's answer to a suspended node. */
export type SuspensionDecision = 'approve' | 'reject';

/** The request that a node sends to a person before it continues. */
export interface SuspensionRequest {
  readonly reason: SuspendReason;
  /** One or two sentences for the person who decides. */
  readonly message: string;
}

/** The run waits for a person, or was paused. None of it runs, can start, or is held in memory. */
export interface RunSuspendedEvent {
  readonly type: 'run:suspended';
  readonly reason: SuspendReason;
  /** The first waiting node, for a pause the next one to start, or, for a node's child run, the waiting input as `<node>/input:<index>`. */
  readonly nodeId?: string;
}

/** The run continues after an answer or after the loss of its process. Replaces `run:start`. */
export interface RunResumedEvent {
  readonly type: 'run:resumed';
  /** Name of the person who answered. */
  readonly by?: string;
  readonly decision?: SuspensionDecision;
  /** For a paused run. */
  readonly action?: PauseAction;
  /** With the action `raise`: the higher limits of its budget. */
  readonly raised?: BudgetDoc;
  /** The person's comment. */
  readonly comment?: string;
  /** Full name of the node that received the answer; absent if the answer applies to every waiting node. */
  readonly nodeId?: string;
}

/** The run did not start because a policy denied it. Its log contains only this event. */
export interface RunRefusedEvent {
  readonly type: 'run:refused';
  /** Error code, for example `max_steps_exceeded`. */
  readonly code: string;
  readonly message: string;
  /** The rule, its position and what it denies. */
  readonly details: JsonValue;
}

/** The run ended. This is its last event. */
export interface RunEndEvent {
  readonly type: 'run:end';
  readonly status: RunEndStatus;
  /**
   * For a flow: the output of each node without outgoing edges, by node ID. For an agent: `outputs` and `after_all`.
   */
  readonly output?: JsonValue;
  readonly error?: ErrorRecord;
  /** All nodes with a failed task, in order, including tolerated failures. */
  readonly failedNodes: readonly string[];
  readonly durationMs: number;
  readonly usage?: ModelUsage;
  /** Cost in US dollars of model calls with known prices. */
  readonly costUsd?: number;
  /**
   * Number of model calls with unknown prices. If there are any, `costUsd` is a lower bound. Absent if there are none.
   */
  readonly unpricedCalls?: number;
  /** The agent requested a repeat of the entire run. */
  readonly redoRequested?: true;
  /** The agent's reason for skipping the entire run, if it gave one. */
  readonly skipReason?: string;
  /** Why the run was canceled, if no person requested it. */
  readonly reason?: RunEndReason;
}

interface TaskEventFields {
  readonly taskId: string;
  readonly nodeId?: string;
}

/**
 * Every `task:start` is followed by exactly one of the other four. A task that was interrupted by a crash has a second
 * `task:start` with `resumed`.
 */
export type TaskEvent =
  | ({ readonly type: 'task:start'; readonly nodeType?: string; readonly resumed?: true } & TaskEventFields)
  | ({
      readonly type: 'task:complete';
      readonly result: JsonValue;
      readonly durationMs: number;
      readonly attempts: number;
    } & TaskEventFields)
  | ({
      readonly type: 'task:failed';
      readonly error: ErrorRecord;
      readonly durationMs: number;
      readonly attempts: number;
    } & TaskEventFields)
  | ({ readonly type: 'task:cancelled'; readonly reason: CancelReason } & TaskEventFields)
  /** An input that its agent skipped, or a node whose agent skipped the entire run. The reason may be empty. */
  | ({ readonly type: 'task:skipped'; readonly reason: string } & TaskEventFields);

/** An agent run's stages. `taskId` is set for stages that belong to one input. */
export type StageEvent =
  | { readonly type: 'stage:start'; readonly stage: StageName; readonly taskId?: string }
  | {
      readonly type: 'stage:end';
      readonly stage: StageName;
      readonly taskId?: string;
      readonly ms: number;
      /** The value that the Before All or After All script returned if it did not fail. A resumed run uses it. */
      readonly result?: JsonValue;
    };

/** A script's output for people. With `taskId`, it belongs to one input, otherwise to the run. */
export type NoteEvent =
  /** A later pin with the same `iden` replaces the earlier one. */
  | {
      readonly type: 'pin';
      readonly iden: string;
      /** Lower numbers are shown first; pins without a priority come last. */
      readonly priority?: number;
      readonly label?: string;
      readonly content: string;
      readonly taskId?: string;
    }
  | { readonly type: 'label'; readonly text: string; readonly taskId?: string }
  /** Emitted by a pure agent, which can emit nothing else. */
  | { readonly type: 'trace'; readonly name: string; readonly data: JsonValue; readonly taskId?: string }
  | {
      readonly type: 'log';
      readonly level: 'print' | 'info' | 'warn' | 'error';
      readonly text: string;
      readonly taskId?: string;
    };

/** Whether a policy allowed something: an effect outside the run, a model call, a tool call, or continuing the run. */
export interface GovernanceEvent {
  readonly type: 'governance:decision';
  readonly allowed: boolean;
  /** Stable ID of the rule that made the decision. */
  readonly rule: string;
  /** Kind of effect, for example `write` or `command`. */
  readonly effect: string;
  /** For example a path or a URL, without secrets. */
  readonly target: string;
  /** Position of the rule as `<file>:<line>`; absent for built-in rules. */
  readonly place?: string;
  /** The reason for denial, for display. */
  readonly reason?: string;
  /** The autonomy level that decided; absent if another rule did. */
  readonly level?: AutonomyLevel;
  /** Full name of the node through which a person approved it earlier. */
  readonly approvedBy?: string;
  /** A tool call that a model requested but that was not made. */
  readonly suggestion?: SuggestedAction;
}

export type PhaseEvent =
  | { readonly type: 'phase:start'; readonly name: string }
  | { readonly type: 'phase:complete'; readonly name: string }
  | { readonly type: 'phase:failed'; readonly name: string; readonly error: ErrorRecord }
  | { readonly type: 'phase:cancelled'; readonly name: string };

/** Whether an edge fired. Evaluated once, when its source node settles. */
export type EdgeEvent = {
  readonly type: 'edge:fired' | 'edge:skipped';
  readonly edgeId: string;
  readonly from: string;
  readonly to: string;
  /** The edge's condition with the values used to evaluate it; absent if the edge has no condition. */
  readonly detail?: WhenTrace;
};

/** Who gave a node its output, and the output that it replaces, if any. */
export interface GivenOutput {
  readonly by?: string;
  readonly before?: JsonValue;
}

/** Who changed an input. `before`: the input as resolved; null if a binding could not be resolved. */
export interface EditedInput {
  readonly by?: string;
  readonly before: JsonValue;
}

/**
 * Events before, between and after a node's attempts. A node in a loop body is named by its position in the run:
 * `<loop>[<item>].<id>`.
 */
export type NodeEvent =
  | {
      readonly type: 'node:skipped';
      readonly nodeId: string;
      readonly reason: SkipReason;
      /**
       * For `when`, the node's condition; for `edge`, the conditions of its incoming edges. Includes the values used to
       * evaluate them.
       */
      readonly detail?: WhenTrace;
      /** For `autonomy`: the suggested action. */
      readonly suggestion?: SuggestedAction;
    }
  /** The node does not run; it reuses its output from an earlier run or its pinned output. */
  | {
      readonly type: 'node:reused';
      readonly nodeId: string;
      readonly output: JsonValue;
      /** Absent if the output is pinned. */
      readonly fromRunId?: RunId;
      /** Full name of the node in that run, if it differs. */
      readonly fromNodeId?: string;
      readonly pin?: true;
      /** A person gave it this output, as a pin for this run only. */
      readonly given?: GivenOutput;
    }
  /**
   * The node waits for a person and its task stays open. Also emitted for an agent's input (`input:<index>`) and for
   * the stages `BeforeAll` and `AfterAll`.
   */
  | { readonly type: 'node:suspended'; readonly nodeId: string; readonly request: SuspensionRequest }
  | {
      readonly type: 'node:input';
      readonly nodeId: string;
      readonly input: JsonValue;
      /** A person has changed the input. */
      readonly edited?: EditedInput;
    }
  | {
      readonly type: 'node:retry';
      readonly nodeId: string;
      /** The number of the failed attempt, from 1. */
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
  | HeldEvent
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

/** The scopes in which an event occurred. */
export interface EventContext {
  readonly sessionId: SessionId;
  readonly phase?: { readonly name: string };
  readonly task?: { readonly id: string };
  readonly agent?: { readonly name: string };
  /** For a child run: full name of the root run's node on whose behalf the event occurred. */
  readonly node?: { readonly id: string };
}

/** An event with its number, time and context. */
export interface EventEnvelope {
  /** Sequence number in the root run, from 0 and without gaps. Child runs share their root's sequence. */
  readonly seq: number;
  /** Time in epoch milliseconds. */
  readonly at: number;
  readonly runId: RunId;
  readonly parentRunId?: RunId;
  /** For a child run: the root run whose log and sequence contain the event. */
  readonly rootRunId?: RunId;
  readonly context: EventContext;
  readonly event: RunEvent;
}

/** Returns the run whose log and sequence contain an event. */
export function rootOf({ runId, rootRunId }: Pick<EventEnvelope, 'runId' | 'rootRunId'>): RunId {
  return rootRunId ?? runId;
}
