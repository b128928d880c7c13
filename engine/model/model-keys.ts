/**
 * The keys of the model settings, for whoever must keep them out of files.
 */
import { readModelConfig } from './provider-config.ts';

/**
 * Values of the environment variables that the settings name as keys. Never throws: settings that cannot be used give no
 * key to anybody.
 */
export function readModelKeys(
  baseFolder: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const variables = keyVariables(baseFolder);
  return variables.flatMap((name) => env[name] || []);
}

function keyVariables(baseFolder: string): string[] {
  try {
    const config = readModelConfig(baseFolder);
    return config.providerNames.flatMap((name) => variableOf(() => config.provider(name)?.apiKeyEnv));
  } catch {
    return [];
  }
}

/** One provider with a mistake must not hide the keys of the others. */
function variableOf(read: () => string | undefined): string[] {
  try {
    return [read()].flatMap((name) => name ?? []);
  } catch {
    return [];
  }
}
