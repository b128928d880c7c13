/**
 * Lists the model provider keys in the environment.
 */

import { checkKeys, type KeyState } from '../../packs/pack/check-keys.ts';
import type { TeamSource } from '../../packs/team/find-team.ts';
import { teamModelsOf } from '../../packs/team/team-rules.ts';
import { configuredKeyVariables } from '../../world/model/model-keys.ts';
import { knownProviders } from '../../world/model/provider-config.ts';

interface KeyPlaces {
  readonly team: TeamSource;
  readonly workspace: string;
  readonly baseFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the keys that packs name, then those of known providers, then those named in settings. Never includes values.
 */
export function listKeyStates({ workspace, baseFolder, env, team }: KeyPlaces): readonly KeyState[] {
  const known = [...knownProviders.values()].flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  return checkKeys(env, [
    ...known,
    ...configuredKeyVariables({ workspace, baseFolder, team: () => teamModelsOf(team()) }),
  ]);
}
