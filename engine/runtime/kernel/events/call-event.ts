/**
 * Call events: for models, and for other capabilities if a node's work may be repeated.
 */
import type { ModelPurpose } from '../../../language/agent/model-purpose.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';

/** Token usage of model calls. */
export interface ModelUsage {
  /** All prompt tokens, including those read from or written to a cache. */
  readonly promptTokens: number;
  /** All response tokens, including reasoning. */
  readonly completionTokens: number;
  /** Prompt tokens read from the provider's cache. */
  readonly cachedTokens?: number;
  /** Prompt tokens written to the provider's cache. */
  readonly cacheCreationTokens?: number;
  /** Response tokens used for reasoning. */
  readonly reasoningTokens?: number;
}

/** A language model request, and its complete response. */
export type ModelEvent =
  | {
      readonly type: 'model:request';
      readonly provider: string;
      readonly model: string;
      /** SHA-256 hash of the messages as JSON, in hex. */
      readonly messagesHash: string;
      /**
       * The messages that the model has not received in an earlier call for the same work: a list of
       * `{ role, content, attachments?, toolCalls?, toolName? }`. Without the model's own responses and the results of its tool
       * calls in that work, which have events. Attachments are listed without their data.
       */
      readonly messages?: JsonValue;
      /** Hash of the request, and the number of identical earlier calls by its attempt or input: `model:<hash>:<n>`. */
      readonly callKey?: string;
      /** Purpose stated by a pure agent. */
      readonly purpose?: ModelPurpose;
    }
  | {
      readonly type: 'model:response';
      readonly usage?: ModelUsage;
      readonly costUsd?: number;
      readonly durationMs: number;
      readonly finishReason: string;
      /** True if the response was replayed, so that nothing was sent or paid for. */
      readonly fromCassette?: boolean;
      /**
       * Key of its request. If the work runs again after an interruption or a person's answer, this response is
       * reused.
       */
      readonly callKey?: string;
      /** The complete response. */
      readonly text?: JsonValue;
      /** The model's reasoning before its response. */
      readonly reasoning?: JsonValue;
      /** Name, according to the provider, of the model that responded, if it differs from the requested one. */
      readonly upstreamModel?: string;
      /** Tool calls requested by the model: a list of `{ id, name, input }`, with the names that models use. */
      readonly toolCalls?: JsonValue;
      /** Data that the provider expects back with this response when the conversation continues. */
      readonly providerState?: JsonValue;
    };

/**
 * The result of another call by a node that makes requests. The node's work is repeated from the start after each
 * answer, and the result is then taken from here.
 */
export interface CallEvent {
  readonly type: 'call:complete';
  /** `<kind>:<hash>:<n>`: hash of the request, and the number of identical earlier calls by its attempt. */
  readonly callKey: string;
  readonly result: JsonValue;
}
