/**
 * The person's own model settings: `config-user.toml` in the base folder, which other programs may share.
 *
 *     [providers.local]
 *     kind = "openai-compatible"
 *     base_url = "http://127.0.0.1:11434/v1"
 *     api_key_env = "LOCAL_API_KEY"
 *
 *     [options]
 *     model = "local::small"
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { EngineError } from '../base/engine-error.ts';

/** How to reach one provider. */
export interface ProviderConfig {
  readonly kind: 'openai-compatible';
  readonly baseUrl: string;
  /** Name of the environment variable that holds the key; absent = the provider asks for none. */
  readonly apiKeyEnv?: string;
}

export interface ModelConfig {
  /** Where the settings stand or would stand, absolute. */
  readonly file: string;
  /** `provider::model` for requests that name none. */
  readonly defaultModel: string | undefined;
  readonly providerNames: readonly string[];
  /**
   * The provider of that name, or undefined. Other providers of the file are not looked at: another program may
   * know kinds that we do not.
   * @throws EngineError `model.bad-config`
   */
  provider(name: string): ProviderConfig | undefined;
}

const configFile = z.looseObject({
  providers: z.record(z.string(), z.unknown()).optional(),
  options: z.looseObject({ model: z.string().min(1).optional() }).optional(),
});

const providerEntry = z.looseObject({
  kind: z.literal('openai-compatible', { error: 'must be "openai-compatible"' }),
  base_url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable, not a key')
    .optional(),
});

/**
 * Reads the settings; a missing file is the same as an empty one.
 * @throws EngineError `model.bad-config`
 */
export function readModelConfig(baseFolder: string): ModelConfig {
  const file = join(baseFolder, 'config-user.toml');
  const { providers = {}, options } = checked(configFile, parseToml(file), file);
  return {
    file,
    defaultModel: options?.model,
    providerNames: Object.keys(providers),
    provider(name) {
      const entry = Object.hasOwn(providers, name) ? providers[name] : undefined;
      if (entry === undefined) return undefined;
      const { kind, base_url, api_key_env } = checked(providerEntry, entry, `${file}, [providers.${name}]`);
      return { kind, baseUrl: base_url, ...(api_key_env === undefined ? {} : { apiKeyEnv: api_key_env }) };
    },
  };
}

function parseToml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (isMissing(error)) return {};
    const place = error instanceof TomlError ? `${file}:${error.line}:${error.column}` : file;
    const [firstLine] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw badConfig(place, firstLine ?? '');
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function checked<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  throw badConfig(place, problems.join('; '));
}

function badConfig(place: string, problem: string): EngineError {
  return new EngineError({
    code: 'model.bad-config',
    message: `The model settings cannot be used: ${place}: ${problem}`,
  });
}
