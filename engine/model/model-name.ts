/**
 * Names of models: which provider a bare name belongs to, and how much thinking its ending asks for.
 */

/** How much a model should think before it answers. */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface ModelName {
  readonly provider: string;
  /** With its ending. */
  readonly model: string;
}

/** Whose models begin like that; the first that fits counts. */
const prefixes: readonly (readonly [RegExp, string])[] = [
  [/^(?:ft:)?(?:gpt-(?!oss)|chatgpt|codex-|o\d(?:-|$))/, 'openai'],
  // What has a tag (`gemma:2b`) is a local model, whatever it is called.
  [/:/, 'ollama'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'gemini'],
  [/^command(?:-|$)/, 'cohere'],
  // Others that are called so run on this machine.
  [/^deepseek-(?:chat|reasoner|v\d)/, 'deepseek'],
  [/^grok-/, 'xai'],
  [/^glm-/, 'zai'],
  [/^(?:kimi|moonshot)-/, 'kimi'],
  [/^minimax-/i, 'minimax'],
  [/^mimo-/, 'mimo'],
];

/** Where Fireworks keeps the models that are its own, as its documentation names them. */
const fireworksModels = 'accounts/fireworks/models/';

/**
 * Takes `provider::model` apart, and finds the provider of a bare name by how it begins; what nobody claims is a model of
 * the local Ollama. A model of `fireworks` without a path is one of its own.
 * @returns undefined for a name without a provider or without a model before or behind the `::`
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

/** Models that are really called so. */
const wholeNames = /(?:codex-max|(?:mistral|magistral|devstral|codestral)-medium|qwen[\w.]*-max)$/i;

/** Takes the ending off that says how much to think, such as `-low`. */
export function splitEffort(model: string): { readonly model: string; readonly effort?: ReasoningEffort } {
  const ending = suffix.exec(model)?.[1];
  if (ending === undefined || wholeNames.test(model)) return { model };
  const effort = ending === 'zero' ? 'none' : (ending as ReasoningEffort);
  return { model: model.slice(0, -ending.length - 1), effort };
}
