/**
 * Providers over HTTP, all by way of one SDK: hosted ones, and local servers such as Ollama, LM Studio or vLLM.
 */
import type { ToolSet } from 'ai';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { isDeeperThan, MAX_JSON_DEPTH, tooDeepText } from '../../base/json-limits.ts';
import type { ModelReply } from '../../kernel/model-capability.ts';
import type { ModelTool } from '../../kernel/model-tools.ts';
import type { AskOptions, KeySource, ModelProvider, ProviderRequest } from '../model-provider.ts';
import type { ProviderConfig } from '../provider-config.ts';
import { type AnswerFormat, answerFormats, toldInWords } from './answer-format.ts';
import type { StreamNotes } from './chat-stream.ts';
import { fieldsToOmit, formatField, isFormatRefused, isWished, type RefusedFields } from './optional-fields.ts';
import { toModelError } from './provider-errors.ts';
import { ProviderExchange } from './provider-exchange.ts';
import { noticesOf, omissionNotices } from './provider-notices.ts';
import { readSdkAnswer } from './sdk-answer.ts';
import { toSdkMessages } from './sdk-messages.ts';
import { loadSdkModel, type SdkConnection, type SdkModel } from './sdk-model.ts';

interface ProviderOptions {
  /** As in `name::model`. */
  readonly name: string;
  readonly config: ProviderConfig;
  readonly keyOf: KeySource;
  readonly clock: Clock;
  /** Fields that providers have refused before; absent = nothing is remembered. */
  readonly refused?: RefusedFields;
}

/** Makes a provider. The SDK is loaded with the first request; sending a failed one again is up to the caller. */
export function createSdkProvider(options: ProviderOptions): ModelProvider {
  return {
    async ask(request, { signal, onText, onReasoning }) {
      signal.throwIfAborted();
      const sender = new Sender(options, request);
      const listen: Required<AskOptions> = { signal, onText, onReasoning: onReasoning ?? (() => {}) };
      const { answerSchema } = request;
      if (answerSchema === undefined) return await sender.send(undefined, listen);
      const formats = answerFormats(answerSchema, options.config);
      return await sendInFormat(sender.takesFormats ? formats : formats.slice(-1), sender, listen);
    },
  };
}

/** Sends one request, again without fields that the provider refuses. */
class Sender {
  readonly #options: ProviderOptions;
  readonly #request: ProviderRequest;
  readonly #key: string | undefined;
  readonly #address: string;
  readonly #known: readonly string[];
  readonly #omitted: Set<string>;
  readonly #learned: string[] = [];

  /** @throws EngineError `model.missing-key` */
  constructor(options: ProviderOptions, request: ProviderRequest) {
    const { name, config, refused } = options;
    this.#options = options;
    this.#request = request;
    this.#key = readKey(options);
    this.#address = `${name} ${config.baseUrl}`;
    this.#known = refused?.of(this.#address, request.model) ?? [];
    this.#omitted = new Set([...(config.omitFields ?? []), ...this.#known]);
  }

  get takesFormats(): boolean {
    return !this.#omitted.has(formatField);
  }

  async send(format: AnswerFormat | undefined, listen: Required<AskOptions>): Promise<ModelReply> {
    const { name, config, clock } = this.#options;
    for (;;) {
      const exchange = new ProviderExchange({ name, kind: config.kind, clock, omitted: this.#omitted });
      try {
        const reply = await this.#sendOnce(exchange, format, listen);
        this.#options.refused?.add(this.#address, this.#request.model, this.#learned);
        return withNotices(reply, [...this.#omissions(), ...noticesOf(exchange.notes, name)]);
      } catch (error) {
        if (!this.#learn(exchange)) throw error;
      }
    }
  }

  /** Adds the fields that were just refused; false when there are none, so that another try would end the same. */
  #learn({ refusal, sent }: ProviderExchange): boolean {
    if (refusal === undefined) return false;
    if (isFormatRefused(refusal, sent)) this.#learned.push(formatField);
    const more = fieldsToOmit(refusal, sent).filter((field) => !this.#omitted.has(field));
    for (const field of more) this.#omitted.add(field);
    this.#learned.push(...more);
    return more.length > 0;
  }

  async #sendOnce(
    exchange: ProviderExchange,
    format: AnswerFormat | undefined,
    { signal, onText, onReasoning }: Required<AskOptions>,
  ): Promise<ModelReply> {
    const { name, config, clock } = this.#options;
    const stop = new AbortController();
    const listeners = new Listeners(onText, onReasoning);
    const connection = { name, config, key: this.#key, fetch: exchange.fetch };
    const signals = AbortSignal.any([signal, stop.signal, exchange.idleSignal]);
    try {
      const { notes } = exchange;
      return await send({ connection, request: this.#request, format, notes }, { ...listeners, signal: signals });
    } catch (error) {
      signal.throwIfAborted();
      listeners.throwIfFailed();
      if (exchange.idleSignal.aborted) throw exchange.idleSignal.reason;
      throw toModelError(error, { name, config, key: this.#key, clock, words: exchange.refusal?.words });
    } finally {
      exchange.stop();
      // Closes the connection when a listener of the pieces threw.
      stop.abort();
    }
  }

  /** Reports a refused field once, and a field that the flow has set each time it is left out. */
  #omissions(): readonly string[] {
    const { name } = this.#options;
    const wished = this.#known.filter(isWished);
    return omissionNotices(name, { learned: this.#learned, wished });
  }
}

function withNotices(reply: ModelReply, notices: readonly string[]): ModelReply {
  const all = [...(reply.notices ?? []), ...notices];
  return all.length === 0 ? reply : { ...reply, notices: all };
}

/** Tries one format after the other, as long as the provider refuses the request. */
async function sendInFormat(
  formats: readonly AnswerFormat[],
  sender: Sender,
  listen: Required<AskOptions>,
): Promise<ModelReply> {
  const [format, ...others] = formats;
  try {
    return await sender.send(format, listen);
  } catch (error) {
    if (others.length === 0 || !isRefusal(error)) throw error;
    return await sendInFormat(others, sender, listen);
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

/**
 * Below the SDK's own handling of formats, which would check the answer as well, and of arguments, which runs out of stack when they are
 * nested too deeply.
 */
function wrapped(
  { wrapLanguageModel }: Sdk,
  model: SdkModel['model'],
  format: AnswerFormat | undefined,
): SdkModel['model'] {
  const responseFormat =
    format?.mode === 'schema' ? ({ type: 'json', schema: format.schema } as const) : ({ type: 'json' } as const);
  const isInWords = format === undefined || format.mode === 'words';
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v3',
      transformParams: async ({ params }) => (isInWords ? params : { ...params, responseFormat }),
      wrapStream: async ({ doStream, params }) => {
        const result = await doStream();
        // A stage of a stream costs each piece of text about 10 us.
        if (params.tools === undefined || params.tools.length === 0) return result;
        return { ...result, stream: result.stream.pipeThrough(new TransformStream({ transform: withoutDepth })) };
      },
    },
  });
}

type StreamPart =
  Awaited<ReturnType<SdkModel['model']['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

/** Characters of arguments that cannot be read, so that the model recognizes its call. */
const recognizable = 200;

function withoutDepth(part: StreamPart, controller: TransformStreamDefaultController<StreamPart>): void {
  if (part.type !== 'tool-call' || !isDeeperThan(part.input, MAX_JSON_DEPTH)) controller.enqueue(part);
  else controller.enqueue({ ...part, input: `(${tooDeepText}) ${part.input.slice(0, recognizable)}…` });
}

interface Sending {
  readonly connection: SdkConnection;
  readonly request: ProviderRequest;
  /** Absent = the answer is plain text. */
  readonly format: AnswerFormat | undefined;
  readonly notes: StreamNotes;
}

async function send(
  { connection, request, format, notes }: Sending,
  options: Required<AskOptions>,
): Promise<ModelReply> {
  const [sdk, sdkModel] = await Promise.all([loadSdk(), loadSdkModel(connection, request, format)]);
  const { messages, temperature, topP, maxTokens, model, tools } = request;
  const told = format === undefined ? messages : toldInWords(messages, format);
  const { fullStream } = sdk.streamText({
    ...sdkModel,
    model: wrapped(sdk, sdkModel.model, format),
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
  return await readSdkAnswer(fullStream, model, options, notes);
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
