/**
 * What the router needs of a kind of provider; each file in `providers/` and the scripted model implement it.
 */
import type { ModelReply, ModelRequest } from '../kernel/capabilities.ts';

/** A request whose model is the provider's own name for it. */
export interface ProviderRequest extends ModelRequest {
  readonly model: string;
}

export interface AskOptions {
  /** Closes the request when it aborts. */
  readonly signal: AbortSignal;
  /** Gets each piece of the answer as it arrives. */
  readonly onText: (piece: string) => void;
}

export interface ModelProvider {
  /**
   * Sends one request and streams the answer.
   * @throws EngineError `model.*`, or the signal's reason when it aborts
   */
  ask(request: ProviderRequest, options: AskOptions): Promise<ModelReply>;
}
