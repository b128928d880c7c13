/**
 * How to reach a provider of models: kinds of wire format, and an entry `[providers.NAME]` of the settings.
 */
import { z } from 'zod';

/** The wire formats we speak. Ollama's is OpenAI's chat completions, on this machine and without a key. */
export const providerKinds = ['openai', 'anthropic', 'gemini', 'openai-compatible', 'ollama'] as const;

export type ProviderKind = (typeof providerKinds)[number];

/** How to reach one provider. */
export interface ProviderConfig {
  readonly kind: ProviderKind;
  /** Where the API begins, with its version, for example `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Name of the environment variable that holds the key; absent = the provider asks for none. */
  readonly apiKeyEnv?: string;
}

const kindList = providerKinds.map((kind) => `"${kind}"`).join(', ');
const address = 'must be an http or https address';

/** An entry as it stands in a file; a known provider's may leave everything out. */
export const providerEntry = z.looseObject({
  kind: z.exactOptional(z.enum(providerKinds, { error: `must be one of ${kindList}` })),
  base_url: z.exactOptional(z.url({ protocol: /^https?$/, error: address })),
  api_key_env: z.exactOptional(
    z
      .string({ error: 'must be the name of an environment variable' })
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable, not a key'),
  ),
});

type ProviderEntry = z.infer<typeof providerEntry>;

/**
 * The whole config of an entry.
 * @param known what is known without settings: of a provider by name
 * @param ofKind what is known of the kinds
 * @returns the config, or what is missing of it as a sentence without subject
 */
export function completeEntry(
  entry: ProviderEntry,
  known: ProviderConfig | undefined,
  ofKind: ReadonlyMap<string, ProviderConfig>,
): ProviderConfig | string {
  const kind = entry.kind ?? known?.kind;
  if (kind === undefined) return `kind must be one of ${kindList}`;
  // Kinds that have one well-known address are called as the provider is.
  const defaults = known?.kind === kind ? known : ofKind.get(kind);
  const baseUrl = entry.base_url ?? defaults?.baseUrl;
  if (baseUrl === undefined) return `base_url ${address}`;
  const apiKeyEnv = entry.api_key_env ?? defaults?.apiKeyEnv;
  return { kind, baseUrl, ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }) };
}

/** The address without what may be secret in it: name, password and parameters. */
export function shownAddress({ baseUrl }: ProviderConfig): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`;
}
