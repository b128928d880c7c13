/**
 * Reads the keys from the model settings, for code that must keep the keys out of files.
 */
import type { KeySource } from './model-provider.ts';
import { readModelSettings, type SettingsPlaces } from './model-settings.ts';
import { knownProviders } from './provider-config.ts';

/**
 * Returns the values of all variables that contain provider keys: from all settings, including those of an untrusted
 * workspace, and from known providers. Never throws; invalid settings contribute no keys.
 */
export function readModelKeys(places: SettingsPlaces, keyOf: KeySource): readonly string[] {
  const known = [...knownProviders.values()].flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  const variables = new Set([...configuredKeyVariables(places), ...known]);
  return [...variables].flatMap((name) => keyOf(name) || []);
}

/** Returns the names of the variables in the settings, including those in an untrusted workspace. Never throws. */
export function configuredKeyVariables(places: SettingsPlaces): string[] {
  try {
    const settings = readModelSettings({ ...places, isTrusted: true });
    return settings.providerNames.flatMap((name) => variableOf(() => settings.provider(name)?.apiKeyEnv));
  } catch {
    return [];
  }
}

/** A mistake in one provider must not hide the other providers' keys. */
function variableOf(read: () => string | undefined): string[] {
  try {
    return [read()].flatMap((name) => name ?? []);
  } catch {
    return [];
  }
}
