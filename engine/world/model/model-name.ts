/**
 * Parses model names: the provider of a bare name, and the reasoning effort in its suffix.
 */

/** How much a model should think before it responds. */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface ModelName {
  readonly provider: string;
  /** Model name with its suffix. */
  readonly model: string;
}

/** Providers by the pattern of their model names; the first match wins. */
const prefixes: readonly (readonly [RegExp, string])[] = [
  [/^(?:ft:)?(?:gpt-(?!oss)|chatgpt|codex-|o\d(?:-|$))/, 'openai'],
  // A name with a tag (`gemma:2b`) is always a local model.
  [/:/, 'ollama'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'gemini'],
  [/^command(?:-|$)/, 'cohere'],
  // Other models with this prefix run locally.
  [/^deepseek-(?:chat|reasoner|v\d)/, 'deepseek'],
  [/^grok-/, 'xai'],
  [/^glm-/, 'zai'],
  [/^(?:kimi|moonshot)-/, 'kimi'],
  [/^minimax-/i, 'minimax'],
  [/^mimo-/, 'mimo'],
];

/** The path of the models that Fireworks itself hosts, as in its documentation. */
const fireworksModels = 'accounts/fireworks/models/';

/**
 * Splits `provider::model`, or finds the provider of a bare name by its prefix; other names are models of the local
 * Ollama. A model of `fireworks` without a path gets the path of the models that Fireworks hosts itself.
 * @returns undefined if the name has an empty provider or model around the `::`
 */
export function parseModelName(text: string): ModelName | undefined {
  const at = text.indexOf('::');
  if (at === -1) return text === '' ? undefined : { provider: providerOf(text), model: text };
  const [provider, model] = [text.slice(0, at), text.slice(at + 2)];
  if (provider === '' || model === '') return undefined;
  const isShort = provider === 'fireworks' && !model.includes('/');
  return { provider, model: isShort ? fireworksModels + model : model };
}

function providerOf(model: string): string {
  return prefixes.find(([prefix]) => prefix.test(model))?.[1] ?? 'ollama';
}

const suffix = /-(none|zero|minimal|low|medium|high|xhigh|max)$/;

/** Models with a suffix that is part of their name. */
const wholeNames = /(?:codex-max|(?:mistral|magistral|devstral|codestral)-medium|qwen[\w.]*-max)$/i;

/** Splits off the suffix for the reasoning effort, such as `-low`. */
export function splitEffort(model: string): { readonly model: string; readonly effort?: ReasoningEffort } {
  const ending = suffix.exec(model)?.[1];
  if (ending === undefined || wholeNames.test(model)) return { model };
  const effort = ending === 'zero' ? 'none' : (ending as ReasoningEffort);
  return { model: model.slice(0, -ending.length - 1), effort };
}
