/**
 * Agents written as classes: what one extends, what it is handed, and how it says what came of it.
 */
import type { JsonMap, JsonValue } from '../../flowspec/json-value.ts';
import type { AgentErrorCode, AgentFailure, AgentKind, StepContext } from '../../kernel/pure-agents-capability.ts';
import type { ModelPurpose } from '../model-purpose.ts';
import type { GivenMeta, GivenResult } from './agent-result.ts';

/** What a model is asked; one of `prompt` and `messages`. */
export interface ReasonerRequest {
  readonly purpose: ModelPurpose;
  /** The message of a user, where there is no more to say. */
  readonly prompt?: string;
  readonly messages?: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  /** `provider::model` or an alias; absent = the default model. */
  readonly model?: string;
  readonly temperature?: number;
  /** Tokens of the answer at most. */
  readonly maxTokens?: number;
}

/** An answer, or why there is none: a failure that one must expect is never thrown. */
export type ReasonerAnswer =
  | { readonly ok: true; readonly text: string; readonly error: null }
  | { readonly ok: false; readonly text: null; readonly error: AgentFailure };

/** The only way from an agent to models: through the engine, its rules and its history. */
export interface Reasoner {
  /** Asks once. The failure can be given on as it is: `return AgentResult.failed(answer.error)`. */
  ask(request: ReasonerRequest): Promise<ReasonerAnswer>;
}

/** What `run` is handed: the step, frozen, and the two things that an agent can do. */
export interface AgentStep extends StepContext {
  readonly reasoner: Reasoner;
  /** Tells something in the run's history, as an event `trace`. @param data JSON; null when absent */
  trace(name: string, data?: JsonValue): void;
}

/**
 * An agent of the contract pure. It reads its step and gives a result: it calls no tools and no agents, reads and writes no files, and
 * keeps nothing from one run to the next; each run has an instance of its own.
 */
export abstract class BaseAgent {
  /** `<product>.<agent>` */
  abstract readonly name: string;
  readonly kind: AgentKind = 'other';

  /** Gives what it found out. What it throws counts as a violation of the contract: say what failed with `AgentResult.failed`. */
  abstract run(step: AgentStep): Promise<GivenResult>;
}

/** A failure as agents write it down. */
export interface FailedWith {
  readonly code: AgentErrorCode;
  readonly message: string;
  /** False when absent. */
  readonly recoverable?: boolean;
  readonly details?: JsonMap;
}

/** Makes results. */
export const AgentResult = Object.freeze({
  /** The agent has done its work. */
  ok(data: JsonMap | null = null, meta: GivenMeta = {}): GivenResult {
    return { ok: true, data, error: null, meta };
  },
  /** It has not, for a reason that one must expect. */
  failed({ code, message, recoverable = false, details = {} }: FailedWith, meta: GivenMeta = {}): GivenResult {
    return { ok: false, data: null, error: { code, message, recoverable, details }, meta };
  },
});
