/**
 * `ai_response`: the answer of a model as scripts see it. What is not known is absent, so that it is nil.
 */
import type { JsonMap } from '../flowspec/json-value.ts';
import type { ModelAnswer } from '../kernel/ask-model.ts';
import type { ModelUsage } from '../kernel/run-event.ts';
import type { AgentOptions } from './agent-doc.ts';

/** Makes it of an answer and the options it was asked with. */
export function aiResponseOf(answer: ModelAnswer, options: AgentOptions): JsonMap {
  const { target, reply, durationMs } = answer;
  return {
    ...(reply.text === '' ? {} : { content: reply.text }),
    ...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
    model_name: target.model,
    adapter_kind: target.adapterKind,
    usage: usageOf(reply.usage),
    ...(reply.costUsd === undefined ? {} : { price_usd: reply.costUsd }),
    duration_sec: Math.round(durationMs) / 1000,
    info: infoOf(answer, options),
  };
}

/** The tables of details are always there. */
function usageOf(usage: ModelUsage | undefined): JsonMap {
  if (usage === undefined) return { prompt_tokens_details: {}, completion_tokens_details: {} };
  const { promptTokens, completionTokens, cachedTokens, cacheCreationTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    prompt_tokens_details: {
      ...(cachedTokens === undefined ? {} : { cached_tokens: cachedTokens }),
      ...(cacheCreationTokens === undefined ? {} : { cache_creation_tokens: cacheCreationTokens }),
    },
    completion_tokens_details: reasoningTokens === undefined ? {} : { reasoning_tokens: reasoningTokens },
  };
}

/** One line for people. */
function infoOf({ target, reply, durationMs }: ModelAnswer, { temperature, top_p: topP }: AgentOptions): string {
  const { usage, costUsd, upstreamModel } = reply;
  const hasOtherName = upstreamModel !== undefined && upstreamModel !== target.model;
  return [
    `Duration: ${(durationMs / 1000).toFixed(3)}s`,
    ...(costUsd === undefined ? [] : [`~$${costUsd}`]),
    ...(usage === undefined ? [] : tokenTexts(usage)),
    hasOtherName ? `Model: ${target.model} (${upstreamModel})` : `Model: ${target.model}`,
    `Adapter: ${target.adapterKind}`,
    ...(temperature === undefined ? [] : [`Temperature: ${temperature}`]),
    ...(topP === undefined ? [] : [`top_p: ${topP}`]),
  ].join(' | ');
}

function tokenTexts({ promptTokens, completionTokens, cachedTokens, reasoningTokens }: ModelUsage): string[] {
  const cached = cachedTokens === undefined ? '' : ` (cached: ${cachedTokens})`;
  const reasoning = reasoningTokens === undefined ? '' : ` (reasoning: ${reasoningTokens})`;
  return [`Prompt Tokens: ${promptTokens}${cached}`, `Completion Tokens: ${completionTokens}${reasoning}`];
}
