/**
 * The interface between the router and a kind of provider. The providers in `providers/` and the scripted model
 * implement it.
 */
import type { ModelReply, ModelRequest } from '../../runtime/kernel/models/model-capability.ts';
import type { ReasoningEffort } from './model-name.ts';

/** A request with the provider's own name for the model. */
export interface ProviderRequest extends ModelRequest {
  readonly model: string;
  /** Reasoning effort; absent for the provider's default. */
  readonly effort?: ReasoningEffort;
}

export interface AskOptions {
  /** Closes the request when it aborts. */
  readonly signal: AbortSignal;
  /** Called with each piece of the response as it arrives. */
  readonly onText: (piece: string) => void;
  /** Called with each piece of thinking as it arrives. */
  readonly onReasoning?: (piece: string) => void;
}

export interface ModelProvider {
  /**
   * Sends one request and streams the response.
   * @throws EngineError `model.*`, or the signal's reason if it aborts
   */
  ask(request: ProviderRequest, options: AskOptions): Promise<ModelReply>;
}

/** Returns a key's value by its environment variable's name. An empty value counts as absent. */
export type KeySource = (variable: string) => string | undefined;
