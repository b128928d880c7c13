/** Names of models of other programs as `provider::model`. */

/**
 * Providers by a part of the name that other programs give their chat models; the first match counts. Empty for providers
 * that flows do not have.
 */
const providers: readonly (readonly [part: RegExp, provider: string])[] = [
  [/openrouter|azure|mistral|bedrock|vertex/i, ''],
  [/anthropic|claude/i, 'anthropic'],
  [/gemini|google/i, 'gemini'],
  [/ollama/i, 'ollama'],
  [/groq/i, 'groq'],
  [/deepseek/i, 'deepseek'],
  [/xai|grok/i, 'xai'],
  [/cohere/i, 'cohere'],
  [/openai|^chat$/i, 'openai'],
];

/** Returns a model as flows name it; undefined if the name or the provider is unknown. */
export function modelName(type: string, name: string): string | undefined {
  const provider = providers.find(([part]) => part.test(type))?.[1];
  const bare = name.replace(/^models\//, '').trim();
  return provider === undefined || provider === '' || bare === '' || bare.includes('{{')
    ? undefined
    : `${provider}::${bare}`;
}
