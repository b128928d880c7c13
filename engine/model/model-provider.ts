/**
 * What the router needs of a kind of provider; the providers of `providers/` and the scripted model implement it.
 */
import type { ModelReply, ModelRequest } from '../kernel/model-capability.ts';
import type { ReasoningEffort } from './model-name.ts';

/** A request whose model is the provider's own name for it. */
export interface ProviderRequest extends ModelRequest {
  readonly model: string;
  /** Absent = the provider's own default. */
  readonly effort?: ReasoningEffort;
}

export interface AskOptions {
  /** Closes the request when it aborts. */
  readonly signal: AbortSignal;
  /** Gets each piece of the answer as it arrives. */
  readonly onText: (piece: string) => void;
  /** Gets each piece of what the model thinks aloud before it answers, as it arrives. */
  readonly onReasoning?: (piece: string) => void;
}

export interface ModelProvider {
  /**
   * Sends one request and streams the answer.
   * @throws EngineError `model.*`, or the signal's reason when it aborts
   */
  ask(request: ProviderRequest, options: AskOptions): Promise<ModelReply>;
}

/** Gives the value of a key by the name of its environment variable; empty counts as none. */
export type KeySource = (variable: string) => string | undefined;
