/**
 * Asking language models: what is asked, what comes back, and who it goes to.
 */

import type { ModelPurpose } from '../agent/model-purpose.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { ModelTool, ModelToolCall, ModelToolResult } from './model-tools.ts';
import type { ModelUsage } from './run-event.ts';

/** A file that goes to the model beside a message's text. */
export interface ModelAttachment {
  /** For example `image/png`. */
  readonly mediaType: string;
  readonly fileName: string;
  readonly base64: string;
}

export type ModelMessage = SpokenMessage | ModelToolResult;

/** What somebody said. */
export interface SpokenMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Asks the provider to keep everything up to here in its prompt cache. */
  readonly cache?: true;
  /** For user messages. */
  readonly attachments?: readonly ModelAttachment[];
  /** For assistant messages: which tools it called. What each gave comes behind it, as a message for each. */
  readonly toolCalls?: readonly ModelToolCall[];
  /** For assistant messages: that of the reply. */
  readonly providerState?: JsonValue;
}

export interface ModelRequest {
  /** `provider::model`, for example `scripted::replies.yaml`; undefined = the default model. */
  readonly model: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly temperature?: number;
  readonly topP?: number;
  /** Of the answer at most; absent = what the provider allows. */
  readonly maxTokens?: number;
  /** Requests with equal keys may share a prompt cache, where a provider wants to be told. */
  readonly cacheKey?: string;
  /** Folder (absolute) whose files `scripted::PATH` may mean before those of the workspace: the pack of an agent. */
  readonly scriptedBase?: string;
  /** What the answer, read as JSON, is to fit. Providers are told as far as they can be; the answer may still be anything. */
  readonly answerSchema?: JsonSchema;
  /** What the model may call, instead of answering or before it does. */
  readonly tools?: readonly ModelTool[];
  /** What for, where it is an agent of the contract pure that asks. For rules and the history; providers are not told. */
  readonly purpose?: ModelPurpose;
}

export interface ModelReply {
  readonly text: string;
  readonly usage?: ModelUsage;
  readonly costUsd?: number;
  /** `stop`, `length`, or what else the provider said. */
  readonly finishReason: string;
  /** True when it was recorded earlier and nobody was asked. */
  readonly fromCassette?: boolean;
  /** What the model thought aloud before it answered. */
  readonly reasoning?: string;
  /** How the provider calls the model that answered, where it differs from what was asked for. */
  readonly upstreamModel?: string;
  /** Which tools it wants to be called before it goes on; never empty. */
  readonly toolCalls?: readonly ModelToolCall[];
  /** What the provider wants back with this answer when the conversation goes on, such as signatures of thoughts. */
  readonly providerState?: JsonValue;
  /** Sentences for the log about anything unusual in this answer. */
  readonly notices?: readonly string[];
}

/** What a request will go to, known before it is sent. */
export interface ModelTarget {
  readonly provider: string;
  /** The provider's own name of the model. */
  readonly model: string;
  /** The kind of API it speaks: `OpenAI`, `Anthropic`, `Gemini`, `Ollama`, `OpenAICompatible`, `Scripted`. */
  readonly adapterKind: string;
}

/** Asks language models. */
export interface ModelCapability {
  /**
   * @throws EngineError `model.unknown-provider` | `model.missing`
   */
  resolve(model: string | undefined): ModelTarget;
  /**
   * All settings that decide what the model answers (provider, address, model, a script's own text), without secrets;
   * equal text means equal settings. Never throws: what cannot be resolved is part of the text.
   */
  settingsOf(model: string | undefined): Promise<string>;
  /**
   * Sends one request; `onText` gets each piece of the answer as it arrives, in order, and `onReasoning` each piece of
   * what the model thinks aloud before. A request that failed on the way is sent again a few times.
   * @throws EngineError `model.missing-key` | `model.rate-limited` | `model.rejected` | `model.unavailable` |
   *   `model.no-reply`, or the signal's reason when it aborts (the request is closed)
   */
  ask(
    request: ModelRequest,
    options: { signal: AbortSignal; onText: (piece: string) => void; onReasoning?: (piece: string) => void },
  ): Promise<ModelReply>;
}
