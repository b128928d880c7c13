/**
 * Which keys of model providers the environment has.
 */
import { configuredKeyVariables } from '../model/model-keys.ts';
import { knownProviders } from '../model/provider-config.ts';
import { checkKeys, type KeyState } from '../pack/check-keys.ts';
import type { TeamSource } from '../team/find-team.ts';
import { teamModelsOf } from '../team/team-rules.ts';

interface KeyPlaces {
  readonly team: TeamSource;
  readonly workspace: string;
  readonly baseFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Those that packs name, those of the known providers, then those that settings name. Values are told to nobody. */
export function listKeyStates({ workspace, baseFolder, env, team }: KeyPlaces): readonly KeyState[] {
  const known = [...knownProviders.values()].flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  return checkKeys(env, [
    ...known,
    ...configuredKeyVariables({ workspace, baseFolder, team: () => teamModelsOf(team()) }),
  ]);
}
