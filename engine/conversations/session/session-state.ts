/**
 * Defines the current state of a conversation: plain JSON whose size does not depend on the conversation's length. Only
 * the log contains old messages and ended flows.
 */
import { isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import type { DialogueAct } from '../meaning/dialogue-act.ts';

/** Status of a flow. The last two are final. */
export type FlowStatus = 'Pending' | 'Active' | 'Completed' | 'Invalid';

/** What the run of a flow waits for; `pause`: a person has paused it. */
export type FlowWait = 'approval' | 'user_input' | 'pause';

/** The initial properties of a flow. */
export interface FlowBirth {
  /** Id that is unique in the session. */
  readonly flowId: string;
  readonly flowName: string;
  readonly intent: string;
  readonly metadata: JsonMap;
  /** The plan flow that it is part of. */
  readonly planId: string | null;
  /** The flow that this one was stacked on because it is needed there. */
  readonly stackedOn: string | null;
  /** Types that fell back before this one, oldest first. */
  readonly fallbackFrom: readonly string[];
  readonly by: 'user' | 'agent';
  /** Whether it was predicted with low confidence. */
  readonly isUncertain: boolean;
  /** For a plan: its objective. */
  readonly objective?: Objective;
}

/** The objective of a plan, in the person's words. */
export interface Objective {
  /** The message that started it. */
  readonly text: string;
  /** Messages of the person in later turns, oldest first. */
  readonly since: readonly string[];
}

/** How much is unclear, from the whole meaning to only a sign-off. */
export type AmbiguityLevel = 'general' | 'partial' | 'specific' | 'confirmation';

export interface AmbiguityRecord {
  readonly level: AmbiguityLevel;
  readonly flowId: string | null;
  /** Details, such as `missing_slot`, `missing_entity`, `candidate` or `reason`. */
  readonly metadata: JsonMap;
  /** The question; if empty, it is derived from the other properties. */
  readonly observation: string;
}

/** Input from a form or a button. */
export interface UiAction {
  readonly flow?: string;
  /** Id of a flow on the stack. */
  readonly flowId?: string;
  readonly slots?: JsonMap;
  /** Whether to drop the flow from the stack. */
  readonly drop?: true;
  /** Set if the action does not come from a person: the flow's run has continued, or a waiting flow should continue. */
  readonly goesOn?: true;
  /** Approved parts of a plan, in order. The plan named by `flow` starts with them. */
  readonly plan?: readonly { readonly flowName: string; readonly slots?: JsonMap }[];
}

export interface UserMessage {
  readonly messageId: string;
  readonly text: string;
  readonly action?: UiAction;
}

/** A prediction and its candidates. */
export interface Prediction {
  readonly mode: 'react' | 'think' | 'contemplate';
  /** The text it was made for. */
  readonly text: string;
  readonly intent: string | null;
  readonly flow: string | null;
  /** Confidence from 0 to 1. */
  readonly confidence: number;
  /** At most three candidates, best first. */
  readonly candidates: readonly { readonly flow: string; readonly score: number }[];
  readonly slots: JsonMap;
  /** The act of the message; absent in logs of earlier versions. */
  readonly act?: DialogueAct;
}

export interface CatalogueVersion {
  /** Path relative to the workspace, with `/`. */
  readonly path: string;
  /** SHA-256 of the catalog's text in hexadecimal. The session keeps this version. */
  readonly hash: string;
  readonly name: string;
}

/** A flow of the conversation. */
export interface FlowInstance extends FlowBirth {
  readonly status: FlowStatus;
  /** Valid values of its slots, by name; some may not be sufficient yet. */
  readonly slots: JsonMap;
  /** Turns that started, continued or ended the flow, latest last; at most 50. */
  readonly turnIds: readonly string[];
  /** Progress of the policy, in its own words. */
  readonly stage: string;
  readonly result: JsonValue;
  /** For Internal flows: the flows that must have ended before this one starts. */
  readonly dependsOn: readonly string[];
  readonly runId: string | null;
  readonly waitsFor: FlowWait | null;
  /** Number of recovery steps tried for the flow. */
  readonly recoveries: number;
}

/** Facts about a part of a plan, kept after its flow has been removed. */
export interface SubFlow {
  readonly flowId: string;
  readonly flowName: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'skipped' | 'pruned';
  /** The policy's last run. */
  readonly runId?: string;
}

/** The record of a plan with a flow on the stack. */
export interface PlanRecord {
  readonly planId: string;
  readonly subFlows: readonly SubFlow[];
  /** Whether a part has ended and the remaining ones must be reviewed before continuing. */
  readonly isReplanDue: boolean;
}

export interface ScratchpadEntry {
  readonly id: string;
  readonly text: string;
  readonly flowId: string;
  readonly flowName: string;
}

export interface SpokenText {
  readonly from: 'user' | 'assistant';
  readonly text: string;
}

export interface OpenTurn {
  readonly turnId: string;
  readonly message: UserMessage;
  /** Number of flows completed in this turn. */
  readonly completed: number;
  /** Flows that were popped in this turn, for the reply. */
  readonly popped: readonly FlowInstance[];
}

export interface SessionState {
  /** Number of the last event; -1 if there is none. */
  readonly seq: number;
  readonly catalogue: CatalogueVersion | null;
  /** Flows from the top. */
  readonly stack: readonly FlowInstance[];
  /** Internal flows that have not ended. */
  readonly internal: readonly FlowInstance[];
  readonly plans: readonly PlanRecord[];
  /** The notes, least recently used first. */
  readonly scratchpad: readonly ScratchpadEntry[];
  readonly ambiguity: AmbiguityRecord | null;
  /** How often each ambiguity level was declared. */
  readonly ambiguityCounts: Readonly<Record<AmbiguityLevel, number>>;
  /** Number of turns that ended with the same open question and without other progress. */
  readonly ambiguousTurns: number;
  readonly prediction: Prediction | null;
  readonly turnCount: number;
  readonly turn: OpenTurn | null;
  readonly keepGoing: boolean;
  /** Whether something has failed, as opposed to being unclear. */
  readonly hasIssues: boolean;
  /** The latest messages, oldest first. */
  readonly messages: readonly SpokenText[];
  readonly summary: string;
  /** Messages that no turn has taken yet. */
  readonly queue: readonly UserMessage[];
  /** Number of flows and notes so far, from which the next id is derived, even after a rollback. */
  readonly flowCount: number;
  readonly noteCount: number;
}

/** The state of a session before its first event. */
export const emptySession: SessionState = {
  seq: -1,
  catalogue: null,
  stack: [],
  internal: [],
  plans: [],
  scratchpad: [],
  ambiguity: null,
  ambiguityCounts: { general: 0, partial: 0, specific: 0, confirmation: 0 },
  ambiguousTurns: 0,
  prediction: null,
  turnCount: 0,
  turn: null,
  keepGoing: false,
  hasIssues: false,
  messages: [],
  summary: '',
  queue: [],
  flowCount: 0,
  noteCount: 0,
};

/** Version of the format written by `sessionText`. */
const snapshotVersion = 1;

/** Serializes a snapshot. */
export function sessionText(state: SessionState): string {
  return JSON.stringify({ version: snapshotVersion, state });
}

/** Parses a snapshot. Undefined if it is unreadable, in which case the log has to be folded from its start. */
export function readSession(text: string): SessionState | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  if (!isJsonMap(value) || value['version'] !== snapshotVersion || !isJsonMap(value['state'])) return undefined;
  const { state } = value;
  return Object.keys(emptySession).every((key) => Object.hasOwn(state, key))
    ? (state as unknown as SessionState)
    : undefined;
}

/** Returns the agent's beliefs, under the standard names used in dialogue research. */
export function dialogueState(state: SessionState): JsonMap {
  const { prediction, stack } = state;
  return {
    pred_intent: prediction?.intent ?? null,
    pred_flow: prediction?.flow ?? null,
    confidence: prediction?.confidence ?? 0,
    pred_flows: prediction?.candidates.map((candidate) => ({ ...candidate })) ?? [],
    turn_count: state.turnCount,
    keep_going: state.keepGoing,
    has_issues: state.hasIssues,
    has_plan: state.plans.length > 0,
    natural_birth: stack[0]?.by === 'user',
    flow_stack: stack.map(({ flowId, flowName, status, planId }) => ({ flowId, flowName, status, planId })),
  };
}

/** Returns whether two records ask the same question, even for different reasons. */
export function isSameQuestion(one: AmbiguityRecord | null, other: AmbiguityRecord): boolean {
  const keys = ['missing_slot', 'missing_entity', 'candidate'] as const;
  return (
    one !== null &&
    one.level === other.level &&
    one.flowId === other.flowId &&
    keys.every((key) => jsonEquals(one.metadata[key] ?? null, other.metadata[key] ?? null))
  );
}

/** Acts that advance a conversation even if a question is open. */
const progress: ReadonlySet<DialogueAct | undefined> = new Set(['request', 'aside', 'correct', 'cancel']);

/** Returns whether the open turn is about something other than the open question. */
export function isAboutElse({ turn, prediction }: SessionState): boolean {
  const isOfTurn = prediction !== null && turn !== null && turn.message.text === prediction.text;
  return isOfTurn && prediction.text !== '' && progress.has(prediction.act);
}

/** Returns the Active flow. */
export function activeFlow({ stack }: Pick<SessionState, 'stack'>): FlowInstance | undefined {
  return stack.find(({ status }) => status === 'Active');
}

/** Returns whether the flow has ended. */
export function isOver({ status }: Pick<FlowInstance, 'status'>): boolean {
  return status === 'Completed' || status === 'Invalid';
}
