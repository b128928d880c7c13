/**
 * Builds the view of a conversation for people: the messages, the active flows and their missing slots, and why a flow
 * was chosen. Plain JSON, so that it can be sent between processes.
 */
import type { SessionId } from '../../base/ids.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { Catalogue, FlowType } from '../catalog/catalogue.ts';
import { isEnough, type SlotDef, type SlotPriority, slotSchema } from '../catalog/slot-types.ts';
import { questionOf } from '../meaning/ambiguity.ts';
import { type PlanProgress, planProgress } from '../plans/plan.ts';
import type { PlanCandidate } from './session-event.ts';
import type {
  AmbiguityLevel,
  CatalogueVersion,
  FlowInstance,
  FlowStatus,
  Prediction,
  ScratchpadEntry,
  SessionState,
  SubFlow,
  UiAction,
  UserMessage,
} from './session-state.ts';

/** A message. */
export interface MessageView {
  /** Sequence number of its event. */
  readonly seq: number;
  /** Time in epoch milliseconds. */
  readonly at: number;
  readonly from: 'user' | 'assistant';
  readonly text: string;
  /** The action of a form or button. */
  readonly action?: UiAction;
  /** Absent while the message waits for its turn. */
  readonly turnId?: string;
}

/** A slot of a flow, as a form field. */
export interface SlotView {
  readonly name: string;
  /** Name of its type in the catalog. */
  readonly typeName: string;
  readonly priority: SlotPriority;
  readonly description: string;
  /** JSON Schema of accepted values. */
  readonly schema: JsonMap;
  /** Null if empty. */
  readonly value: JsonValue;
  readonly isFilled: boolean;
  /** Whether the slot must be filled before the flow can run (of electives, one must be). */
  readonly isMissing: boolean;
}

/** A flow of the conversation. */
export interface FlowView {
  readonly flowId: string;
  readonly flowName: string;
  readonly description: string;
  readonly intent: string;
  readonly status: FlowStatus;
  /** The plan it is part of. */
  readonly planId: string | null;
  readonly stackedOn: string | null;
  /** The policy's run; null if none has started. */
  readonly runId: string | null;
  readonly waitsFor: FlowInstance['waitsFor'];
  readonly slots: readonly SlotView[];
  /** Progress of the policy, in its own words. */
  readonly stage: string;
  readonly turnIds: readonly string[];
  /** For Internal flows: the flows that must have ended before this one starts. */
  readonly dependsOn: readonly string[];
}

/** An active plan. */
export interface PlanView {
  readonly planId: string;
  readonly flowName: string;
  readonly progress: PlanProgress;
  readonly subFlows: readonly SubFlow[];
  /**
   * Candidates that were scored before the task was decomposed, and which one was chosen; empty if no search was
   * needed.
   */
  readonly candidates: readonly PlanCandidate[];
}

/** An ambiguity and its question. */
export interface AmbiguityView {
  readonly level: AmbiguityLevel;
  readonly flowId: string | null;
  readonly question: string;
  readonly metadata: JsonMap;
}

export interface SessionView {
  readonly sessionId: SessionId;
  /** Number of the last included event; -1 if there is none. */
  readonly seq: number;
  /** Number of the latest event; greater than `seq` if an earlier state is shown. */
  readonly lastSeq: number;
  readonly catalogue: CatalogueVersion | null;
  /** Whether the file has changed since the conversation started. The conversation keeps its original version. */
  readonly isCatalogueChanged: boolean;
  /** The open turn; null if there is none. */
  readonly turnId: string | null;
  readonly turnCount: number;
  /** The latest messages, oldest first; `readConversationMessages` returns earlier ones. */
  readonly messages: readonly MessageView[];
  /** Messages that wait for their turn, oldest first. */
  readonly queue: readonly UserMessage[];
  /** Flows from the top. */
  readonly stack: readonly FlowView[];
  /** Internal flows that have not ended. */
  readonly background: readonly FlowView[];
  readonly plans: readonly PlanView[];
  /** The latest choice, its alternatives with scores, and the text it was made for. */
  readonly prediction: Prediction | null;
  readonly ambiguity: AmbiguityView | null;
  readonly scratchpad: readonly ScratchpadEntry[];
  readonly summary: string;
  readonly hasIssues: boolean;
}

/** Data for a view in addition to the state. */
export interface ViewContext {
  readonly sessionId: SessionId;
  readonly lastSeq: number;
  readonly isCatalogueChanged: boolean;
  readonly messages: readonly MessageView[];
  /** Scored candidates by plan id. */
  readonly candidates: ReadonlyMap<string, readonly PlanCandidate[]>;
}

/** Builds the view of a state. A flow whose type is not in the catalog is shown without slots. */
export function viewSession(
  state: SessionState,
  { flows }: Pick<Catalogue, 'flows'>,
  context: ViewContext,
): SessionView {
  const { sessionId, lastSeq, isCatalogueChanged, messages, candidates } = context;
  const { seq, catalogue, turn, turnCount, queue, prediction, ambiguity, scratchpad, summary, hasIssues } = state;
  const viewOf = (flow: FlowInstance): FlowView => viewFlow(flow, flows.get(flow.flowName));
  return {
    ...{ sessionId, seq, lastSeq, catalogue, isCatalogueChanged, turnId: turn?.turnId ?? null, turnCount },
    ...{ messages, queue, prediction, scratchpad, summary, hasIssues },
    stack: state.stack.map(viewOf),
    background: state.internal.map(viewOf),
    plans: state.plans.map((plan) => viewPlan(state, plan.planId, candidates.get(plan.planId) ?? [])),
    ambiguity: ambiguity && {
      level: ambiguity.level,
      flowId: ambiguity.flowId,
      question: questionOf(ambiguity),
      metadata: ambiguity.metadata,
    },
  };
}

function viewFlow(flow: FlowInstance, type: FlowType | undefined): FlowView {
  const { flowId, flowName, intent, status, planId, stackedOn, runId, waitsFor, stage, turnIds, dependsOn } = flow;
  const missing = new Set(type === undefined ? [] : new type.Flow(flow).missingSlots());
  return {
    ...{ flowId, flowName, description: type?.description ?? '', intent, status, planId, stackedOn, runId, waitsFor },
    ...{ stage, turnIds, dependsOn },
    slots: [...(type?.slots.values() ?? [])].map((slot) => viewSlot(slot, flow, missing.has(slot))),
  };
}

function viewSlot(slot: SlotDef, { slots }: FlowInstance, isMissing: boolean): SlotView {
  const { name, typeName, type, params, priority, description } = slot;
  const value = Object.hasOwn(slots, name) ? slots[name] : undefined;
  return {
    ...{ name, typeName, priority, description, schema: slotSchema(type, params), value: value ?? null, isMissing },
    isFilled: isEnough(type, params, value),
  };
}

function viewPlan(state: SessionState, planId: string, candidates: readonly PlanCandidate[]): PlanView {
  return {
    ...{ planId, candidates },
    flowName: state.stack.find(({ flowId }) => flowId === planId)?.flowName ?? '',
    progress: planProgress(state, planId) ?? { done: 0, total: 0, skipped: 0 },
    subFlows: state.plans.find((plan) => plan.planId === planId)?.subFlows ?? [],
  };
}
