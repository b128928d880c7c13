/**
 * Base class for agents written as classes, with the types of their steps and results.
 */

import type { ModelPurpose } from '../../../language/agent/model-purpose.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type {
  AgentErrorCode,
  AgentFailure,
  AgentKind,
  StepContext,
} from '../../kernel/capabilities/pure-agents-capability.ts';
import type { GivenMeta, GivenResult } from './agent-result.ts';

/** A request to a model; requires either `prompt` or `messages`. */
export interface ReasonerRequest {
  readonly purpose: ModelPurpose;
  /** Shorthand for a single user message. */
  readonly prompt?: string;
  readonly messages?: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  /** `provider::model` or an alias; the default model if absent. */
  readonly model?: string;
  readonly temperature?: number;
  /** Maximum number of tokens in the response. */
  readonly maxTokens?: number;
}

/** A response, or the reason why there is none. Expected failures are never thrown. */
export type ReasonerAnswer =
  | { readonly ok: true; readonly text: string; readonly error: null }
  | { readonly ok: false; readonly text: null; readonly error: AgentFailure };

/** An agent's only access to models: through the engine, its rules and its history. */
export interface Reasoner {
  /** Calls the model once. The error can be returned unchanged: `return AgentResult.failed(answer.error)`. */
  ask(request: ReasonerRequest): Promise<ReasonerAnswer>;
}

/** Argument of `run`: the frozen step, and the two actions available to an agent. */
export interface AgentStep extends StepContext {
  readonly reasoner: Reasoner;
  /** Emits a `trace` event in the run's history. @param data JSON; null if absent */
  trace(name: string, data?: JsonValue): void;
}

/**
 * A pure agent. It reads its step and returns a result. It does not call tools or agents, does not read or write files,
 * and keeps no state between runs. Each run uses a new instance.
 */
export abstract class BaseAgent {
  /** `<product>.<agent>` */
  abstract readonly name: string;
  readonly kind: AgentKind = 'other';

  /**
   * Returns the findings. Throwing counts as a violation of the contract: report failures with `AgentResult.failed`.
   */
  abstract run(step: AgentStep): Promise<GivenResult>;
}

/** A failure as agents specify it. */
export interface FailedWith {
  readonly code: AgentErrorCode;
  readonly message: string;
  /** False if absent. */
  readonly recoverable?: boolean;
  readonly details?: JsonMap;
}

/** Creates results. */
export const AgentResult = Object.freeze({
  /** Creates a successful result. */
  ok(data: JsonMap | null = null, meta: GivenMeta = {}): GivenResult {
    return { ok: true, data, error: null, meta };
  },
  /** Creates a failed result with an expected reason. */
  failed({ code, message, recoverable = false, details = {} }: FailedWith, meta: GivenMeta = {}): GivenResult {
    return { ok: false, data: null, error: { code, message, recoverable, details }, meta };
  },
});
