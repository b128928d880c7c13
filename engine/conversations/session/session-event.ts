/**
 * Defines the events of a conversation: one closed union and one envelope. A session changes only through events. The
 * current state is computed with `foldSession`.
 */
import type { SessionId } from '../../base/ids.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type {
  AmbiguityLevel,
  AmbiguityRecord,
  CatalogueVersion,
  FlowBirth,
  FlowStatus,
  FlowWait,
  Prediction,
  SessionState,
  UserMessage,
} from './session-state.ts';

export type InvalidReason = 'fallback' | 'prune' | 'abandon' | 'failure' | 'corrected';

/** Events of the stack of flows that people see. Positions are counted from 0 at the top. */
type StackEvent =
  | ({ readonly type: 'stack:push'; readonly position: number; readonly depth: number } & FlowBirth)
  /** The Active flow waits again, because another flow was put on top of it. */
  | { readonly type: 'stack:cover'; readonly flowId: string }
  | { readonly type: 'stack:activate'; readonly flowId: string }
  | { readonly type: 'stack:complete'; readonly flowId: string; readonly result: JsonValue }
  | { readonly type: 'stack:invalidate'; readonly flowId: string; readonly reason: InvalidReason }
  | {
      readonly type: 'stack:pop';
      readonly flowId: string;
      readonly status: FlowStatus;
      readonly by: 'res' | 'fallback' | 'abandon';
    }
  | {
      readonly type: 'stack:fallback';
      readonly fromFlowId: string;
      readonly toFlowId: string;
      readonly toFlowName: string;
      readonly mappedSlots: readonly string[];
      /** Slots with dropped values, because the new flow has no slot of that name or the slot rejects the value. */
      readonly droppedSlots: readonly string[];
    };

/** Events about a flow. */
type FlowEvent =
  | {
      readonly type: 'slot:filled';
      readonly flowId: string;
      readonly slot: string;
      /** The complete new value of the slot. */
      readonly value: JsonValue;
      /** 1 for labels or a form, 2 for a model that read it from the conversation. */
      readonly system: 1 | 2;
      /** The value has the right type but is not sufficient yet. */
      readonly partial?: true;
    }
  | { readonly type: 'slot:rejected'; readonly flowId: string; readonly slot: string; readonly problem: string }
  /** The policy's run, which replaces an earlier one. */
  | { readonly type: 'flow:run'; readonly flowId: string; readonly runId: string }
  /** The policy's run was ended early because a value it used was corrected. A new run starts. */
  | { readonly type: 'flow:stopped'; readonly flowId: string; readonly runId: string; readonly reason: 'corrected' }
  /** Notes from the policy. Metadata is merged. */
  | { readonly type: 'flow:progress'; readonly flowId: string; readonly stage?: string; readonly metadata?: JsonMap }
  /** What the run waits for; null if it has continued. */
  | { readonly type: 'flow:waits'; readonly flowId: string; readonly for: FlowWait | null };

type AmbiguityEvent =
  | ({ readonly type: 'ambiguity:declared' } & AmbiguityRecord)
  | { readonly type: 'ambiguity:resolved'; readonly level: AmbiguityLevel; readonly by: string };

/** A candidate decomposition of a task, and its score (0 to 1) against the objective. */
export interface PlanCandidate {
  readonly order: readonly string[];
  readonly score: number;
  readonly reason?: string;
}

export type ReplanDecision = 'continue' | 'reorder' | 'expand' | 'prune';

type PlanEvent =
  | {
      readonly type: 'plan:decomposed';
      readonly planId: string;
      /** Flows from the top. */
      readonly subFlows: readonly { readonly flowId: string; readonly flowName: string }[];
      readonly method: 'direct' | 'lats';
      readonly candidates?: readonly PlanCandidate[];
    }
  | {
      readonly type: 'plan:replan';
      readonly planId: string;
      readonly decision: ReplanDecision;
      /** Ids of the remaining parts, from the top. */
      readonly before: readonly string[];
      readonly after: readonly string[];
      readonly added: readonly { readonly flowId: string; readonly flowName: string }[];
      readonly reason: string;
    }
  | {
      readonly type: 'plan:assessed';
      readonly planId: string;
      readonly done: boolean;
      readonly newSubFlows: readonly { readonly flowId: string; readonly flowName: string }[];
      readonly reason: string;
    }
  | { readonly type: 'plan:abandoned'; readonly planId: string; readonly flowIds: readonly string[] };

/** A finding of a flow. */
export interface ScratchpadNote {
  readonly id: string;
  /** The finding as a sentence. */
  readonly text: string;
}

type ScratchpadEvent =
  | {
      readonly type: 'scratchpad:write';
      readonly flowId: string;
      readonly flowName: string;
      readonly entries: readonly ScratchpadNote[];
      /** Ids of entries that these replace. */
      readonly replaces: readonly string[];
    }
  | { readonly type: 'scratchpad:use'; readonly ids: readonly string[] };

/** Events of housekeeping in parallel with the stack. */
type InternalEvent =
  | {
      readonly type: 'internal:schedule';
      readonly flowId: string;
      readonly flowName: string;
      readonly dependsOn: readonly string[];
    }
  | { readonly type: 'internal:start'; readonly flowId: string; readonly dependsOn: readonly string[] }
  | {
      readonly type: 'internal:end';
      readonly flowId: string;
      readonly status: 'Completed' | 'Invalid';
      readonly result: JsonValue;
    };

type MessageEvent =
  | ({ readonly type: 'message'; readonly from: 'user' } & UserMessage)
  | { readonly type: 'message'; readonly from: 'assistant'; readonly text: string };

/** An effect that a rollback cannot undo. */
export interface OutsideEffect {
  readonly runId: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Target for display, without secrets. */
  readonly target: string;
}

/** A policy's refusal of an action of the turn itself. Refusals of runs' actions are in the runs' events. */
export type TurnPolicyRefusal = {
  /** Stable id of the rule. */
  readonly rule: string;
  /** `model` or `budget`. */
  readonly effect: string;
  /** The model, or the name of the budget. */
  readonly target: string;
  /** Position of the rule, as `<file>:<line>`; absent for built-in rules. */
  readonly place?: string;
  /** Reason for display, without a final period. */
  readonly reason?: string;
};

type TurnEvent =
  | { readonly type: 'turn:start'; readonly turnId: string; readonly messageId: string }
  | {
      readonly type: 'turn:end';
      readonly turnId: string;
      readonly keepGoingRounds: number;
      readonly outcome: 'done' | 'guard' | 'cancelled' | 'failed';
    }
  | {
      readonly type: 'turn:rolledback';
      /** The specified turn and all later ones, oldest first. */
      readonly turnIds: readonly string[];
      /** The session without these turns. */
      readonly state: SessionState;
      readonly effects: readonly OutsideEffect[];
    };

export type SessionEvent =
  | { readonly type: 'session:start'; readonly catalogue: CatalogueVersion }
  | MessageEvent
  | { readonly type: 'conversation:summary'; readonly text: string }
  | ({ readonly type: 'nlu:predicted' } & Prediction)
  /** The result of one of the turn's effects, so that a resumed turn does not repeat the effect. */
  | { readonly type: 'step:result'; readonly key: string; readonly result: JsonValue }
  | ({ readonly type: 'governance:decision'; readonly allowed: false } & TurnPolicyRefusal)
  | { readonly type: 'state:flags'; readonly keepGoing?: boolean; readonly hasIssues?: boolean }
  | {
      readonly type: 'recovery:step';
      readonly flowId: string;
      readonly step: 'policy' | 'reroute' | 'skip' | 'escalate';
      readonly ok: boolean;
    }
  | StackEvent
  | FlowEvent
  | AmbiguityEvent
  | PlanEvent
  | ScratchpadEvent
  | InternalEvent
  | TurnEvent;

/** A numbered event. */
export interface SessionEnvelope {
  /** Sequence number per session, starting at 0 and without gaps. */
  readonly seq: number;
  /** Time in epoch milliseconds. */
  readonly at: number;
  readonly sessionId: SessionId;
  /** The turn that the event belongs to; for an Internal flow, the turn that scheduled it. */
  readonly turnId?: string;
  readonly event: SessionEvent;
}
