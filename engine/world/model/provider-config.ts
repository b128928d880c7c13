/**
 * Configuration of model providers: wire formats, and the entry `[providers.NAME]` of the settings.
 */
import { z } from 'zod';
import { late } from '../../base/late.ts';
import { addressWithoutQuery, webAddressProblem } from '../../base/web-address.ts';
import { didYouMean } from '../../language/findings/nearest.ts';
import { omittableFields } from './providers/optional-fields.ts';

/** Supported wire formats. Ollama uses OpenAI's chat completions, locally and without a key. */
export const providerKinds = ['openai', 'anthropic', 'gemini', 'openai-compatible', 'ollama'] as const;

export type ProviderKind = (typeof providerKinds)[number];

/** Connection settings of a provider. */
export interface ProviderConfig {
  readonly kind: ProviderKind;
  /** Base URL of the API with its version, for example `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Name of the environment variable with the key; absent if the provider needs none. */
  readonly apiKeyEnv?: string;
  /**
   * For `openai-compatible`: how the provider accepts the schema of a response; absent if it is described in the
   * prompt.
   */
  readonly structuredOutput?: StructuredOutput;
  /** Request fields that the provider does not accept. */
  readonly omitFields?: readonly string[];
}

const structuredOutputs = ['schema', 'json', 'none'] as const;

/** `schema`: accepts a JSON Schema; `json`: has a JSON mode; `none`: neither. */
type StructuredOutput = (typeof structuredOutputs)[number];

const kindList = providerKinds.map((kind) => `"${kind}"`).join(', ');
const address = 'must be an http or https address';

const baseAddress = () =>
  z.string({ error: address }).superRefine((text, context) => {
    const problem = webAddressProblem(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: `${address}: ${problem}` });
  });

const entryFields = late(() =>
  z.looseObject({
    kind: z.exactOptional(z.enum(providerKinds, { error: `must be one of ${kindList}` })),
    base_url: z.exactOptional(baseAddress()),
    api_key_env: z.exactOptional(
      z
        .string({ error: 'must be the name of an environment variable' })
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable, not a key'),
    ),
    structured_output: z.exactOptional(
      z.enum(structuredOutputs, { error: `must be one of ${structuredOutputs.map((one) => `"${one}"`).join(', ')}` }),
    ),
    omit_fields: z.exactOptional(
      z.array(z.enum(omittableFields, { error: `may contain ${omittableFields.join(', ')}` }), {
        error: 'must be a list of request fields',
      }),
    ),
  }),
);

/** A file's entry. For a known provider, all fields are optional. Other programs' keys are allowed. */
export const providerEntry = late(() =>
  entryFields().superRefine((entry, context) => {
    const known = Object.keys(entryFields().shape);
    for (const key of Object.keys(entry)) {
      if (known.includes(key)) continue;
      const message = /^(?:api_?)?key$/i.test(key) ? keyInFile : didYouMean(key, known);
      if (message !== '') context.addIssue({ code: 'custom', path: [key], message: `has no effect.${message}` });
    }
  }),
);

const keyInFile =
  ' Keys do not belong in this file: set api_key_env to the name of an environment variable, or save the key in Settings > Models.';

type ProviderConfigEntry = z.infer<ReturnType<typeof providerEntry>>;

/**
 * Returns the complete configuration of an entry.
 * @param known built-in configuration of the provider with this name
 * @param ofKind built-in configurations by kind
 * @returns the configuration, or why it cannot be used, as a sentence without a period
 */
export function completeEntry(
  entry: ProviderConfigEntry,
  known: ProviderConfig | undefined,
  ofKind: ReadonlyMap<string, ProviderConfig>,
): ProviderConfig | string {
  const kind = entry.kind ?? known?.kind;
  if (kind === undefined) return `kind must be one of ${kindList}`;
  // Kinds with a single well-known URL have the same name as their provider.
  const defaults = known?.kind === kind ? known : ofKind.get(kind);
  const baseUrl = entry.base_url ?? defaults?.baseUrl;
  if (baseUrl === undefined) return `base_url ${address}`;
  const apiKeyEnv = entry.api_key_env ?? defaults?.apiKeyEnv;
  const structuredOutput = entry.structured_output ?? defaults?.structuredOutput;
  if (entry.structured_output !== undefined && kind !== 'openai-compatible') {
    return `structured_output is only for the kind "openai-compatible": for "${kind}", the format is known. Remove it`;
  }
  const omitFields = entry.omit_fields ?? defaults?.omitFields;
  return {
    kind,
    baseUrl,
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(structuredOutput === undefined ? {} : { structuredOutput }),
    ...(omitFields === undefined ? {} : { omitFields }),
  };
}

/** Returns the URL without the parts that may be secret: user name, password and parameters. */
export function shownAddress({ baseUrl }: ProviderConfig): string {
  return addressWithoutQuery(new URL(baseUrl));
}

function hosted(baseUrl: string, apiKeyEnv: string, kind: ProviderKind = 'openai-compatible'): ProviderConfig {
  return { kind, baseUrl, apiKeyEnv };
}

const kimi = hosted('https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY');

/**
 * Providers that need no settings except a key, by name. URLs and key variables follow the providers' documentation;
 * provider names are those that agent packs use. An entry `[providers.NAME]` of the settings overrides one.
 */
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
  ['qwen_cloud', hosted('https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'QWEN_CLOUD_API_KEY')],
  ['cohere', hosted('https://api.cohere.ai/compatibility/v1', 'COHERE_API_KEY')],
]);
