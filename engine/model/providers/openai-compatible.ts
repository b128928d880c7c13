/**
 * Providers that speak OpenAI's chat completions over HTTP: hosted ones, and local servers such as Ollama, LM Studio
 * or vLLM.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { ModelReply } from '../../kernel/capabilities.ts';
import type { ModelUsage } from '../../kernel/run-event.ts';
import type { AskOptions, ModelProvider, ProviderRequest } from '../model-provider.ts';
import type { ProviderConfig } from '../provider-config.ts';
import { createErrorMapper } from './openai-compatible-errors.ts';

interface ProviderOptions {
  /** As in `name::model`. */
  readonly name: string;
  readonly config: ProviderConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

interface Connection extends ProviderOptions {
  /** Undefined for a provider without keys. Never leaves this module but in the request's own header. */
  readonly key: string | undefined;
}

/** Makes a provider. The SDK is loaded with the first request. */
export function createOpenAiCompatibleProvider(options: ProviderOptions): ModelProvider {
  return {
    async ask(request, askOptions) {
      askOptions.signal.throwIfAborted();
      const connection = { ...options, key: readKey(options) };
      const stop = new AbortController();
      try {
        return await stream(connection, request, {
          ...askOptions,
          signal: AbortSignal.any([askOptions.signal, stop.signal]),
        });
      } catch (error) {
        askOptions.signal.throwIfAborted();
        throw createErrorMapper({ ...connection, baseUrl: options.config.baseUrl })(error);
      } finally {
        // Closes the connection when a listener of the pieces threw.
        stop.abort();
      }
    },
  };
}

function readKey({ name, config: { apiKeyEnv }, env }: ProviderOptions): string | undefined {
  if (apiKeyEnv === undefined) return undefined;
  const key = env[apiKeyEnv];
  if (key) return key;
  throw new EngineError({
    code: 'model.missing-key',
    message: `Provider "${name}" needs a key: set the environment variable ${apiKeyEnv}.`,
  });
}

/** The SDK takes about 70 ms to load, which only runs that ask a model should pay. */
async function loadSdk() {
  // It would write warnings to the console, where the command line's output is a protocol.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const [{ streamText }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ]);
  return { streamText, createOpenAICompatible };
}

async function stream(
  { name, config, key }: Connection,
  { model, messages, temperature, topP }: ProviderRequest,
  { signal, onText }: AskOptions,
): Promise<ModelReply> {
  const { streamText, createOpenAICompatible } = await loadSdk();
  const provider = createOpenAICompatible({
    name,
    baseURL: config.baseUrl,
    includeUsage: true,
    ...(key === undefined ? {} : { apiKey: key }),
  });
  const { fullStream } = streamText({
    model: provider(model),
    messages: [...messages],
    // The roles are the flow's own; without this the SDK warns about each system message.
    allowSystemInMessages: true,
    // Retries belong to the node's policy, where events and cancel see them.
    maxRetries: 0,
    abortSignal: signal,
    // Errors arrive as parts; without a handler the SDK prints them.
    onError: () => {},
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
  });
  let text = '';
  for await (const part of fullStream) {
    if (part.type === 'text-delta') {
      text += part.text;
      onText(part.text);
    } else if (part.type === 'error') {
      throw part.error;
    } else if (part.type === 'finish') {
      return { text, finishReason: part.finishReason, ...usageOf(part.totalUsage) };
    }
  }
  signal.throwIfAborted();
  throw new Error('The answer ended without a finish.');
}

function usageOf(tokens: { inputTokens: number | undefined; outputTokens: number | undefined }): {
  usage?: ModelUsage;
} {
  const { inputTokens, outputTokens } = tokens;
  if (inputTokens === undefined && outputTokens === undefined) return {};
  return { usage: { promptTokens: inputTokens ?? 0, completionTokens: outputTokens ?? 0 } };
}
