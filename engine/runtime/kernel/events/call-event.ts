/**
 * Events of calls: to models, and to other capabilities if the work of a node may be repeated.
 */
import type { ModelPurpose } from '../../../language/agent/model-purpose.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';

/** Token usage of model calls. */
export interface ModelUsage {
  /** All tokens of the prompt, including those read from or written to a cache. */
  readonly promptTokens: number;
  /** All tokens of the response, including reasoning. */
  readonly completionTokens: number;
  /** Tokens of the prompt read from the provider's cache. */
  readonly cachedTokens?: number;
  /** Tokens of the prompt written to the provider's cache. */
  readonly cacheCreationTokens?: number;
  /** Tokens of the response used for reasoning. */
  readonly reasoningTokens?: number;
}

/** A request to a language model, and its complete response. */
export type ModelEvent =
  | {
      readonly type: 'model:request';
      readonly provider: string;
      readonly model: string;
      /** SHA-256 of the messages' JSON text, in hex. */
      readonly messagesHash: string;
      /**
       * Hash of the request, and the number of equal calls that its attempt or input has made before:
       * `model:<hash>:<n>`.
       */
      readonly callKey?: string;
      /** Purpose stated by an agent with a pure contract. */
      readonly purpose?: ModelPurpose;
    }
  | {
      readonly type: 'model:response';
      readonly usage?: ModelUsage;
      readonly costUsd?: number;
      readonly durationMs: number;
      readonly finishReason: string;
      /** True if the response was replayed, so that nothing was sent or paid. */
      readonly fromCassette?: boolean;
      /**
       * Key of its request. If the work is repeated after a request to a person or an interruption, it gets this
       * response.
       */
      readonly callKey?: string;
      /** The complete response. */
      readonly text?: JsonValue;
      /** The reasoning of the model before its response. */
      readonly reasoning?: JsonValue;
      /** Name of the model that responded according to the provider, if it differs from the requested one. */
      readonly upstreamModel?: string;
      /** Tool calls requested by the model: a list of `{ id, name, input }`, with names as used by models. */
      readonly toolCalls?: JsonValue;
      /** Data that the provider expects back with this response when the conversation continues. */
      readonly providerState?: JsonValue;
    };

/**
 * The result of another call by a node with requests. The node's work is repeated from the start after each answer, and
 * the result is then taken from here.
 */
export interface CallEvent {
  readonly type: 'call:complete';
  /** `<kind>:<hash>:<n>`: hash of the request, and the number of equal calls that its attempt has made before. */
  readonly callKey: string;
  readonly result: JsonValue;
}
