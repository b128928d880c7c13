/**
 * Providers that need no settings but a key. Addresses and names of keys are those of the providers' own documentation;
 * the names of the providers are those that agent packs use.
 */
import type { ProviderConfig, ProviderKind } from './provider-config.ts';

function hosted(baseUrl: string, apiKeyEnv: string, kind: ProviderKind = 'openai-compatible'): ProviderConfig {
  return { kind, baseUrl, apiKeyEnv };
}

const kimi = hosted('https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY');

/** By name. An entry `[providers.NAME]` of the settings overrides one. */
export const knownProviders: ReadonlyMap<string, ProviderConfig> = new Map<string, ProviderConfig>([
  ['openai', hosted('https://api.openai.com/v1', 'OPENAI_API_KEY', 'openai')],
  ['anthropic', hosted('https://api.anthropic.com/v1', 'ANTHROPIC_API_KEY', 'anthropic')],
  ['gemini', hosted('https://generativelanguage.googleapis.com/v1beta', 'GEMINI_API_KEY', 'gemini')],
  ['ollama', { kind: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' }],
  ['groq', hosted('https://api.groq.com/openai/v1', 'GROQ_API_KEY')],
  ['deepseek', hosted('https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY')],
  ['xai', hosted('https://api.x.ai/v1', 'XAI_API_KEY')],
  ['together', hosted('https://api.together.xyz/v1', 'TOGETHER_API_KEY')],
  ['fireworks', hosted('https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY')],
  ['nebius', hosted('https://api.tokenfactory.nebius.com/v1', 'NEBIUS_API_KEY')],
  ['zai', hosted('https://api.z.ai/api/paas/v4', 'ZAI_API_KEY')],
  ['kimi', kimi],
  ['moonshot', kimi],
  ['minimax', hosted('https://api.minimax.io/v1', 'MINIMAX_API_KEY')],
  ['mimo', hosted('https://api.xiaomimimo.com/v1', 'MIMO_API_KEY')],
  ['cohere', hosted('https://api.cohere.ai/compatibility/v1', 'COHERE_API_KEY')],
]);
