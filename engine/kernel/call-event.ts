/**
 * What is told of calls: of models, and of other abilities where the work of a node may be done again.
 */
import type { ModelPurpose } from '../agent/model-purpose.ts';
import type { JsonValue } from '../flowspec/json-value.ts';

/** Tokens that model calls used. */
export interface ModelUsage {
  /** All of the prompt, what came from a cache or went into one included. */
  readonly promptTokens: number;
  /** All of the answer, thoughts included. */
  readonly completionTokens: number;
  /** Tokens of the prompt that the provider had in its cache. */
  readonly cachedTokens?: number;
  /** Tokens of the prompt that the provider put into its cache. */
  readonly cacheCreationTokens?: number;
  /** Tokens of the answer that were thoughts. */
  readonly reasoningTokens?: number;
}

/** A request to a language model, and its whole answer. */
export type ModelEvent =
  | {
      readonly type: 'model:request';
      readonly provider: string;
      readonly model: string;
      /** SHA-256 of the messages' JSON text, in hex. */
      readonly messagesHash: string;
      /** What is asked for, and how many equal calls its attempt or input has made before: `model:<hash>:<n>`. */
      readonly callKey?: string;
      /** What an agent of the contract pure asks for. */
      readonly purpose?: ModelPurpose;
    }
  | {
      readonly type: 'model:response';
      readonly usage?: ModelUsage;
      readonly costUsd?: number;
      readonly durationMs: number;
      readonly finishReason: string;
      /** True when the answer was replayed, so that nothing was sent or paid. */
      readonly fromCassette?: boolean;
      /** That of its request. Whoever does the same work again, because it had asked a person or was cut, gets this answer. */
      readonly callKey?: string;
      /** The whole answer. */
      readonly text?: JsonValue;
      /** What the model thought aloud before it answered. */
      readonly reasoning?: JsonValue;
      /** How the provider calls the model that answered, where it differs from what was asked for. */
      readonly upstreamModel?: string;
      /** Which tools the model wants to be called: a list of `{ id, name, input }`, named as models know them. */
      readonly toolCalls?: JsonValue;
      /** What the provider wants back with this answer when the conversation goes on. */
      readonly providerState?: JsonValue;
    };

/**
 * A node that asks people has called something else, which gave this. Its work is done again from its beginning with each answer, and
 * then the result is taken from here.
 */
export interface CallEvent {
  readonly type: 'call:complete';
  /** `<kind>:<hash>:<n>`: what was asked for, and how many equal calls its attempt has made before. */
  readonly callKey: string;
  readonly result: JsonValue;
}
