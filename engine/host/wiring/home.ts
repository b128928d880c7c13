/**
 * Creates the user-specific parts of an engine: base folder, keys, trust, settings and packs.
 */

import type { Clock } from '../../base/clock.ts';
import { baseFolderOf } from '../../packs/pack/pack-folders.ts';
import { createPackService, type PackEngine } from '../../packs/pack-service.ts';
import { createTeamSource, type TeamSource } from '../../packs/team/find-team.ts';
import { teamModelsOf } from '../../packs/team/team-rules.ts';
import { isKeyAllowed } from '../../world/model/key-hosts.ts';
import { readModelKeys } from '../../world/model/model-keys.ts';
import type { KeySource } from '../../world/model/model-provider.ts';
import type { ProviderConfig } from '../../world/model/provider-config.ts';
import { createSettingsService, createTrust, type SettingsEngine } from './settings-service.ts';
import { createTeamService, type TeamEngine } from './team-view.ts';

export interface HomeOptions {
  /** Absolute path. */
  readonly workspace: string;
  readonly homeFolder?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly keyOf?: (variable: string) => string | undefined;
  readonly bindsKeys?: true;
  readonly confinesReading?: true;
  readonly builtInPacks?: string;
  readonly isTrusted?: true;
  readonly clock: Clock;
}

export interface Home {
  readonly baseFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keyOf: KeySource;
  readonly mayUseKey: (config: ProviderConfig) => boolean;
  readonly isTrusted: () => Promise<boolean>;
  /** Returns the result of the latest trust check. */
  readonly isTrustedNow: () => boolean;
  /** Resolves when the bundled packs are in place; set up only once. */
  readonly whenReady: () => Promise<void>;
  /** Installs a pack that a run needs and returns its version. @throws EngineError `pack.*` */
  readonly installMissing: (reference: string, signal: AbortSignal) => Promise<string>;
  /** Returns the keys in the model settings. */
  readonly modelKeys: () => readonly string[];
  /** The team settings on this machine. */
  readonly team: TeamSource;
  readonly engine: PackEngine & SettingsEngine & TeamEngine;
}

/** Creates all parts without writing anything. */
export async function createHome(options: HomeOptions): Promise<Home> {
  const { workspace, env = process.env, clock, isTrusted } = options;
  const baseFolder = options.homeFolder ?? baseFolderOf(env);
  const keyOf: KeySource = (variable) => options.keyOf?.(variable) || env[variable];
  const team = createTeamSource({ env, baseFolder });
  const mayUseKey = (config: ProviderConfig): boolean =>
    options.bindsKeys === undefined || isOfTeam(config, team) || isKeyAllowed(baseFolder, config);
  const trust = createTrust({ workspace, baseFolder, isTrusted, clock, team });
  await trust.isTrusted();
  const mayReadAnywhere = async (): Promise<boolean> =>
    options.confinesReading === undefined || (await trust.isTrusted());
  const { builtInPacks } = options;
  const packs = createPackService({ workspace, baseFolder, env, clock, builtInPacks, mayReadAnywhere, team });
  return {
    ...{ baseFolder, env, keyOf, mayUseKey, team },
    modelKeys: () => readModelKeys({ baseFolder, workspace, team: () => teamModelsOf(team()) }, keyOf),
    isTrusted: () => trust.isTrusted(),
    isTrustedNow: () => trust.lastKnown,
    whenReady: packs.whenReady,
    installMissing: packs.installMissing,
    engine: {
      ...packs.engine,
      ...createSettingsService({ workspace, baseFolder, keyOf, mayUseKey, clock, trust, team }),
      ...createTeamService(baseFolder, team),
    },
  };
}

/** Returns whether a team has configured the host and the key. */
function isOfTeam(config: ProviderConfig, team: TeamSource): boolean {
  const providers = [...(teamModelsOf(team())?.providers.values() ?? [])];
  return providers.some(({ baseUrl, apiKeyEnv }) => baseUrl === config.baseUrl && apiKeyEnv === config.apiKeyEnv);
}
