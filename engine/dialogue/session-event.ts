/**
 * Facts of a conversation: one closed union, one envelope. They are the only thing that changes a session; whoever wants to know
 * what is true now folds them with `foldSession`.
 */
import type { SessionId } from '../base/ids.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type {
  AmbiguityLevel,
  AmbiguityRecord,
  CatalogueVersion,
  FlowBirth,
  FlowStatus,
  Prediction,
  SessionState,
  UserMessage,
} from './session-state.ts';

export type InvalidReason = 'fallback' | 'prune' | 'abandon' | 'failure' | 'corrected';

/** What happens on the stack of flows that people see. Positions count from the top, 0. */
type StackEvent =
  | ({ readonly type: 'stack:push'; readonly position: number; readonly depth: number } & FlowBirth)
  /** The Active flow waits again, because another one was put on it. */
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
      /** Their values are lost: the new flow has no slot of the name, or one that does not take the value. */
      readonly droppedSlots: readonly string[];
    };

/** What a flow is told or tells of itself. */
type FlowEvent =
  | {
      readonly type: 'slot:filled';
      readonly flowId: string;
      readonly slot: string;
      /** All that the slot holds from now on. */
      readonly value: JsonValue;
      /** 1 = from labels or a form, 2 = a model has read it out of the conversation. */
      readonly system: 1 | 2;
      /** It is of the right type, and not enough yet. */
      readonly partial?: true;
    }
  | { readonly type: 'slot:rejected'; readonly flowId: string; readonly slot: string; readonly problem: string }
  /** The run of its policy; a later one takes the place of an earlier one. */
  | { readonly type: 'flow:run'; readonly flowId: string; readonly runId: string }
  /** The run of its policy has ended before its time, because a value that it used was corrected; a new run begins. */
  | { readonly type: 'flow:stopped'; readonly flowId: string; readonly runId: string; readonly reason: 'corrected' }
  /** What its policy has noted for itself; metadata is added to what is there. */
  | { readonly type: 'flow:progress'; readonly flowId: string; readonly stage?: string; readonly metadata?: JsonMap }
  /** What its run waits for; null = it goes on. */
  | { readonly type: 'flow:waits'; readonly flowId: string; readonly for: 'approval' | 'user_input' | null };

type AmbiguityEvent =
  | ({ readonly type: 'ambiguity:declared' } & AmbiguityRecord)
  | { readonly type: 'ambiguity:resolved'; readonly level: AmbiguityLevel; readonly by: string };

/** One way to take a task apart, and how well it serves what the person wants: 0 to 1. */
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
      /** From the top. */
      readonly subFlows: readonly { readonly flowId: string; readonly flowName: string }[];
      readonly method: 'direct' | 'lats';
      readonly candidates?: readonly PlanCandidate[];
    }
  | {
      readonly type: 'plan:replan';
      readonly planId: string;
      readonly decision: ReplanDecision;
      /** Ids of what is left of the plan, from the top. */
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

/** One thing that a flow has found out. */
export interface ScratchpadNote {
  readonly id: string;
  /** A sentence. */
  readonly text: string;
}

type ScratchpadEvent =
  | {
      readonly type: 'scratchpad:write';
      readonly flowId: string;
      readonly flowName: string;
      readonly entries: readonly ScratchpadNote[];
      /** Ids of entries that these take the place of. */
      readonly replaces: readonly string[];
    }
  | { readonly type: 'scratchpad:use'; readonly ids: readonly string[] };

/** Housekeeping beside the stack. */
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

/** Something outside that a rollback cannot take back. */
export interface OutsideEffect {
  readonly runId: string;
  /** Name of the tool. */
  readonly tool: string;
  /** For people, without secrets. */
  readonly target: string;
}

/** What a policy has refused to a turn itself. Runs tell what was refused to them. */
export type Refusal = {
  /** Stable id of the rule. */
  readonly rule: string;
  /** `model`, or `budget`. */
  readonly effect: string;
  /** The model, or the name of the budget. */
  readonly target: string;
  /** Where the rule stands, as `<file>:<line>`; absent for those of the program. */
  readonly place?: string;
  /** For people, without a full stop. */
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
      /** The turn that was named and all behind it, oldest first. */
      readonly turnIds: readonly string[];
      /** The session without them. */
      readonly state: SessionState;
      readonly effects: readonly OutsideEffect[];
    };

export type SessionEvent =
  | { readonly type: 'session:start'; readonly catalogue: CatalogueVersion }
  | MessageEvent
  | { readonly type: 'conversation:summary'; readonly text: string }
  | ({ readonly type: 'nlu:predicted' } & Prediction)
  /** What an effect of the turn has given, so that a turn that is taken up again does not do it twice. */
  | { readonly type: 'step:result'; readonly key: string; readonly result: JsonValue }
  | ({ readonly type: 'governance:decision'; readonly allowed: false } & Refusal)
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

/** A numbered fact. */
export interface SessionEnvelope {
  /** From 0 per session, without gaps. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly sessionId: SessionId;
  /** The turn that it is part of; of an Internal flow, the turn that scheduled it. */
  readonly turnId?: string;
  readonly event: SessionEvent;
}
