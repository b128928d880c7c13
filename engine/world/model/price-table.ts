/**
 * Public list prices of models, in US dollars per million tokens. Source: the pages of the providers
 * (anthropic.com/pricing, openai.com/api/pricing, ai.google.dev/gemini-api/docs/pricing, docs.x.ai, groq.com/pricing,
 * platform.moonshot.ai, platform.minimax.io, fireworks.ai/pricing, cohere.com/pricing), as collected by the project
 * genai-prices (MIT), version 0.1.8. Copied on 2026-11-22.
 *
 * Omitted: uncertain prices, such as those that depend on the time of day (DeepSeek), and prices of anything except
 * text. Prices of batches and of priority service are not included.
 */
import { dialedHost } from '../../base/web-address.ts';
import type { ModelUsage } from '../../runtime/kernel/events/run-event.ts';

/** Prices per million tokens. */
interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Price of prompt tokens read from the provider's cache; defaults to `input`. */
  readonly cached?: number;
  /** Price of prompt tokens written to the cache; defaults to `input`. */
  readonly cacheWrite?: number;
}

interface ModelPrice extends TokenPrices {
  /** Prices of all tokens if the prompt has more than this number. */
  readonly above?: TokenPrices & { readonly tokens: number };
}

/** @param more price of cached tokens, then of tokens written to the cache */
function tokens(input: number, output: number, ...more: readonly number[]): TokenPrices {
  const [cached, cacheWrite] = more;
  return {
    input,
    output,
    ...(cached === undefined ? {} : { cached }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

/** Prices by API host and model name without a version date. */
export const priceTable: Readonly<Record<string, Readonly<Record<string, ModelPrice>>>> = {
  'api.anthropic.com': {
    'claude-3-5-haiku': tokens(0.8, 4, 0.08, 1),
    'claude-3-7-sonnet': tokens(3, 15, 0.3, 3.75),
    'claude-fable-5': tokens(10, 50, 1, 12.5),
    'claude-fable-5-1': tokens(10, 50, 0.25, 12.5),
    'claude-haiku-4-5': tokens(1, 5, 0.1, 1.25),
    'claude-opus-4-0': tokens(15, 75, 1.5, 18.75),
    'claude-opus-4-1': tokens(15, 75, 1.5, 18.75),
    'claude-opus-4-5': tokens(5, 25, 0.5, 6.25),
    'claude-opus-4-6': tokens(5, 25, 0.5, 6.25),
    'claude-opus-4-7': tokens(5, 25, 0.5, 6.25),
    'claude-opus-4-8': tokens(5, 25, 0.5, 6.25),
    'claude-opus-5': tokens(5, 25, 0.5, 6.25),
    'claude-opus-5-5': tokens(4, 20, 0.2, 5),
    'claude-sonnet-4-0': tokens(3, 15, 0.3, 3.75),
    'claude-sonnet-4-5': { ...tokens(3, 15, 0.3, 3.75), above: { tokens: 200_000, ...tokens(6, 22.5, 0.6, 7.5) } },
    'claude-sonnet-4-6': tokens(3, 15, 0.3, 3.75),
    'claude-sonnet-5': tokens(2, 10, 0.2, 2.5),
    'claude-opus-4': tokens(15, 75, 1.5, 18.75),
    'claude-sonnet-4': tokens(3, 15, 0.3, 3.75),
  },
  'api.cohere.ai': {
    command: tokens(1, 2),
    'command-a': tokens(2.5, 10),
    'command-r': tokens(0.15, 0.6),
    'command-r-plus': tokens(2.5, 10),
    'command-r7b': tokens(0.0375, 0.15),
  },
  'api.fireworks.ai': {
    'accounts/fireworks/models/glm-5p2': tokens(1.4, 4.4, 0.14),
    'accounts/fireworks/routers/glm-5p2-fast': tokens(2.1, 6.6, 0.21),
    'accounts/fireworks/models/gpt-oss-120b': tokens(0.15, 0.6, 0.014),
    'accounts/fireworks/models/gpt-oss-20b': tokens(0.07, 0.3, 0.035),
    'accounts/fireworks/models/kimi-k3': tokens(3, 15, 0.3),
    'accounts/fireworks/routers/kimi-k3-fast': tokens(4.5, 22.5, 0.45),
    'accounts/fireworks/models/minimax-m3': tokens(0.3, 1.2, 0.06),
    'accounts/fireworks/models/qwen3p7-plus': tokens(0.4, 1.6, 0.08),
  },
  'generativelanguage.googleapis.com': {
    'gemini-2.0-flash': tokens(0.1, 0.4, 0.025),
    'gemini-2.0-flash-lite': tokens(0.075, 0.3),
    'gemini-2.5-flash': tokens(0.3, 2.5, 0.03),
    'gemini-2.5-flash-lite': tokens(0.1, 0.4, 0.01),
    'gemini-2.5-pro': { ...tokens(1.25, 10, 0.125), above: { tokens: 200_000, ...tokens(2.5, 15, 0.25) } },
    'gemini-3-flash-preview': tokens(0.5, 3, 0.05),
    'gemini-3-pro-preview': { ...tokens(2, 12, 0.2), above: { tokens: 200_000, ...tokens(4, 18, 0.4) } },
    'gemini-3.1-flash-lite': tokens(0.25, 1.5, 0.025),
    'gemini-3.1-pro-preview': { ...tokens(2, 12, 0.2), above: { tokens: 200_000, ...tokens(4, 18, 0.4) } },
    'gemini-3.5-flash': tokens(1.5, 9, 0.15),
    'gemini-3.5-flash-lite': tokens(0.3, 2.5, 0.03),
    'gemini-3.6-flash': tokens(0.75, 3.75, 0.075),
    'gemini-3.7-flash': tokens(0.75, 3.75, 0.075),
    'gemini-3.8-flash': tokens(0.75, 3.75, 0.075),
  },
  'api.groq.com': {
    'llama-3.1-8b-instant': tokens(0.05, 0.08),
    'llama-3.3-70b-versatile': tokens(0.59, 0.79),
    'meta-llama/llama-4-maverick-17b-128e-instruct': tokens(0.2, 0.6),
    'meta-llama/llama-4-scout-17b-16e-instruct': tokens(0.11, 0.34),
    'openai/gpt-oss-120b': tokens(0.15, 0.6, 0.075),
    'openai/gpt-oss-20b': tokens(0.075, 0.3, 0.0375),
    'qwen/qwen3-32b': tokens(0.29, 0.59),
  },
  'api.minimax.io': {
    'MiniMax-M2': tokens(0.3, 1.2, 0.03, 0.375),
    'MiniMax-M2.1-highspeed': tokens(0.6, 2.4, 0.03),
    'MiniMax-M2.5-highspeed': tokens(0.6, 2.4, 0.03),
    'MiniMax-M2.7': tokens(0.3, 1.2, 0.06, 0.375),
    'MiniMax-M2.7-highspeed': tokens(0.6, 2.4, 0.06),
    'minimax-m3': { ...tokens(0.3, 1.2, 0.06), above: { tokens: 512_000, ...tokens(0.6, 2.4, 0.12) } },
    'MiniMax-M3': { ...tokens(0.3, 1.2, 0.06), above: { tokens: 512_000, ...tokens(0.6, 2.4, 0.12) } },
  },
  'api.moonshot.ai': {
    'kimi-k2.5': tokens(0.6, 3, 0.1),
    'kimi-k2.6': tokens(0.95, 4, 0.16),
    'kimi-k2.7-code': tokens(0.95, 4, 0.19),
    'kimi-k2.7-code-highspeed': tokens(1.9, 8, 0.38),
    'kimi-k3': tokens(3, 15, 0.3),
  },
  'api.openai.com': {
    'gpt-4.1': tokens(2, 8, 0.5),
    'gpt-4.1-mini': tokens(0.4, 1.6, 0.1),
    'gpt-4.1-nano': tokens(0.1, 0.4, 0.025),
    'gpt-4o': tokens(2.5, 10, 1.25),
    'gpt-4o-mini': tokens(0.15, 0.6, 0.075),
    'gpt-5': tokens(1.25, 10, 0.125),
    'gpt-5-mini': tokens(0.25, 2, 0.025),
    'gpt-5-nano': tokens(0.05, 0.4, 0.005),
    'gpt-5-pro': tokens(15, 120),
    'gpt-5.1': tokens(1.25, 10, 0.125),
    'gpt-5.1-codex-mini': tokens(0.25, 2, 0.025),
    'gpt-5.2': tokens(1.75, 14, 0.175),
    'gpt-5.2-pro': tokens(21, 168),
    'gpt-5.3': tokens(1.75, 14, 0.175),
    'gpt-5.3-codex': tokens(1.75, 14, 0.175),
    'gpt-5.4': { ...tokens(2.5, 15, 0.25), above: { tokens: 272_000, ...tokens(5, 22.5, 0.5) } },
    'gpt-5.4-mini': tokens(0.75, 4.5, 0.075),
    'gpt-5.4-nano': tokens(0.2, 1.25, 0.02),
    'gpt-5.4-pro': { ...tokens(30, 180), above: { tokens: 272_000, ...tokens(60, 270) } },
    'gpt-5.5': { ...tokens(5, 30, 0.5), above: { tokens: 272_000, ...tokens(10, 45, 1) } },
    'gpt-5.5-pro': { ...tokens(30, 180), above: { tokens: 272_000, ...tokens(60, 270) } },
    'gpt-5.6-luna': { ...tokens(0.2, 1.2, 0.02, 0.25), above: { tokens: 272_000, ...tokens(0.4, 1.8, 0.04, 0.5) } },
    'gpt-5.6-sol': { ...tokens(4, 20, 0.4, 5), above: { tokens: 272_000, ...tokens(8, 30, 0.8, 10) } },
    'gpt-5.6-terra': { ...tokens(2, 12, 0.2, 2.5), above: { tokens: 272_000, ...tokens(4, 18, 0.4, 5) } },
    'gpt-6-astra': { ...tokens(10, 50, 1, 12.5), above: { tokens: 272_000, ...tokens(20, 75, 2, 25) } },
    'gpt-6-luna': { ...tokens(0.1, 0.5, 0.01, 0.125), above: { tokens: 272_000, ...tokens(0.2, 0.75, 0.02, 0.25) } },
    'gpt-6-sol': { ...tokens(2, 10, 0.2, 2.5), above: { tokens: 272_000, ...tokens(4, 15, 0.4, 5) } },
    o1: tokens(15, 60, 7.5),
    o3: tokens(2, 8, 0.5),
    'o3-mini': tokens(1.1, 4.4, 0.55),
    'o3-pro': tokens(20, 80),
    'o4-mini': tokens(1.1, 4.4, 0.275),
    'gpt-5.6': { ...tokens(4, 20, 0.4, 5), above: { tokens: 272_000, ...tokens(8, 30, 0.8, 10) } },
    'gpt-5-codex': tokens(1.25, 10, 0.125),
    'gpt-5-chat': tokens(1.25, 10, 0.125),
    'gpt-5.1-codex': tokens(1.25, 10, 0.125),
    'gpt-5.1-codex-max': tokens(1.25, 10, 0.125),
  },
  'api.x.ai': {
    'grok-3': tokens(3, 15, 0.75),
    'grok-3-fast': tokens(5, 25, 1.25),
    'grok-3-mini': tokens(0.3, 0.5, 0.075),
    'grok-3-mini-fast': tokens(0.6, 4, 0.15),
    'grok-4-0709': tokens(3, 15, 0.75),
    'grok-4-1-fast-non-reasoning': tokens(0.2, 0.5, 0.05),
    'grok-4-1-fast-reasoning': tokens(0.2, 0.5, 0.05),
    'grok-4-fast-non-reasoning': tokens(0.2, 0.5, 0.05),
    'grok-4-fast-reasoning': tokens(0.2, 0.5, 0.05),
    'grok-4.20': { ...tokens(1.25, 2.5, 0.2), above: { tokens: 200_000, ...tokens(2.5, 5, 0.4) } },
    'grok-4.20-multi-agent': tokens(2, 6, 0.2),
    'grok-4.3': { ...tokens(1.25, 2.5, 0.2), above: { tokens: 200_000, ...tokens(2.5, 5, 0.4) } },
    'grok-4.5': { ...tokens(2, 6, 0.3), above: { tokens: 200_000, ...tokens(4, 12, 0.6) } },
    'grok-4.6': { ...tokens(2, 6, 0.5), above: { tokens: 200_000, ...tokens(4, 12, 1) } },
    'grok-code-fast-1': tokens(0.2, 1.5, 0.02),
    'grok-4': tokens(3, 15, 0.75),
    'grok-4-fast': tokens(0.2, 0.5, 0.05),
    'grok-4-1-fast': tokens(0.2, 0.5, 0.05),
  },
};

/** The model that was called, and where. */
interface PricedModel {
  /** The API's URL. Prices depend on the host, not on the provider's name in the settings. */
  readonly address: string;
  /** The provider's own name, without a suffix for the reasoning effort. */
  readonly model: string;
}

/**
 * Returns the cost of one request in US dollars at public list prices.
 * @returns undefined if the price or the usage is not known, because no number is better than a wrong one
 */
export function costOf(asked: PricedModel, usage: ModelUsage | undefined): number | undefined {
  const price = usage === undefined ? undefined : findPrice(asked);
  if (price === undefined || usage === undefined) return undefined;
  const { promptTokens, completionTokens, cachedTokens = 0, cacheCreationTokens = 0 } = usage;
  const rates: TokenPrices = price.above !== undefined && promptTokens > price.above.tokens ? price.above : price;
  const plainTokens = Math.max(0, promptTokens - cachedTokens - cacheCreationTokens);
  const perMillion =
    plainTokens * rates.input +
    cachedTokens * (rates.cached ?? rates.input) +
    cacheCreationTokens * (rates.cacheWrite ?? rates.input) +
    completionTokens * rates.output;
  return perMillion / 1_000_000;
}

/** A dated version costs the same as its model. */
const versions = /[-@](?:20\d{6}|20\d\d-\d\d-\d\d|latest)$/;

function findPrice({ address, model }: PricedModel): ModelPrice | undefined {
  const host = dialedHost(new URL(address));
  const prices = Object.hasOwn(priceTable, host) ? priceTable[host] : undefined;
  if (prices === undefined) return undefined;
  const names = [model, model.replace(versions, '')];
  const name = names.find((one) => Object.hasOwn(prices, one));
  return name === undefined ? undefined : prices[name];
}
