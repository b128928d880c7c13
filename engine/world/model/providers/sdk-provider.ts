/**
 * HTTP providers through a common SDK: hosted ones, and local servers such as Ollama, LM Studio or vLLM.
 */
import type { Clock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';
import type { ModelReply } from '../../../runtime/kernel/models/model-capability.ts';
import type { ModelTool } from '../../../runtime/kernel/models/model-tools.ts';
import type { AskOptions, KeySource, ModelProvider, ProviderRequest } from '../model-provider.ts';
import type { ProviderConfig } from '../provider-config.ts';
import { type AnswerFormat, answerFormats, withFormatInstructions } from './answer-format.ts';
import type { StreamNotes } from './chat-stream.ts';
import { affectsAnswer, fieldsToOmit, formatField, isFormatRefused, type RefusedFields } from './optional-fields.ts';
import { toModelError } from './provider-errors.ts';
import { ProviderExchange } from './provider-exchange.ts';
import { noticesOf, omissionNotices } from './provider-notices.ts';
import { failureOf, readSdkAnswer, SdkAnswer } from './sdk-answer.ts';
import { toSdkMessages } from './sdk-messages.ts';
import { loadSdkModel, type SdkCall, type SdkConnection, type SdkModel, type SdkStream } from './sdk-model.ts';

interface ProviderOptions {
  /** Name as in `name::model`. */
  readonly name: string;
  readonly config: ProviderConfig;
  readonly keyOf: KeySource;
  readonly clock: Clock;
  /** Fields that providers have rejected earlier; if absent, nothing is remembered. */
  readonly refused?: RefusedFields;
}

/** Creates a provider. The SDK is loaded with the first request. Retries are up to the caller. */
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

/** A request in progress. */
interface ProviderAttempt {
  readonly exchange: ProviderExchange;
  readonly answer: SdkAnswer;
  readonly listeners: GuardedListeners;
}

/** Sends one request, and sends it again without fields that the provider rejects. */
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
      const listeners = new GuardedListeners(listen.onText, listen.onReasoning);
      const answer = new SdkAnswer(listeners);
      const exchange = new ProviderExchange({ name, kind: config.kind, clock, omitted: this.#omitted, words: answer });
      try {
        const reply = await this.#sendOnce({ exchange, answer, listeners }, format, listen.signal);
        this.#options.refused?.add(this.#address, this.#request.model, this.#learned);
        return withNotices(reply, [...this.#omissions(), ...noticesOf(exchange.notes, name)]);
      } catch (error) {
        if (!this.#learn(exchange)) throw error;
      }
    }
  }

  /**
   * Records the fields that were rejected. Returns false if there are none, in which case another attempt would have
   * the same outcome.
   */
  #learn({ refusal, sent }: ProviderExchange): boolean {
    if (refusal === undefined) return false;
    if (isFormatRefused(refusal, sent)) this.#learned.push(formatField);
    const more = fieldsToOmit(refusal, sent).filter((field) => !this.#omitted.has(field));
    for (const field of more) this.#omitted.add(field);
    this.#learned.push(...more);
    return more.length > 0;
  }

  async #sendOnce(
    { exchange, answer, listeners }: ProviderAttempt,
    format: AnswerFormat | undefined,
    signal: AbortSignal,
  ): Promise<ModelReply> {
    const { name, config, clock } = this.#options;
    const stop = new AbortController();
    const connection = { name, config, key: this.#key, fetch: exchange.fetch };
    const signals = AbortSignal.any([signal, stop.signal, exchange.idleSignal]);
    try {
      const { notes } = exchange;
      return await send({ connection, request: this.#request, format, notes, signal: signals }, answer);
    } catch (error) {
      signal.throwIfAborted();
      listeners.throwIfFailed();
      if (exchange.idleSignal.aborted) throw exchange.idleSignal.reason;
      throw toModelError(error, { name, config, key: this.#key, clock, words: exchange.refusal?.words });
    } finally {
      exchange.stop();
      // Closes the connection if a listener threw.
      stop.abort();
    }
  }

  /** Reports a rejected field once, and a field set by the flow each time it is omitted. */
  #omissions(): readonly string[] {
    const { name } = this.#options;
    const wished = this.#known.filter(affectsAnswer);
    return omissionNotices(name, { learned: this.#learned, wished });
  }
}

function withNotices(reply: ModelReply, notices: readonly string[]): ModelReply {
  const all = [...(reply.notices ?? []), ...notices];
  return all.length === 0 ? reply : { ...reply, notices: all };
}

/** Tries one format after the other as long as the provider rejects the request. */
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

/** Whether another format may help: not if the key or the model is rejected. */
function isRefusal(error: unknown): boolean {
  if (!EngineError.is(error) || error.code !== 'model.rejected') return false;
  const { details } = error;
  const statusCode =
    typeof details === 'object' && details !== null && 'statusCode' in details ? details.statusCode : 400;
  return statusCode === 400 || statusCode === 422;
}

/** Remembers an error of a listener, which is not a failure of the provider. */
class GuardedListeners {
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
 * Returns the key of a provider; undefined if it needs none.
 * @throws EngineError `model.missing-key` with `details: { provider, variable }`
 */
export function readKey({ name, config: { apiKeyEnv }, keyOf }: Omit<ProviderOptions, 'clock'>): string | undefined {
  if (apiKeyEnv === undefined) return undefined;
  const key = keyOf(apiKeyEnv)?.trim();
  if (key) return key;
  throw new EngineError({
    code: 'model.missing-key',
    message: `Provider "${name}" needs a key. Save it in Settings > Models, or set the environment variable ${apiKeyEnv}.`,
    details: { provider: name, variable: apiKeyEnv },
  });
}

interface Sending {
  readonly connection: SdkConnection;
  readonly request: ProviderRequest;
  /** The response format; absent for plain text. */
  readonly format: AnswerFormat | undefined;
  readonly notes: StreamNotes;
  readonly signal: AbortSignal;
}

/** Calls the model directly, because the SDK's own loop takes as long per piece as everything else together. */
async function send({ connection, request, format, notes, signal }: Sending, answer: SdkAnswer): Promise<ModelReply> {
  const { model, providerOptions } = await loadSdkModel(connection, request, format);
  const { messages, temperature, topP, maxTokens, tools } = request;
  const told = format === undefined ? messages : withFormatInstructions(messages, format);
  const call: SdkCall = {
    prompt: toSdkMessages(told, connection.config.kind),
    providerOptions,
    abortSignal: signal,
    ...responseFormatOf(format),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(tools === undefined || tools.length === 0 ? {} : { tools: toSdkTools(tools), toolChoice: { type: 'auto' } }),
  };
  refuseUnsendable(call, connection);
  return await readSdkAnswer(await streamOf(model, call), answer, { signal, model: request.model, notes });
}

/** Rejects requests that some providers would run and charge for. @throws EngineError `model.rejected` */
function refuseUnsendable({ prompt, maxOutputTokens = 1 }: SdkCall, { name }: SdkConnection): void {
  const problem =
    prompt.length === 0
      ? 'Invalid prompt: messages must not be empty'
      : 'Invalid argument for parameter maxOutputTokens: maxOutputTokens must be >= 1';
  if (prompt.length > 0 && maxOutputTokens >= 1) return;
  throw new EngineError({
    code: 'model.rejected',
    message: `Provider "${name}" cannot process this request: ${problem}`,
  });
}

async function streamOf(model: SdkModel['model'], call: SdkCall): Promise<SdkStream> {
  try {
    return (await model.doStream(call)).stream;
  } catch (thrown) {
    throw failureOf(thrown);
  }
}

function responseFormatOf(format: AnswerFormat | undefined): Pick<SdkCall, 'responseFormat'> {
  if (format === undefined || format.mode === 'words') return {};
  return { responseFormat: format.mode === 'schema' ? { type: 'json', schema: format.schema } : { type: 'json' } };
}

/**
 * Providers do not run these tools themselves. Without `strict: false`, OpenAI would adapt the schemas to its strict
 * rules.
 */
function toSdkTools(tools: readonly ModelTool[]): NonNullable<SdkCall['tools']> {
  return tools.map(({ name, description, inputSchema }) => ({
    ...{ type: 'function', name, description, inputSchema, strict: false },
  }));
}
