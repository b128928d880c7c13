/**
 * What the SDK streams of one answer → our reply.
 */
import type { LanguageModelUsage, TextStreamPart, ToolSet } from 'ai';
import type { JsonValue } from '../../flowspec/json-value.ts';
import type { ModelReply } from '../../kernel/model-capability.ts';
import type { ModelToolCall } from '../../kernel/model-tools.ts';
import type { ModelUsage } from '../../kernel/run-event.ts';
import type { AskOptions } from '../model-provider.ts';
import type { StreamNotes } from './chat-stream.ts';
import { type SdkOptions, writeProviderState } from './provider-state.ts';

type Part = TextStreamPart<ToolSet>;
type FinishPart = Extract<Part, { readonly type: 'finish' }>;

/**
 * Reads to the end and passes the pieces on. A chunk that the SDK cannot read is left out, unless it reports an error.
 * @param model as it was asked for
 * @param notes counts the chunks that were left out
 * @throws what the stream reports as an error; Error when it ends unfinished; the signal's reason
 */
export async function readSdkAnswer(
  parts: AsyncIterable<Part>,
  model: string,
  { signal, onText, onReasoning }: Required<AskOptions>,
  notes: Pick<StreamNotes, 'lost'>,
): Promise<ModelReply> {
  const got = new GotParts();
  for await (const part of parts) {
    if (part.type === 'error') {
      const failure = failureIn(part.error);
      if (failure !== undefined) throw failure;
      notes.lost++;
      continue;
    }
    if (part.type === 'finish') return got.reply(notes.lost > 0 ? withoutLost(part) : part, model);
    got.take(part);
    if (part.type === 'text-delta') onText(part.text);
    else if (part.type === 'reasoning-delta') onReasoning(part.text);
  }
  signal.throwIfAborted();
  throw unfinished();
}

/** The failure that an error of the SDK stands for; undefined = a chunk could not be read, and it is not an error in an unknown shape. */
function failureIn(error: unknown): unknown {
  if (!(error instanceof Error) || !/^AI_(?:TypeValidation|JSONParse)Error$/.test(error.name)) return error;
  const value = 'value' in error ? error.value : undefined;
  const isFailure = typeof value === 'object' && value !== null && 'error' in value && Boolean(value.error);
  return isFailure ? value : undefined;
}

/** After an unreadable chunk the SDK for OpenAI calls every end an error. Only a complete answer has its usage. */
function withoutLost(part: FinishPart): FinishPart {
  const isCalledError = part.finishReason === 'error' && part.rawFinishReason === undefined;
  return isCalledError && part.totalUsage.inputTokens !== undefined ? { ...part, finishReason: 'stop' } : part;
}

class GotParts {
  #text = '';
  #upstreamModel = '';
  /** By the SDK's id, in order. */
  readonly #thoughts = new Map<string, { text: string; options: SdkOptions | undefined }>();
  readonly #calls: ModelToolCall[] = [];
  readonly #signatures: Record<string, SdkOptions> = {};

  take(part: Part): void {
    switch (part.type) {
      case 'text-delta':
        this.#text += part.text;
        break;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#think(part);
        break;
      case 'tool-call':
        this.#call(part);
        break;
      case 'finish-step':
        this.#upstreamModel = part.response.modelId;
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
      ...usageOf(part.totalUsage),
      ...(reasoning === '' ? {} : { reasoning }),
      ...(upstreamModel === model || upstreamModel === '' ? {} : { upstreamModel }),
      ...this.#called(),
    };
  }

  /** A signature comes behind the words that it signs, in a piece without words. */
  #think(part: Extract<Part, { readonly type: `reasoning-${string}` }>): void {
    const thought = this.#thoughts.get(part.id) ?? { text: '', options: undefined };
    this.#thoughts.set(part.id, thought);
    if (part.type === 'reasoning-delta') thought.text += part.text;
    thought.options = part.providerMetadata ?? thought.options;
  }

  /** Some hosts give all calls one id; what a call gave must be told from the others. */
  #call({ toolCallId, toolName, input, providerMetadata }: Extract<Part, { readonly type: 'tool-call' }>): void {
    const isKnown = this.#calls.some(({ id }) => id === toolCallId);
    const id = isKnown || toolCallId === '' ? `${toolCallId}call-${this.#calls.length}` : toolCallId;
    // It was read from JSON text, or is that text.
    this.#calls.push({ id, name: toolName, input: input as JsonValue });
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

/** Without a reason of the provider's own, the connection ended before the answer did. */
function finishReasonOf({ finishReason, rawFinishReason }: FinishPart): string {
  if (finishReason === 'other' && rawFinishReason === undefined) throw unfinished();
  // The SDK has no name for a refusal.
  if (rawFinishReason === 'refusal') return rawFinishReason;
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
