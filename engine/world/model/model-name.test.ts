import { expect, test } from 'vitest';
import { modelAliases } from './model-data.ts';
import { parseModelName, splitEffort } from './model-name.ts';
import { knownProviders } from './provider-config.ts';

test.each([
  ['groq::openai/gpt-oss-20b', 'groq', 'openai/gpt-oss-20b'],
  ['local::org/model::tag', 'local', 'org/model::tag'],
  ['fireworks::glm-5p2', 'fireworks', 'accounts/fireworks/models/glm-5p2'],
  ['fireworks::accounts/me/models/tuned', 'fireworks', 'accounts/me/models/tuned'],
  ['together::glm-5p2', 'together', 'glm-5p2'],
  ['qwen_cloud::qwen3.8-max', 'qwen_cloud', 'qwen3.8-max'],
  ['gpt-5-mini', 'openai', 'gpt-5-mini'],
  ['chatgpt-4o-latest', 'openai', 'chatgpt-4o-latest'],
  ['ft:gpt-4o-mini:mine', 'openai', 'ft:gpt-4o-mini:mine'],
  ['o3', 'openai', 'o3'],
  ['o4-mini-high', 'openai', 'o4-mini-high'],
  ['gpt-oss-20b', 'ollama', 'gpt-oss-20b'],
  ['claude-sonnet-4-5', 'anthropic', 'claude-sonnet-4-5'],
  ['gemini-2.5-flash', 'gemini', 'gemini-2.5-flash'],
  ['command-r', 'cohere', 'command-r'],
  ['deepseek-chat', 'deepseek', 'deepseek-chat'],
  ['deepseek-r1', 'ollama', 'deepseek-r1'],
  ['grok-4', 'xai', 'grok-4'],
  ['MiniMax-M3', 'minimax', 'MiniMax-M3'],
  ['kimi-k2:cloud', 'ollama', 'kimi-k2:cloud'],
  ['gemma:2b', 'ollama', 'gemma:2b'],
  ['anything', 'ollama', 'anything'],
])('%s is a model of %s', (text, provider, model) => {
  expect(parseModelName(text)).toEqual({ provider, model });
});

test('every built-in alias names a model of a known provider', () => {
  const providers = Object.values(modelAliases).map((name) => parseModelName(name)?.provider ?? '');
  expect(providers.filter((provider) => !knownProviders.has(provider))).toEqual([]);
  expect(parseModelName(modelAliases['f-glm-air'] ?? '')?.model).toBe('accounts/fireworks/models/glm-4p5-air');
});

test.each(['', 'local::', '::model'])('%j is not a model name', (text) => {
  expect(parseModelName(text)).toBeUndefined();
});

test.each([
  ['gpt-5-low', 'gpt-5', 'low'],
  ['gpt-5-xhigh', 'gpt-5', 'xhigh'],
  ['gemini-2.5-flash-zero', 'gemini-2.5-flash', 'none'],
  ['gpt-5', 'gpt-5', undefined],
  ['gpt-5.1-codex-max', 'gpt-5.1-codex-max', undefined],
  ['gpt-5.1-codex-max-high', 'gpt-5.1-codex-max', 'high'],
  ['mistral-medium', 'mistral-medium', undefined],
  ['qwen3.8-max', 'qwen3.8-max', undefined],
  ['yellow', 'yellow', undefined],
])('%s requests %s with the effort %s', (name, model, effort) => {
  expect(splitEffort(name)).toEqual(effort === undefined ? { model } : { model, effort });
});
