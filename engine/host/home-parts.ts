/**
 * What an engine has of the person: their folder, keys, trust, settings and packs.
 */
import type { Clock } from '../base/clock.ts';
import type { KeySource } from '../model/model-provider.ts';
import { baseFolderOf } from './base-folder-of.ts';
import type { PackEngine } from './pack-parts.ts';
import { createPackParts } from './pack-parts.ts';
import type { SettingsEngine } from './settings-parts.ts';
import { createSettingsParts } from './settings-parts.ts';
import { createTrust } from './trust.ts';

export interface HomeOptions {
  /** Absolute. */
  readonly workspace: string;
  readonly homeFolder?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly keyOf?: (variable: string) => string | undefined;
  readonly builtInPacks?: string;
  readonly isTrusted?: true;
  readonly clock: Clock;
}

export interface HomeParts {
  readonly baseFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keyOf: KeySource;
  readonly isTrusted: () => Promise<boolean>;
  /** As it was when it was last looked at. */
  readonly isTrustedNow: () => boolean;
  /** Resolves when the packs that came with the program are in their place; looked after once. */
  readonly whenReady: () => Promise<void>;
  /** Installs a pack that a run needs and gives its version. @throws EngineError `pack.*` */
  readonly installMissing: (reference: string, signal: AbortSignal) => Promise<string>;
  readonly engine: PackEngine & SettingsEngine;
}

/** Wires them together; nothing is written yet. */
export async function createHomeParts(options: HomeOptions): Promise<HomeParts> {
  const { workspace, env = process.env, clock, isTrusted } = options;
  const baseFolder = options.homeFolder ?? baseFolderOf(env);
  const keyOf: KeySource = (variable) => options.keyOf?.(variable) || env[variable];
  const trust = createTrust({ workspace, baseFolder, isTrusted, clock });
  await trust.isTrusted();
  const packs = createPackParts({ workspace, baseFolder, env, clock, builtInPacks: options.builtInPacks });
  return {
    ...{ baseFolder, env, keyOf },
    isTrusted: () => trust.isTrusted(),
    isTrustedNow: () => trust.lastKnown,
    whenReady: packs.whenReady,
    installMissing: packs.installMissing,
    engine: { ...packs.engine, ...createSettingsParts({ workspace, baseFolder, keyOf, clock, trust }) },
  };
}
