/**
 * Requests to language models, and their responses.
 */

import type { ModelPurpose } from '../../../language/agent/model-purpose.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { JsonSchema } from '../../../language/schema/json-schema.ts';
import type { ModelUsage } from '../events/run-event.ts';
import type { ModelTool, ModelToolCall, ModelToolResult } from './model-tools.ts';

/** A file sent to the model with a message. */
export interface ModelAttachment {
  /** For example `image/png`. */
  readonly mediaType: string;
  readonly fileName: string;
  readonly base64: string;
}

export type ModelMessage = SpokenMessage | ModelToolResult;

/** A message of the system, the user or the assistant. */
export interface SpokenMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Asks the provider to keep everything up to here in its prompt cache. */
  readonly cache?: true;
  /** For user messages. */
  readonly attachments?: readonly ModelAttachment[];
  /** For assistant messages: the tools it called. The results follow, as one message each. */
  readonly toolCalls?: readonly ModelToolCall[];
  /** For assistant messages: the provider state of the reply. */
  readonly providerState?: JsonValue;
}

export interface ModelRequest {
  /** `provider::model`, for example `scripted::replies.yaml`; undefined = the default model. */
  readonly model: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly temperature?: number;
  readonly topP?: number;
  /** Maximum length of the response in tokens; absent = the provider's limit. */
  readonly maxTokens?: number;
  /** Requests with equal keys may share a prompt cache, for providers that support it. */
  readonly cacheKey?: string;
  /**
   * Absolute path of a folder with files for `scripted::PATH` that take precedence over those of the workspace: the
   * pack of an agent.
   */
  readonly scriptedBase?: string;
  /**
   * Schema of the response, parsed as JSON. It is passed to providers as far as they support it; the response may still
   * be anything.
   */
  readonly answerSchema?: JsonSchema;
  /** Tools that the model may call before or instead of responding. */
  readonly tools?: readonly ModelTool[];
  /** Purpose of a request by an agent with a pure contract, for rules and the history. Not sent to providers. */
  readonly purpose?: ModelPurpose;
}

export interface ModelReply {
  readonly text: string;
  readonly usage?: ModelUsage;
  readonly costUsd?: number;
  /** `stop`, `length`, or another reason given by the provider. */
  readonly finishReason: string;
  /** True if the response was replayed from a recording. */
  readonly fromCassette?: boolean;
  /** The reasoning of the model before its response. */
  readonly reasoning?: string;
  /** Name of the model that responded according to the provider, if it differs from the requested one. */
  readonly upstreamModel?: string;
  /** Tools to call before it continues; never empty. */
  readonly toolCalls?: readonly ModelToolCall[];
  /**
   * Data that the provider expects back with this response when the conversation continues, such as signatures of
   * reasoning.
   */
  readonly providerState?: JsonValue;
  /** Sentences for the log about anything unusual in this response. */
  readonly notices?: readonly string[];
}

/** The destination of a request, known before it is sent. */
export interface ModelTarget {
  readonly provider: string;
  /** The provider's own name of the model. */
  readonly model: string;
  /** The kind of its API: `OpenAI`, `Anthropic`, `Gemini`, `Ollama`, `OpenAICompatible`, `Scripted`. */
  readonly adapterKind: string;
}

/** Sends requests to language models. */
export interface ModelCapability {
  /**
   * @throws EngineError `model.unknown-provider` | `model.missing`
   */
  resolve(model: string | undefined): ModelTarget;
  /**
   * Returns all settings that affect the response (provider, address, model, a script's own text), without secrets;
   * equal text means equal settings. Never throws: errors are part of the text.
   */
  settingsOf(model: string | undefined): Promise<string>;
  /**
   * Sends one request. `onText` receives each piece of the response as it arrives, in order, and `onReasoning` each
   * piece of the reasoning before it. Retries a few times if the transfer fails.
   * @throws EngineError `model.missing-key` | `model.rate-limited` | `model.rejected` | `model.unavailable` |
   * `model.no-reply`, or the signal's reason when it aborts (the request is closed)
   */
  ask(
    request: ModelRequest,
    options: { signal: AbortSignal; onText: (piece: string) => void; onReasoning?: (piece: string) => void },
  ): Promise<ModelReply>;
}
