/**
 * Providers over HTTP, all by way of one SDK: hosted ones, and local servers such as Ollama, LM Studio or vLLM.
 */
import type { ToolSet } from 'ai';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { ModelReply } from '../../kernel/model-capability.ts';
import type { ModelTool } from '../../kernel/model-tools.ts';
import type { AskOptions, KeySource, ModelProvider, ProviderRequest } from '../model-provider.ts';
import type { ProviderConfig } from '../provider-config.ts';
import { type AnswerFormat, answerFormats, toldInWords } from './answer-format.ts';
import { toModelError } from './provider-errors.ts';
import { readSdkAnswer } from './sdk-answer.ts';
import { toSdkMessages } from './sdk-messages.ts';
import { loadSdkModel, type SdkConnection, type SdkModel } from './sdk-model.ts';

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
      const sendOnce = async (format: AnswerFormat | undefined): Promise<ModelReply> => {
        const idle = watchIdle(name, clock);
        const stop = new AbortController();
        const listeners = new Listeners(onText, onReasoning);
        try {
          const connection = { name, config, key, fetch: idle.fetch };
          return await send(
            { connection, request, format },
            {
              ...listeners,
              signal: AbortSignal.any([signal, stop.signal, idle.signal]),
            },
          );
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
      };
      const { answerSchema } = request;
      return answerSchema === undefined
        ? await sendOnce(undefined)
        : await sendInFormat(answerFormats(answerSchema, config), sendOnce);
    },
  };
}

/** Tries one format after the other, as long as the provider refuses the request. */
async function sendInFormat(
  formats: readonly AnswerFormat[],
  sendOnce: (format: AnswerFormat | undefined) => Promise<ModelReply>,
): Promise<ModelReply> {
  const [format, ...others] = formats;
  try {
    return await sendOnce(format);
  } catch (error) {
    if (others.length === 0 || !isRefusal(error)) throw error;
    return await sendInFormat(others, sendOnce);
  }
}

/** Whether another way to say the same may be taken: not when it is the key that is refused, or the model. */
function isRefusal(error: unknown): boolean {
  if (!EngineError.is(error) || error.code !== 'model.rejected') return false;
  const { details } = error;
  const statusCode =
    typeof details === 'object' && details !== null && 'statusCode' in details ? details.statusCode : 400;
  return statusCode === 400 || statusCode === 422;
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
async function loadSdk() {
  // It would write warnings to the console, where the command line's output is a protocol.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  return await import('ai');
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** Below the SDK's own handling of formats, which would check the answer as well. */
function withFormat(
  { wrapLanguageModel }: Sdk,
  model: SdkModel['model'],
  format: AnswerFormat | undefined,
): SdkModel['model'] {
  if (format === undefined || format.mode === 'words') return model;
  const responseFormat =
    format.mode === 'schema' ? ({ type: 'json', schema: format.schema } as const) : ({ type: 'json' } as const);
  return wrapLanguageModel({
    model,
    middleware: { specificationVersion: 'v3', transformParams: async ({ params }) => ({ ...params, responseFormat }) },
  });
}

interface Sending {
  readonly connection: SdkConnection;
  readonly request: ProviderRequest;
  /** Absent = the answer is plain text. */
  readonly format: AnswerFormat | undefined;
}

async function send({ connection, request, format }: Sending, options: Required<AskOptions>): Promise<ModelReply> {
  const [sdk, sdkModel] = await Promise.all([loadSdk(), loadSdkModel(connection, request, format)]);
  const { messages, temperature, topP, maxTokens, model, tools } = request;
  const told = format === undefined ? messages : toldInWords(messages, format);
  const { fullStream } = sdk.streamText({
    ...sdkModel,
    model: withFormat(sdk, sdkModel.model, format),
    messages: toSdkMessages(told, connection.config.kind),
    // The roles are the flow's own; without this the SDK warns about each system message.
    allowSystemInMessages: true,
    maxRetries: 0,
    abortSignal: options.signal,
    // Errors arrive as parts; without a handler the SDK prints them.
    onError: () => {},
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(tools === undefined || tools.length === 0 ? {} : { tools: toSdkTools(sdk, tools) }),
  });
  return await readSdkAnswer(fullStream, model, options);
}

/** The SDK runs none of them, and gives the calls back. OpenAI would bend schemas to its strict rules if it were not told otherwise. */
function toSdkTools(sdk: Sdk, tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      sdk.tool({ description, inputSchema: sdk.jsonSchema(inputSchema), strict: false }),
    ]),
  );
}
