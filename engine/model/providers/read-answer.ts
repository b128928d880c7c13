/**
 * The SDK's stream of parts → our reply.
 */
import type { LanguageModelUsage, TextStreamPart, ToolSet } from 'ai';
import type { ModelReply } from '../../kernel/capabilities.ts';
import type { ModelUsage } from '../../kernel/run-event.ts';
import type { AskOptions } from '../model-provider.ts';

type Part = TextStreamPart<ToolSet>;
type FinishPart = Extract<Part, { readonly type: 'finish' }>;

/**
 * Reads to the end and passes the pieces on.
 * @param model as it was asked for
 * @throws what the stream tells as an error; Error when it ends unfinished; the signal's reason
 */
export async function readAnswer(
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
