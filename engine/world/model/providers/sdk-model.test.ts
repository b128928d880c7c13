import { expect, test } from 'vitest';
import { systemClock } from '../../../base/clock.ts';
import { startModelServer } from '../../../testing/model-server.ts';
import type { ProviderRequest } from '../model-provider.ts';
import type { ProviderKind } from '../provider-config.ts';
import { createSdkProvider } from './sdk-provider.ts';

/** Returns the body of the request that a provider of this kind sends. */
async function bodyOf(kind: ProviderKind, request: Partial<ProviderRequest>): Promise<unknown> {
  const server = await startModelServer(kind);
  try {
    const config = { kind, baseUrl: server.baseUrl, apiKeyEnv: 'A_KEY' };
    const provider = createSdkProvider({ name: 'test', config, keyOf: () => 'a key', clock: systemClock });
    const options = { signal: new AbortController().signal, onText: () => {} };
    await provider.ask({ model: 'tiny', messages: [{ role: 'user', content: 'Hello?' }], ...request }, options);
    return server.received[0]?.body;
  } finally {
    await server.close();
  }
}

test.each([
  ['openai', 'gpt-5', 'high', { reasoning: { effort: 'high' } }],
  ['openai', 'gpt-5.4', 'none', { reasoning: { effort: 'none' } }],
  ['openai-compatible', 'openai/gpt-oss-20b', 'low', { reasoning_effort: 'low' }],
  ['openai-compatible', 'openai/gpt-oss-20b', 'max', { reasoning_effort: 'high' }],
  ['ollama', 'gpt-oss:20b', 'medium', { reasoning_effort: 'medium' }],
  ['anthropic', 'claude-sonnet-4-5', 'low', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
  ['anthropic', 'claude-opus-4-1-20250805', 'max', { thinking: { type: 'enabled', budget_tokens: 30_000 } }],
  ['anthropic', 'claude-opus-4-8', 'high', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
  ['anthropic', 'claude-haiku-4-5', 'none', { thinking: { type: 'disabled' } }],
  ['gemini', 'gemini-2.5-flash', 'none', { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }],
  ['gemini', 'gemini-2.5-pro', 'none', { generationConfig: { thinkingConfig: { thinkingBudget: 128 } } }],
  ['gemini', 'gemini-2.5-pro', 'high', { generationConfig: { thinkingConfig: { thinkingBudget: 24_576 } } }],
  [
    'gemini',
    'gemini-3-flash-preview',
    'minimal',
    { generationConfig: { thinkingConfig: { thinkingLevel: 'minimal' } } },
  ],
  ['gemini', 'gemini-3-pro-preview', 'none', { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } }],
  ['gemini', 'gemini-3-pro-preview', 'max', { generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } }],
] as const)('%s requests %s with the effort %s in its own format', async (...[kind, model, effort, words]) => {
  expect(await bodyOf(kind, { model, effort })).toMatchObject(words);
});

test('sends no reasoning options without an effort', async () => {
  for (const kind of ['openai', 'anthropic', 'gemini', 'openai-compatible'] as const) {
    expect(JSON.stringify(await bodyOf(kind, {}))).not.toMatch(/think|effort/);
  }
});

test('marks for Anthropic what to cache', async () => {
  const messages = [
    { role: 'system', content: 'Long rules.', cache: true },
    { role: 'user', content: 'A long text', cache: true },
    { role: 'user', content: 'A question' },
  ] as const;
  const body = await bodyOf('anthropic', { messages });
  const mark = { cache_control: { type: 'ephemeral' } };
  expect(body).toMatchObject({
    system: [{ text: 'Long rules.', ...mark }],
    messages: [{ role: 'user', content: [{ text: 'A long text', ...mark }, { text: 'A question' }] }],
  });
  expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(2);
});

test('sends OpenAI the cache key of a request and disables storage of responses', async () => {
  expect(await bodyOf('openai', { cacheKey: 'session-1' })).toMatchObject({
    prompt_cache_key: 'session-1',
    store: false,
  });
});
