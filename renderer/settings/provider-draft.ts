/**
 * What is typed into the form of a provider, and what is wrong with it.
 */
import type { Provider, ProviderDraft } from '../stores/window/preferences.ts';

export const kindNames: Readonly<Record<Provider['kind'], string>> = {
  'openai-compatible': 'OpenAI-compatible',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  ollama: 'Ollama',
};

export type DraftProblems = { readonly [Name in keyof ProviderDraft | 'key']?: string };

/** The form of a provider; of a new one without. */
export function draftOf(provider: Provider | null): ProviderDraft {
  if (provider === null) return { name: '', kind: 'openai-compatible', baseUrl: '', keyVariable: '' };
  const { name, kind, baseUrl, keyVariable } = provider;
  return { name, kind, baseUrl, keyVariable: keyVariable ?? '' };
}

/** Whether the provider itself is another one after saving, and not only its key. */
export function differs(draft: ProviderDraft, provider: Provider | null): boolean {
  const before = draftOf(provider);
  return (Object.keys(before) as (keyof ProviderDraft)[]).some((name) => before[name] !== draft[name]);
}

/** Under which a key is kept when none was named: `MY_CLOUD_API_KEY` for `my-cloud`. */
export function variableFor(name: string): string {
  return `${name.toUpperCase().replace(/\W/g, '_')}_API_KEY`;
}

/** Problems by field; none = it can be saved. */
export function problemsOf(draft: ProviderDraft, key: string, taken: readonly string[]): DraftProblems {
  const { name, kind, baseUrl, keyVariable } = draft;
  const namePattern = /^[a-zA-Z][\w-]{0,99}$/;
  return {
    ...(namePattern.test(name) ? {} : { name: 'Begin with a letter; then letters, digits, _ and -.' }),
    ...(taken.includes(name) ? { name: 'There is one of that name already.' } : {}),
    ...(isAddress(baseUrl) ? {} : { baseUrl: 'An address begins with http:// or https://.' }),
    ...(kind === 'openai-compatible' && baseUrl === '' ? { baseUrl: 'This kind needs an address.' } : {}),
    ...(/^([A-Za-z_]\w{0,199})?$/.test(keyVariable) ? {} : { keyVariable: 'Take letters, digits and _.' }),
    ...(/^[\x21-\x7e]{0,10000}$/.test(key) ? {} : { key: 'A key has no spaces and no accented letters.' }),
  };
}

function isAddress(text: string): boolean {
  return text === '' || (/^https?:\/\//i.test(text) && URL.canParse(text));
}
