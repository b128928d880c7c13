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

/** A system, user or assistant message. */
export interface SpokenMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Requests that the provider keep everything up to here in its prompt cache. */
  readonly cache?: true;
  /** For user messages. */
  readonly attachments?: readonly ModelAttachment[];
  /** For assistant messages: the tool calls it made. Their results follow, as one message each. */
  readonly toolCalls?: readonly ModelToolCall[];
  /** For assistant messages: the reply's provider state. */
  readonly providerState?: JsonValue;
}

export interface ModelRequest {
  /** `provider::model`, for example `scripted::replies.yaml`; undefined for the default model. */
  readonly model: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly temperature?: number;
  readonly topP?: number;
  /** Maximum response length in tokens; absent for the provider's limit. */
  readonly maxTokens?: number;
  /** Requests with equal keys may share a prompt cache if the provider supports this. */
  readonly cacheKey?: string;
  /**
   * Absolute path of a folder whose files for `scripted::PATH` take precedence over the workspace's: the agent's pack.
   */
  readonly scriptedBase?: string;
  /**
   * Schema of the response, parsed as JSON. It is passed to providers that support it; the response may still be
   * anything.
   */
  readonly answerSchema?: JsonSchema;
  /** Tools that the model may call before or instead of responding. */
  readonly tools?: readonly ModelTool[];
  /** Purpose of a request by a pure agent, for rules and the history. Not sent to providers. */
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
  /** The model's reasoning before its response. */
  readonly reasoning?: string;
  /** Name, according to the provider, of the model that responded, if it differs from the requested one. */
  readonly upstreamModel?: string;
  /** Tools to call before it continues; never empty. */
  readonly toolCalls?: readonly ModelToolCall[];
  /**
   * Data that the provider expects back with this response when the conversation continues, such as reasoning
   * signatures.
   */
  readonly providerState?: JsonValue;
  /** Sentences for the log about anything unusual in this response. */
  readonly notices?: readonly string[];
}

/** A request's destination, known before the request is sent. */
export interface ModelTarget {
  readonly provider: string;
  /** The provider's own name for the model. */
  readonly model: string;
  /** The provider's API kind: `OpenAI`, `Anthropic`, `Gemini`, `Ollama`, `OpenAICompatible`, `Scripted`. */
  readonly adapterKind: string;
}

/** Sends requests to language models. */
export interface ModelCapability {
  /**
   * @throws EngineError `model.unknown-provider` | `model.missing`
   */
  resolve(model: string | undefined): ModelTarget;
  /**
   * Returns, as text without secrets, all settings that affect the response (provider, address, model, a script's own
   * text). Equal text means equal settings. Never throws: errors are part of the text.
   */
  settingsOf(model: string | undefined): Promise<string>;
  /**
   * Sends one request. `onText` receives each piece of the response as it arrives, in order, and `onReasoning` each
   * piece of the preceding reasoning. Retries a few times if the transfer fails.
   * @throws EngineError `model.missing-key` | `model.rate-limited` | `model.rejected` | `model.unavailable` |
   * `model.no-reply`, or the signal's reason when it aborts (the request is closed)
   */
  ask(
    request: ModelRequest,
    options: { signal: AbortSignal; onText: (piece: string) => void; onReasoning?: (piece: string) => void },
  ): Promise<ModelReply>;
}
