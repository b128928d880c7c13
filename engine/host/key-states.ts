/**
 * Which keys of model providers the environment has.
 */
import { configuredKeyVariables } from '../model/model-keys.ts';
import { checkKeys, type KeyState } from '../pack/check-keys.ts';

interface KeyPlaces {
  readonly workspace: string;
  readonly baseFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The known variables, then those that settings name, of the workspace as well. Values are told to nobody. */
export function listKeyStates({ workspace, baseFolder, env }: KeyPlaces): readonly KeyState[] {
  return checkKeys(env, configuredKeyVariables({ workspace, baseFolder }));
}
