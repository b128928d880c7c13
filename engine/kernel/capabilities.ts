/**
 * What the world offers to nodes. The kernel only names the abilities; adapters above implement them, and a node gets
 * no more than its type declared.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import type { AgentsCapability } from './agent-capabilities.ts';
import type { ModelAttachment } from './model-attachment.ts';
import type { ModelUsage } from './run-event.ts';

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Asks the provider to keep everything up to here in its prompt cache. */
  readonly cache?: true;
  /** For user messages. */
  readonly attachments?: readonly ModelAttachment[];
}

export interface ModelRequest {
  /** `provider::model`, for example `scripted::replies.yaml`; undefined = the default model. */
  readonly model: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly temperature?: number;
  readonly topP?: number;
  /** Requests with equal keys may share a prompt cache, where a provider wants to be told. */
  readonly cacheKey?: string;
  /** Folder (absolute) whose files `scripted::PATH` may mean before those of the workspace: the pack of an agent. */
  readonly scriptedBase?: string;
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

export interface FileText {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Reads and writes text files of the workspace; whatever lies outside is refused. */
export interface FilesCapability {
  /** @throws EngineError `files.outside` | `files.not-found` | `files.not-text` | `files.too-large` */
  readText(path: string, signal: AbortSignal): Promise<FileText>;
  /** Files that match any of the globs, in path order. No match is an empty list. */
  readGlobs(globs: readonly string[], signal: AbortSignal): Promise<readonly FileText[]>;
  /**
   * Writes atomically (a reader sees the old file or the new one) and makes missing folders.
   * @throws EngineError `files.outside` | `files.not-writable`
   */
  writeText(path: string, text: string, mode: 'overwrite' | 'append'): Promise<{ path: string; sizeBytes: number }>;
}

/**
 * Which Handlebars is meant. `flow`: lists and maps become JSON, an empty map holds, there is a `json` helper. `agent`:
 * as agent files have it, with `[a, b]`, `[object]`, empty maps that do not hold, and `eq ne gt gte lt lte and or not len`.
 */
export type TemplateDialect = 'flow' | 'agent';

/** Renders prompt templates (Handlebars). */
export interface TemplatesCapability {
  /**
   * @param dialect `flow` when absent
   * @throws EngineError `template.bad-syntax` | `template.failed`
   */
  render(template: string, data: Readonly<Record<string, JsonValue>>, dialect?: TemplateDialect): Promise<string>;
}

export interface WebRequest {
  /** Absolute, `http:` or `https:`. */
  readonly url: string;
  /** In capitals. */
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined = none. */
  readonly body: string | undefined;
  /** A longer body fails. */
  readonly maxBytes: number;
  /** How many redirects are followed; 5 when absent. One more fails. */
  readonly maxRedirects?: number;
}

export interface WebResponse {
  readonly status: number;
  /** Where the answer came from, after redirects. */
  readonly url?: string;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text: by its charset, UTF-8 when none is named. */
  readonly text: string;
}

/** Sends HTTP requests. Redirects are followed within `http:` and `https:`. */
export interface WebCapability {
  /**
   * Any status is a response.
   * @throws EngineError `web.bad-url` | `web.bad-request` | `web.unreachable` | `web.too-large` | `web.broken`, or the
   *   signal's reason when it aborts (the connection is closed)
   */
  send(request: WebRequest, signal: AbortSignal): Promise<WebResponse>;
}

/** SHA-256 in hex; the kernel has no crypto of its own. */
export interface HashCapability {
  sha256(text: string): string;
}

export interface Capabilities {
  readonly model: ModelCapability;
  readonly files: FilesCapability;
  readonly templates: TemplatesCapability;
  readonly web: WebCapability;
  readonly hash: HashCapability;
  readonly agents: AgentsCapability;
}

export type CapabilityName = keyof Capabilities;
