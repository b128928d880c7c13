/**
 * Converts the SDK's stream to a model reply.
 */
import { isDeeperThan, MAX_JSON_DEPTH, tooDeepText } from '../../../base/json-limits.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { ModelUsage } from '../../../runtime/kernel/events/run-event.ts';
import type { ModelReply } from '../../../runtime/kernel/models/model-capability.ts';
import type { ModelToolCall } from '../../../runtime/kernel/models/model-tools.ts';
import type { AskOptions } from '../model-provider.ts';
import type { StreamNotes } from './chat-stream.ts';
import type { WordKind, WordListener } from './chat-texts.ts';
import { writeProviderState } from './provider-state.ts';
import type { SdkOptions, SdkStream } from './sdk-model.ts';

type SdkStreamPart = SdkStream extends ReadableStream<infer Part> ? Part : never;
type ResponseListeners = Pick<Required<AskOptions>, 'onText' | 'onReasoning'>;
type FinishPart = Extract<SdkStreamPart, { readonly type: 'finish' }>;

/** Number of characters kept of unreadable arguments, so that the model recognizes its call. */
const recognizable = 200;

interface SdkStreamOptions {
  readonly signal: AbortSignal;
  /** The model's name in the request. */
  readonly model: string;
  /** Counts the chunks that were skipped. */
  readonly notes: Pick<StreamNotes, 'lost'>;
}

/**
 * Reads the stream to its end. Skips chunks that the SDK cannot read unless they report an error.
 * @param answer receives the pieces
 * @throws the error that the stream reports; Error if it ends unfinished; the signal's reason
 */
export async function readSdkAnswer(
  parts: SdkStream,
  answer: SdkAnswer,
  { signal, model, notes }: SdkStreamOptions,
): Promise<ModelReply> {
  for await (const part of parts) {
    if (part.type === 'error') {
      throwFailure(part.error);
      notes.lost++;
      continue;
    }
    if (part.type === 'finish') return answer.reply(notes.lost > 0 ? withoutLost(part) : part, model);
    answer.take(part);
  }
  signal.throwIfAborted();
  throw unfinished();
}

/** Returns the error of a request that failed before its stream, in the form of an error within a stream. */
export function failureOf(thrown: unknown): unknown {
  return failureIn(thrown) ?? unfinished();
}

function throwFailure(error: unknown): void {
  const failure = failureIn(error);
  if (failure !== undefined) throw failure;
}

/**
 * Returns the failure behind an SDK error; undefined if a chunk was unreadable and is not an error of unknown shape.
 */
function failureIn(error: unknown): unknown {
  if (!(error instanceof Error) || !/^AI_(?:TypeValidation|JSONParse)Error$/.test(error.name)) return error;
  const value = 'value' in error ? error.value : undefined;
  const isFailure = typeof value === 'object' && value !== null && 'error' in value && Boolean(value.error);
  return isFailure ? value : undefined;
}

/**
 * After an unreadable chunk, the OpenAI SDK reports every finish reason as an error. Only a complete response has
 * usage.
 */
function withoutLost(part: FinishPart): FinishPart {
  const { finishReason, usage } = part;
  const isCalledError = finishReason.unified === 'error' && finishReason.raw === undefined;
  const isComplete = usage.inputTokens.total !== undefined;
  return isCalledError && isComplete ? { ...part, finishReason: { ...finishReason, unified: 'stop' } } : part;
}

/** ID of thinking that bypassed the SDK. */
const unreadThought = 'unread';

/** Collects the parts of a response and passes on its pieces. */
export class SdkAnswer implements WordListener {
  readonly #listen: ResponseListeners;
  #text = '';
  #upstreamModel = '';
  /** By the SDK's ID, in order. */
  readonly #thoughts = new Map<string, { text: string; options: SdkOptions | undefined }>();
  readonly #calls: ModelToolCall[] = [];
  readonly #signatures: Record<string, SdkOptions> = {};

  constructor(listen: ResponseListeners) {
    this.#listen = listen;
  }

  /** Receives text that bypassed the SDK. */
  onWords(kind: WordKind, piece: string): void {
    if (kind === 'text') this.take({ type: 'text-delta', id: unreadThought, delta: piece });
    else this.take({ type: 'reasoning-delta', id: unreadThought, delta: piece });
  }

  take(part: SdkStreamPart): void {
    switch (part.type) {
      case 'text-delta':
        this.#text += part.delta;
        if (part.delta !== '') this.#listen.onText(part.delta);
        break;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#think(part);
        break;
      case 'tool-call':
        this.#call(part);
        break;
      case 'response-metadata':
        this.#upstreamModel = part.modelId ?? this.#upstreamModel;
        break;
      default:
    }
  }

  reply(part: FinishPart, model: string): ModelReply {
    const upstreamModel = this.#upstreamModel;
    const reasoning = [...this.#thoughts.values()].map(({ text }) => text).join('');
    return {
      text: this.#text,
      finishReason: finishReasonOf(part),
      ...usageOf(part.usage),
      ...(reasoning === '' ? {} : { reasoning }),
      ...(upstreamModel === model || upstreamModel === '' ? {} : { upstreamModel }),
      ...this.#called(),
    };
  }

  /** A signature arrives after the thinking that it signs, in a piece without text. */
  #think(part: Extract<SdkStreamPart, { readonly type: `reasoning-${string}` }>): void {
    const thought = this.#thoughts.get(part.id) ?? { text: '', options: undefined };
    this.#thoughts.set(part.id, thought);
    if (part.type === 'reasoning-delta') thought.text += part.delta;
    thought.options = part.providerMetadata ?? thought.options;
    if (part.type === 'reasoning-delta') this.#listen.onReasoning(part.delta);
  }

  /** Some hosts assign the same ID to all calls, but results must be assigned to the right call. */
  #call({
    toolCallId,
    toolName,
    input,
    providerMetadata,
  }: Extract<SdkStreamPart, { readonly type: 'tool-call' }>): void {
    const isKnown = this.#calls.some(({ id }) => id === toolCallId);
    const id = isKnown || toolCallId === '' ? `${toolCallId}call-${this.#calls.length}` : toolCallId;
    this.#calls.push({ id, name: toolName, input: argumentsIn(input) });
    if (providerMetadata !== undefined) this.#signatures[id] = providerMetadata;
  }

  #called(): Pick<ModelReply, 'toolCalls' | 'providerState'> {
    if (this.#calls.length === 0) return {};
    const thoughts = [...this.#thoughts.values()].flatMap(({ text, options }) =>
      options === undefined ? [] : [{ text, options }],
    );
    const providerState = writeProviderState({ thoughts, signatures: this.#signatures });
    return { toolCalls: this.#calls, ...(providerState === undefined ? {} : { providerState }) };
  }
}

/**
 * Returns the parsed arguments of a call; the text itself if it is not JSON or contains keys that no object may have.
 */
function argumentsIn(text: string): JsonValue {
  if (text.trim() === '') return {};
  if (isDeeperThan(text, MAX_JSON_DEPTH)) return `(${tooDeepText}) ${text.slice(0, recognizable)}…`;
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__' || (key === 'constructor' && hasPrototype(value))) throw new SyntaxError(key);
      return value;
    });
  } catch {
    return text;
  }
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

/** If the provider sent no finish reason, the connection ended before the response was complete. */
function finishReasonOf({ finishReason: { unified, raw } }: FinishPart): string {
  if (unified === 'other' && raw === undefined) throw unfinished();
  // The SDK has no name for a refusal.
  if (raw === 'refusal') return raw;
  if (unified === 'error') throw new Error(`The response ended with an error (${raw ?? 'no reason given'}).`);
  return unified;
}

function unfinished(): Error {
  return new Error('The response ended without a finish reason.');
}

function usageOf({ inputTokens, outputTokens }: FinishPart['usage']): { readonly usage?: ModelUsage } {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return {};
  const { cacheRead, cacheWrite } = inputTokens;
  const { reasoning } = outputTokens;
  return {
    usage: {
      promptTokens: inputTokens.total ?? 0,
      completionTokens: outputTokens.total ?? 0,
      ...(cacheRead ? { cachedTokens: cacheRead } : {}),
      ...(cacheWrite ? { cacheCreationTokens: cacheWrite } : {}),
      ...(reasoning ? { reasoningTokens: reasoning } : {}),
    },
  };
}
