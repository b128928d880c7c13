/**
 * Creates the SDK model for each kind of provider, with the options of the kind. Loads only the SDK of that kind.
 */
import type { OpenAIProvider } from '@ai-sdk/openai';
import type { ReasoningEffort } from '../model-name.ts';
import type { ProviderRequest } from '../model-provider.ts';
import type { ProviderConfig } from '../provider-config.ts';
import type { AnswerFormat } from './answer-format.ts';

/** The common interface of all models. */
type LanguageModel = ReturnType<OpenAIProvider['responses']>;

/** Options of a model call. */
export type SdkCall = Parameters<LanguageModel['doStream']>[0];

/** A model's stream. */
export type SdkStream = Awaited<ReturnType<LanguageModel['doStream']>>['stream'];

/** Provider-specific options by kind. */
export type SdkOptions = NonNullable<SdkCall['providerOptions']>;

/** A model, and the options for each request to it. */
export interface SdkModel {
  readonly model: LanguageModel;
  readonly providerOptions: SdkOptions;
}

export interface SdkConnection {
  readonly name: string;
  readonly config: ProviderConfig;
  /** Undefined for a provider without keys. */
  readonly key: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Loads the SDK of the kind and creates the model for the request. URLs and keys are always set explicitly, never the
 * SDK's defaults.
 */
export async function loadSdkModel(
  connection: SdkConnection,
  request: ProviderRequest,
  format: AnswerFormat | undefined,
): Promise<SdkModel> {
  const { name, config, key, fetch } = connection;
  const settings = { baseURL: config.baseUrl, fetch };
  // The SDK reads an absent key from the environment, but not an empty one.
  const withKey = { ...settings, apiKey: key ?? '' };
  const { model, effort } = request;
  switch (config.kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return { model: createOpenAI(withKey).responses(model), providerOptions: openAiOptions(request, format) };
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return { model: createAnthropic(withKey)(model), providerOptions: anthropicOptions(model, effort) };
    }
    case 'gemini': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return { model: createGoogleGenerativeAI(withKey)(model), providerOptions: geminiOptions(model, effort) };
    }
    case 'openai-compatible':
    case 'ollama': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const provider = createOpenAICompatible({
        ...settings,
        name,
        includeUsage: true,
        supportsStructuredOutputs: format?.mode === 'schema',
        ...(key === undefined ? {} : { apiKey: key }),
      });
      return { model: provider(model), providerOptions: effortOption('openaiCompatible', commonEffort(effort)) };
    }
  }
}

function effortOption(provider: string, effort: ReasoningEffort | undefined): SdkOptions {
  return effort === undefined ? {} : { [provider]: { reasoningEffort: effort } };
}

/** Few hosts support other values. */
function commonEffort(effort: ReasoningEffort | undefined): ReasoningEffort | undefined {
  if (effort === 'minimal') return 'low';
  return effort === 'xhigh' || effort === 'max' ? 'high' : effort;
}

/** Disables storage of responses at OpenAI, because nothing requests them again. */
function openAiOptions({ effort, cacheKey }: ProviderRequest, format: AnswerFormat | undefined): SdkOptions {
  return {
    openai: {
      store: false,
      ...(format?.mode === 'schema' ? { strictJsonSchema: format.isStrict } : {}),
      ...effortOption('openai', effort)['openai'],
      ...(cacheKey === undefined ? {} : { promptCacheKey: cacheKey }),
    },
  };
}

/** Models with a thinking budget in tokens; later ones have an effort. */
const budgetClaude = /claude-(?:3|(?:opus|sonnet|haiku)-4(?:-[015])?(?:-\d{8})?$)/;

/** Below these models' smallest output limit. */
const claudeBudgets = { minimal: 1024, low: 1024, medium: 8000, high: 24_000, xhigh: 30_000, max: 30_000 } as const;

function anthropicOptions(model: string, effort: ReasoningEffort | undefined): SdkOptions {
  if (effort === undefined) return {};
  if (effort === 'none') return { anthropic: { thinking: { type: 'disabled' } } };
  if (budgetClaude.test(model)) {
    return { anthropic: { thinking: { type: 'enabled', budgetTokens: claudeBudgets[effort] } } };
  }
  const thinking = { type: 'adaptive', display: 'summarized' };
  return { anthropic: { thinking, effort: effort === 'minimal' ? 'low' : effort } };
}

const geminiBudgets = { none: 0, minimal: 1024, low: 1024, medium: 8192, high: 24_576, xhigh: 24_576, max: 24_576 };

function geminiOptions(model: string, effort: ReasoningEffort | undefined): SdkOptions {
  if (effort === undefined) return {};
  const shown = { includeThoughts: effort !== 'none' };
  if (/^gemini-[12]\./.test(model)) {
    // Pro models cannot disable thinking; this is their minimum.
    const least = model.includes('-pro') ? 128 : 0;
    return { google: { thinkingConfig: { ...shown, thinkingBudget: Math.max(least, geminiBudgets[effort]) } } };
  }
  return { google: { thinkingConfig: { ...shown, thinkingLevel: geminiLevel(model, effort) } } };
}

function geminiLevel(model: string, effort: ReasoningEffort): string {
  if (effort === 'xhigh' || effort === 'max') return 'high';
  if (effort !== 'none' && effort !== 'minimal') return effort;
  return model.includes('-pro') ? 'low' : 'minimal';
}
