/**
 * The keys of the model settings, for whoever must keep them out of files.
 */
import type { KeySource } from './model-provider.ts';
import { readModelSettings, type SettingsPlaces } from './model-settings.ts';
import { knownProviders } from './provider-config.ts';

/**
 * Values of the variables that hold keys of providers: of all that the settings name, the workspace's included whether
 * it is trusted or not, and of those that need no settings. Never throws: settings that cannot be used give no key to
 * anybody.
 */
export function readModelKeys(places: SettingsPlaces, keyOf: KeySource): readonly string[] {
  const known = [...knownProviders.values()].flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  const variables = new Set([...configuredKeyVariables(places), ...known]);
  return [...variables].flatMap((name) => keyOf(name) || []);
}

/** Names of the variables that the settings name, of the workspace's as well, trusted or not. Never throws. */
export function configuredKeyVariables(places: SettingsPlaces): string[] {
  try {
    const settings = readModelSettings({ ...places, isTrusted: true });
    return settings.providerNames.flatMap((name) => variableOf(() => settings.provider(name)?.apiKeyEnv));
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
