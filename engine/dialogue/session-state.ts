/**
 * What is true of a conversation now: plain JSON whose size does not depend on how long the conversation is. What was said long ago
 * and flows that have ended are in the log only.
 */
import { isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../flowspec/json-value.ts';
import type { DialogueAct } from './dialogue-act.ts';

/** Where a flow stands in its life; the last two have no way out. */
export type FlowStatus = 'Pending' | 'Active' | 'Completed' | 'Invalid';

/** What a flow is begun with. */
export interface FlowBirth {
  /** Unique in its session. */
  readonly flowId: string;
  readonly flowName: string;
  readonly intent: string;
  readonly metadata: JsonMap;
  /** The plan flow whose part it is. */
  readonly planId: string | null;
  /** The flow that it was stacked on, because that one needs it. */
  readonly stackedOn: string | null;
  /** Types that fell back until this one was reached, oldest first. */
  readonly fallbackFrom: readonly string[];
  readonly by: 'user' | 'agent';
  /** It was predicted without confidence. */
  readonly isUncertain: boolean;
  /** Of a plan: what the person wants. */
  readonly objective?: Objective;
}

/** What a person wants of a plan, in their own words. */
export interface Objective {
  /** The message that began it. */
  readonly text: string;
  /** What the person has said in later turns, oldest first. */
  readonly since: readonly string[];
}

/** What is not known, from nothing at all to a sign-off. */
export type AmbiguityLevel = 'general' | 'partial' | 'specific' | 'confirmation';

export interface AmbiguityRecord {
  readonly level: AmbiguityLevel;
  readonly flowId: string | null;
  /** For example `missing_slot`, `missing_entity`, `candidate`, `reason`. */
  readonly metadata: JsonMap;
  /** The question; empty = one is made of the rest. */
  readonly observation: string;
}

/** What a form or a button says without words. */
export interface UiAction {
  readonly flow?: string;
  /** Of a flow that is on the stack. */
  readonly flowId?: string;
  readonly slots?: JsonMap;
  /** The flow, of the stack, is not wanted any more. */
  readonly drop?: true;
  /** Nobody has said anything: the flow's run goes on, or what waits is to go on. */
  readonly goesOn?: true;
  /** Parts of a plan that somebody has agreed to, the first first: the plan, named by `flow`, begins with them. */
  readonly plan?: readonly { readonly flowName: string; readonly slots?: JsonMap }[];
}

export interface UserMessage {
  readonly messageId: string;
  readonly text: string;
  readonly action?: UiAction;
}

/** A prediction, with what it was chosen from. */
export interface Prediction {
  readonly mode: 'react' | 'think' | 'contemplate';
  /** What it was made for. */
  readonly text: string;
  readonly intent: string | null;
  readonly flow: string | null;
  /** 0 to 1. */
  readonly confidence: number;
  /** At most three, best first. */
  readonly candidates: readonly { readonly flow: string; readonly score: number }[];
  readonly slots: JsonMap;
  /** What the message does; absent in logs of earlier versions. */
  readonly act?: DialogueAct;
}

export interface CatalogueVersion {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** SHA-256 of its text, in hex: the session keeps to this version. */
  readonly hash: string;
  readonly name: string;
}

/** A flow of the conversation. */
export interface FlowInstance extends FlowBirth {
  readonly status: FlowStatus;
  /** Values that its slots take, by name; some may not be enough yet. */
  readonly slots: JsonMap;
  /** Turns in which it was begun, went on or ended, the latest last; at most 50. */
  readonly turnIds: readonly string[];
  /** How far its policy is, in words of its own. */
  readonly stage: string;
  readonly result: JsonValue;
  /** Of Internal flows: those that must have ended before it starts. */
  readonly dependsOn: readonly string[];
  readonly runId: string | null;
  readonly waitsFor: 'approval' | 'user_input' | null;
  /** Steps of recovery that were tried for it. */
  readonly recoveries: number;
}

/** What is known of a part of a plan, also when its flow is gone. */
export interface SubFlow {
  readonly flowId: string;
  readonly flowName: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'skipped' | 'pruned';
  /** The last run of its policy. */
  readonly runId?: string;
}

/** The books of a plan whose flow is on the stack. */
export interface PlanRecord {
  readonly planId: string;
  readonly subFlows: readonly SubFlow[];
  /** A part has ended and others are left: what is left is looked at before it goes on. */
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
  /** Flows that were completed in it. */
  readonly completed: number;
  /** Flows that have left the stack in it: the reply speaks of them. */
  readonly popped: readonly FlowInstance[];
}

export interface SessionState {
  /** Of the last event; -1 = there was none. */
  readonly seq: number;
  readonly catalogue: CatalogueVersion | null;
  /** From the top. */
  readonly stack: readonly FlowInstance[];
  /** Internal flows that have not ended. */
  readonly internal: readonly FlowInstance[];
  readonly plans: readonly PlanRecord[];
  /** The one that was not used for longest comes first. */
  readonly scratchpad: readonly ScratchpadEntry[];
  readonly ambiguity: AmbiguityRecord | null;
  /** How often each level was declared. */
  readonly ambiguityCounts: Readonly<Record<AmbiguityLevel, number>>;
  /** Turns that ended with the same question open, without anything else that was understood. */
  readonly ambiguousTurns: number;
  readonly prediction: Prediction | null;
  readonly turnCount: number;
  readonly turn: OpenTurn | null;
  readonly keepGoing: boolean;
  /** Something has failed, which is not the same as not being clear. */
  readonly hasIssues: boolean;
  /** The latest, oldest first. */
  readonly messages: readonly SpokenText[];
  readonly summary: string;
  /** Messages that no turn has taken yet. */
  readonly queue: readonly UserMessage[];
  /** How many flows and notes were begun: the next gets the next number, also after a rollback. */
  readonly flowCount: number;
  readonly noteCount: number;
}

/** A session before its first event. */
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

/** The version of what `sessionText` writes. */
const snapshotVersion = 1;

/** A snapshot as text. */
export function sessionText(state: SessionState): string {
  return JSON.stringify({ version: snapshotVersion, state });
}

/** The state of a snapshot; undefined when this program cannot read it, so that the log has to be folded from its start. */
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

/** What the agent believes, by the field's own names. */
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

/** Whether two records ask the same question, be it for another reason. */
export function isSameQuestion(one: AmbiguityRecord | null, other: AmbiguityRecord): boolean {
  const keys = ['missing_slot', 'missing_entity', 'candidate'] as const;
  return (
    one !== null &&
    one.level === other.level &&
    one.flowId === other.flowId &&
    keys.every((key) => jsonEquals(one.metadata[key] ?? null, other.metadata[key] ?? null))
  );
}

/** Acts that move a conversation on, whatever question is still open. */
const progress: ReadonlySet<DialogueAct | undefined> = new Set(['request', 'aside', 'correct', 'cancel']);

/** Whether the open turn was about something else than the open question. */
export function isAboutElse({ turn, prediction }: SessionState): boolean {
  const isOfTurn = prediction !== null && turn !== null && turn.message.text === prediction.text;
  return isOfTurn && prediction.text !== '' && progress.has(prediction.act);
}

/** The flow that is being worked on. */
export function activeFlow({ stack }: Pick<SessionState, 'stack'>): FlowInstance | undefined {
  return stack.find(({ status }) => status === 'Active');
}

/** Whether the flow has ended, for good. */
export function isOver({ status }: Pick<FlowInstance, 'status'>): boolean {
  return status === 'Completed' || status === 'Invalid';
}
