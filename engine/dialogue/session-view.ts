/**
 * A conversation as people are shown it: what was said, what is under way and what that still needs, why a flow was chosen. Plain
 * JSON, so that it can go over any border.
 */
import type { SessionId } from '../base/ids.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { questionOf } from './ambiguity.ts';
import type { Catalogue, FlowType } from './catalogue.ts';
import { type PlanProgress, planProgress } from './plan.ts';
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
import { isEnough, type SlotDef, type SlotPriority, slotSchema } from './slot-types.ts';

/** Something that was said. */
export interface MessageView {
  /** Number of its event. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly from: 'user' | 'assistant';
  readonly text: string;
  /** What was done in a form, or with a button. */
  readonly action?: UiAction;
  /** Absent while it waits for its turn. */
  readonly turnId?: string;
}

/** A slot of a flow, as a field of a form. */
export interface SlotView {
  readonly name: string;
  /** As the catalogue calls its type. */
  readonly typeName: string;
  readonly priority: SlotPriority;
  readonly description: string;
  /** JSON Schema of what it takes. */
  readonly schema: JsonMap;
  /** Null = nothing yet. */
  readonly value: JsonValue;
  readonly isFilled: boolean;
  /** The flow cannot run before it (of electives: one of them) is filled. */
  readonly isMissing: boolean;
}

/** A flow of the conversation. */
export interface FlowView {
  readonly flowId: string;
  readonly flowName: string;
  readonly description: string;
  readonly intent: string;
  readonly status: FlowStatus;
  /** The plan whose part it is. */
  readonly planId: string | null;
  readonly stackedOn: string | null;
  /** The run of its policy; null = none has begun. */
  readonly runId: string | null;
  readonly waitsFor: FlowInstance['waitsFor'];
  readonly slots: readonly SlotView[];
  /** How far its policy is, in words of its own. */
  readonly stage: string;
  readonly turnIds: readonly string[];
  /** Of Internal flows: those that must have ended before it starts. */
  readonly dependsOn: readonly string[];
}

/** A plan that is under way. */
export interface PlanView {
  readonly planId: string;
  readonly flowName: string;
  readonly progress: PlanProgress;
  readonly subFlows: readonly SubFlow[];
  /** The ways that were weighed before it was taken apart, and which was taken; empty where no search was needed. */
  readonly candidates: readonly PlanCandidate[];
}

/** What is not clear, and the question that is put for it. */
export interface AmbiguityView {
  readonly level: AmbiguityLevel;
  readonly flowId: string | null;
  readonly question: string;
  readonly metadata: JsonMap;
}

export interface SessionView {
  readonly sessionId: SessionId;
  /** Of the last event that it shows; -1 = none. */
  readonly seq: number;
  /** Of the last event that there is: greater than `seq` when an earlier moment is shown. */
  readonly lastSeq: number;
  readonly catalogue: CatalogueVersion | null;
  /** The file is not what it was when the conversation began; the conversation keeps to the version it began with. */
  readonly isCatalogueChanged: boolean;
  /** The turn that is being taken; null = none is. */
  readonly turnId: string | null;
  readonly turnCount: number;
  /** The latest, oldest first; `readConversationMessages` gives earlier ones. */
  readonly messages: readonly MessageView[];
  /** Messages that wait for their turn, oldest first. */
  readonly queue: readonly UserMessage[];
  /** From the top. */
  readonly stack: readonly FlowView[];
  /** Internal flows that have not ended. */
  readonly background: readonly FlowView[];
  readonly plans: readonly PlanView[];
  /** What was chosen last, what else there was to choose, with scores, and the text that it was chosen for. */
  readonly prediction: Prediction | null;
  readonly ambiguity: AmbiguityView | null;
  readonly scratchpad: readonly ScratchpadEntry[];
  readonly summary: string;
  readonly hasIssues: boolean;
}

/** What a view shows beside the state. */
export interface ViewContext {
  readonly sessionId: SessionId;
  readonly lastSeq: number;
  readonly isCatalogueChanged: boolean;
  readonly messages: readonly MessageView[];
  /** By id of a plan: what was weighed for it. */
  readonly candidates: ReadonlyMap<string, readonly PlanCandidate[]>;
}

/** Makes the view of a state. A flow whose type the catalogue does not have is shown without slots. */
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
  const missing = new Set(type === undefined ? [] : new type.Flow(flow).missing_slots());
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
