/**
 * Providers over HTTP, all by way of one SDK: hosted ones, and local servers such as Ollama, LM Studio or vLLM.
 */
import type { FilePart, LanguageModelUsage, ModelMessage as SdkMessage, TextPart, TextStreamPart, ToolSet } from 'ai';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { ModelAttachment, ModelMessage, ModelReply } from '../../kernel/capabilities.ts';
import type { ModelUsage } from '../../kernel/run-event.ts';
import type { AskOptions, KeySource, ModelProvider, ProviderRequest } from '../model-provider.ts';
import type { ProviderConfig, ProviderKind } from '../provider-config.ts';
import { toModelError } from './provider-errors.ts';
import { loadSdkModel, type SdkConnection } from './sdk-model.ts';

/**
 * Milliseconds without a single byte, keep-alives included. Node's own `fetch` would give up after five minutes, with an
 * error that says less.
 */
export const idleLimitMs = 240_000;

interface IdleWatch {
  /** Aborts with the error when the limit is reached. */
  readonly signal: AbortSignal;
  /** `fetch` that counts what comes. Redirects are answers: a key must not follow them to another host. */
  readonly fetch: typeof globalThis.fetch;
  /** Ends the watching. */
  stop(): void;
}

/**
 * Begins to watch.
 * @param provider its name, for the message
 */
function watchIdle(provider: string, clock: Clock): IdleWatch {
  const idle = new AbortController();
  const giveUp = (): void => idle.abort(tooQuiet(provider));
  let endTimer = clock.setTimer(giveUp, idleLimitMs);
  const touch = (): void => {
    endTimer();
    endTimer = clock.setTimer(giveUp, idleLimitMs);
  };
  return {
    signal: idle.signal,
    async fetch(input, init) {
      const response = await fetch(input, { ...init, redirect: 'manual' });
      touch();
      if (response.body === null) return response;
      const body = response.body.pipeThrough(counting(touch));
      const { status, statusText, headers } = response;
      return new Response(body, { status, statusText, headers });
    },
    stop: () => endTimer(),
  };
}

function counting(touch: () => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      touch();
      controller.enqueue(chunk);
    },
  });
}

function tooQuiet(provider: string): EngineError {
  return new EngineError({
    code: 'model.unavailable',
    message: `Provider "${provider}" sent nothing for ${idleLimitMs / 60_000} minutes; the request was given up.`,
    recoverable: true,
    details: { idleMs: idleLimitMs },
  });
}

interface ProviderOptions {
  /** As in `name::model`. */
  readonly name: string;
  readonly config: ProviderConfig;
  readonly keyOf: KeySource;
  readonly clock: Clock;
}

/** Makes a provider. The SDK is loaded with the first request, which is sent once: repeating it is the caller's affair. */
export function createSdkProvider(options: ProviderOptions): ModelProvider {
  return {
    async ask(request, { signal, onText, onReasoning }) {
      signal.throwIfAborted();
      const { name, config, clock } = options;
      const key = readKey(options);
      const idle = watchIdle(name, clock);
      const stop = new AbortController();
      const listeners = new Listeners(onText, onReasoning);
      try {
        return await send({ name, config, key, fetch: idle.fetch }, request, {
          ...listeners,
          signal: AbortSignal.any([signal, stop.signal, idle.signal]),
        });
      } catch (error) {
        signal.throwIfAborted();
        listeners.throwIfFailed();
        if (idle.signal.aborted) throw idle.signal.reason;
        throw toModelError(error, { name, config, key, clock });
      } finally {
        idle.stop();
        // Closes the connection when a listener of the pieces threw.
        stop.abort();
      }
    },
  };
}

/** Remembers what a listener threw, which is no failure of the provider. */
class Listeners {
  readonly onText: (piece: string) => void;
  readonly onReasoning: (piece: string) => void;
  #failure: { readonly thrown: unknown } | undefined;

  constructor(onText: AskOptions['onText'], onReasoning: AskOptions['onReasoning']) {
    const guarded = (listener: (piece: string) => void) => (piece: string) => {
      try {
        listener(piece);
      } catch (thrown) {
        this.#failure = { thrown };
        throw thrown;
      }
    };
    this.onText = guarded(onText);
    this.onReasoning = guarded(onReasoning ?? (() => {}));
  }

  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.thrown;
  }
}

/**
 * The key of a provider; undefined when it asks for none.
 * @throws EngineError `model.missing-key` with `details: { provider, variable }`
 */
export function readKey({ name, config: { apiKeyEnv }, keyOf }: Omit<ProviderOptions, 'clock'>): string | undefined {
  if (apiKeyEnv === undefined) return undefined;
  const key = keyOf(apiKeyEnv)?.trim();
  if (key) return key;
  throw new EngineError({
    code: 'model.missing-key',
    message: `Provider "${name}" needs a key: put it into the settings, or set the environment variable ${apiKeyEnv}.`,
    details: { provider: name, variable: apiKeyEnv },
  });
}

/** The SDK takes about 70 ms to load, which only runs that ask a model should pay. */
async function loadStreamText() {
  // It would write warnings to the console, where the command line's output is a protocol.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  return (await import('ai')).streamText;
}

async function send(
  connection: SdkConnection,
  request: ProviderRequest,
  options: Required<AskOptions>,
): Promise<ModelReply> {
  const [streamText, sdkModel] = await Promise.all([loadStreamText(), loadSdkModel(connection, request)]);
  const { messages, temperature, topP, model } = request;
  const { fullStream } = streamText({
    ...sdkModel,
    messages: promptMessages(messages, connection.config.kind),
    // The roles are the flow's own; without this the SDK warns about each system message.
    allowSystemInMessages: true,
    maxRetries: 0,
    abortSignal: options.signal,
    // Errors arrive as parts; without a handler the SDK prints them.
    onError: () => {},
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
  });
  return await readAnswer(fullStream, model, options);
}

/** These take instructions only at the beginning, all together. */
const systemFirst: ReadonlySet<ProviderKind> = new Set(['anthropic', 'gemini']);

/** Media that every provider takes as words. */
const textMedia =
  /^text\/|^application\/(?:json|xml|yaml|toml|javascript|x-[\w-]*(?:yaml|toml|sh|lua)|[\w.-]+\+(?:json|xml))/;

/** The whole conversation. Order stays, but for instructions where the provider wants them first. */
function promptMessages(messages: readonly ModelMessage[], kind: ProviderKind): SdkMessage[] {
  const isSystem = ({ role }: ModelMessage): boolean => role === 'system';
  const ordered = systemFirst.has(kind)
    ? [...messages.filter(isSystem), ...messages.filter((message) => !isSystem(message))]
    : messages;
  return ordered.map(toSdkMessage);
}

function toSdkMessage({ role, content, cache, attachments = [] }: ModelMessage): SdkMessage {
  // Only Anthropic asks for it; the others look at their own key only.
  const marks = cache === true ? { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } : {};
  if (role !== 'user' || attachments.length === 0) return { role, content, ...marks };
  const words: TextPart[] = content === '' ? [] : [{ type: 'text', text: content }];
  return { role, content: [...words, ...attachments.map(toPart)], ...marks };
}

function toPart({ mediaType, fileName, base64 }: ModelAttachment): TextPart | FilePart {
  if (textMedia.test(mediaType)) return { type: 'text', text: Buffer.from(base64, 'base64').toString('utf8') };
  return { type: 'file', data: base64, mediaType, filename: fileName };
}

type Part = TextStreamPart<ToolSet>;
type FinishPart = Extract<Part, { readonly type: 'finish' }>;

/**
 * Reads to the end and passes the pieces on.
 * @param model as it was asked for
 * @throws what the stream reports as an error; Error when it ends unfinished; the signal's reason
 */
async function readAnswer(
  parts: AsyncIterable<Part>,
  model: string,
  { signal, onText, onReasoning }: Required<AskOptions>,
): Promise<ModelReply> {
  const got = { text: '', reasoning: '', upstreamModel: model };
  for await (const part of parts) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'finish') return replyOf(part, got, model);
    if (part.type === 'text-delta') {
      got.text += part.text;
      onText(part.text);
    } else if (part.type === 'reasoning-delta') {
      got.reasoning += part.text;
      onReasoning(part.text);
    } else if (part.type === 'finish-step') {
      got.upstreamModel = part.response.modelId;
    }
  }
  signal.throwIfAborted();
  throw unfinished();
}

interface Got {
  readonly text: string;
  readonly reasoning: string;
  readonly upstreamModel: string;
}

function replyOf(part: FinishPart, { text, reasoning, upstreamModel }: Got, model: string): ModelReply {
  return {
    text,
    finishReason: finishReasonOf(part),
    ...usageOf(part.totalUsage),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(upstreamModel === model || upstreamModel === '' ? {} : { upstreamModel }),
  };
}

/** Without a reason of the provider's own, the connection ended before the answer did. */
function finishReasonOf({ finishReason, rawFinishReason }: FinishPart): string {
  if (finishReason === 'other' && rawFinishReason === undefined) throw unfinished();
  if (finishReason === 'error')
    throw new Error(`The answer ended with an error (${rawFinishReason ?? 'no reason given'}).`);
  return finishReason;
}

function unfinished(): Error {
  return new Error('The answer ended without a finish.');
}

function usageOf(usage: LanguageModelUsage): { readonly usage?: ModelUsage } {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return {};
  const { cacheReadTokens, cacheWriteTokens } = inputTokenDetails;
  const { reasoningTokens } = outputTokenDetails;
  return {
    usage: {
      promptTokens: inputTokens ?? 0,
      completionTokens: outputTokens ?? 0,
      ...(cacheReadTokens ? { cachedTokens: cacheReadTokens } : {}),
      ...(cacheWriteTokens ? { cacheCreationTokens: cacheWriteTokens } : {}),
      ...(reasoningTokens ? { reasoningTokens } : {}),
    },
  };
}
