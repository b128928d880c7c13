/**
 * Providers over HTTP, all by way of one SDK: hosted ones, and local servers such as Ollama, LM Studio or vLLM.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { ModelReply } from '../../kernel/capabilities.ts';
import type { AskOptions, KeySource, ModelProvider, ProviderRequest } from '../model-provider.ts';
import type { ProviderConfig } from '../provider-config.ts';
import { watchIdle } from './idle-watch.ts';
import { promptMessages } from './prompt-messages.ts';
import { toModelError } from './provider-errors.ts';
import { readAnswer } from './read-answer.ts';
import { loadSdkModel, type SdkConnection } from './sdk-model.ts';

export interface ProviderOptions {
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
