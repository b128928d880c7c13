/**
 * Reads and changes model settings and trust for a host program.
 */
import type { Clock } from '../../base/clock.ts';
import { toErrorRecord } from '../../base/engine-error.ts';
import { dialedOrigin } from '../../base/web-address.ts';
import type { TeamSource } from '../../packs/team/find-team.ts';
import { keyHelpOf, teamLocked, teamModelsOf, teamTrust } from '../../packs/team/team-rules.ts';
import { allowKeyHost, findNewHost, isKeyAllowed, keyNotAllowed, type NewHost } from '../../world/model/key-hosts.ts';
import { modelAliases } from '../../world/model/model-data.ts';
import type { KeySource } from '../../world/model/model-provider.ts';
import { type ModelSettings, readModelSettings, userFileOf } from '../../world/model/model-settings.ts';
import { completeEntry, knownProviders, type ProviderConfig } from '../../world/model/provider-config.ts';
import { createTrustList } from '../../world/script/trust-list.ts';

/** A model provider for display in settings. Keys themselves are never shown. */
export interface ProviderView {
  readonly name: string;
  readonly kind: 'openai' | 'anthropic' | 'gemini' | 'openai-compatible' | 'ollama';
  readonly baseUrl: string;
  /** The environment variable that contains its key; null if it needs none. */
  readonly keyVariable: string | null;
  readonly hasKey: boolean;
  /** Whether its key, if it has one, may be sent to its address. */
  readonly isKeyAllowed: boolean;
  /** Whether it is known without being configured. */
  readonly isBuiltIn: boolean;
  /** The team that has set it, and the team file. */
  readonly lockedBy?: string;
  /** How to get the key, according to the team. */
  readonly keyHelp?: string;
}

/** The user's model settings. */
export interface ModelSettingsView {
  /** Absolute path of the settings file. */
  readonly file: string;
  /** The problem with the settings. Invalid providers and aliases are not listed; if a file can't be read, none are. */
  readonly problem?: string;
  readonly providers: readonly ProviderView[];
  readonly defaultModel: string | null;
  /** The team that has set the default. */
  readonly defaultModelLockedBy?: string;
  /** The team that allows only these providers. */
  readonly providersLockedBy?: string;
  readonly aliases: Readonly<Record<string, string>>;
}

/** A provider as configured by a user. */
export interface ProviderEntry {
  readonly name: string;
  readonly kind: ProviderView['kind'];
  /** If absent, the default address for its kind is used. */
  readonly baseUrl?: string;
  /** If absent, the default variable for its kind is used, if there is one. */
  readonly keyVariable?: string;
}

/** A provider to save, to remove, or to use as configured. */
export type ProviderChange = { readonly save: ProviderEntry } | { readonly remove: string } | { readonly use: string };

/** Model settings and trust. */
export interface SettingsEngine {
  readModelSettings(): Promise<ModelSettingsView>;
  /** Returns a host that would receive data for the first time and requires confirmation; null if there is none. */
  findNewHost(change: ProviderChange): Promise<NewHost | null>;
  /** Binds a provider's key to its host in the settings, including the workspace's settings. */
  allowKey(provider: string): Promise<void>;
  /** @throws EngineError `team.locked`; `config.*` if the file cannot be changed; it is then unchanged */
  saveProvider(entry: ProviderEntry): Promise<void>;
  removeProvider(name: string): Promise<void>;
  /** Sets the default model; null removes it. */
  setDefaultModel(model: string | null): Promise<void>;
  /** Sets an alias; null removes it. */
  setAlias(alias: string, model: string | null): Promise<void>;
  /** Sends a small request to the provider. Never throws because of the response. */
  testProvider(
    name: string,
  ): Promise<{ readonly ok: boolean; readonly message: string; readonly models?: readonly string[] }>;
  /** Returns whether this workspace is trusted. `lockedBy` is the team that has decided this. */
  readTrust(): Promise<{ readonly isTrusted: boolean; readonly lockedBy?: string }>;
  /** @throws EngineError `team.locked` */
  setTrust(isTrusted: boolean): Promise<void>;
}

export interface SettingsServiceOptions {
  readonly workspace: string;
  readonly baseFolder: string;
  readonly keyOf: KeySource;
  readonly mayUseKey: (config: ProviderConfig) => boolean;
  readonly clock: Clock;
  readonly trust: Trust;
  readonly team: TeamSource;
}

/** Loads the code that writes settings, on the first change. */
const writing = (): Promise<typeof import('../../world/model/write-settings.ts')> =>
  import('../../world/model/write-settings.ts');

/** Creates the part of an engine that handles settings. */
export function createSettingsService({
  workspace,
  baseFolder,
  keyOf,
  mayUseKey,
  clock,
  trust,
  team,
}: SettingsServiceOptions): SettingsEngine {
  const models = () => teamModelsOf(team());
  const read = async (): Promise<ModelSettings> =>
    readModelSettings({ baseFolder, workspace, team: models, isTrusted: await trust.isTrusted() });
  return {
    async readModelSettings() {
      try {
        return viewOf(await read(), { keyOf, mayUseKey, team });
      } catch (thrown) {
        const { message } = toErrorRecord(thrown);
        return { file: userFileOf(baseFolder), problem: message, providers: [], defaultModel: null, aliases: {} };
      }
    },
    findNewHost: async (change) => newHostOf(change, baseFolder, await read()) ?? null,
    async allowKey(name) {
      const config = (await read()).provider(name);
      if (config?.apiKeyEnv === undefined) return;
      await allowKeyHost(baseFolder, config.apiKeyEnv, dialedOrigin(new URL(config.baseUrl)));
    },
    async saveProvider({ keyVariable, ...entry }) {
      refuseLockedProvider(entry.name, team);
      const { writeProvider } = await writing();
      await writeProvider(baseFolder, { ...entry, ...(keyVariable === undefined ? {} : { apiKeyEnv: keyVariable }) });
    },
    async removeProvider(name) {
      refuseLockedProvider(name, team);
      await (await writing()).removeProvider(baseFolder, name);
    },
    async setDefaultModel(model) {
      const current = team();
      if (current?.rules.models?.default !== undefined) throw teamLocked(current, 'The default model');
      await (await writing()).setDefaultModel(baseFolder, model ?? undefined);
    },
    setAlias: async (alias, model) => await (await writing()).setAlias(baseFolder, alias, model ?? undefined),
    async testProvider(name) {
      const config = (await read()).provider(name);
      if (config === undefined) return { ok: false, message: `Provider "${name}" does not exist.` };
      if (!mayUseKey(config)) return { ok: false, message: keyNotAllowed(name, config).message };
      const { probeProvider } = await import('../../world/model/probe-provider.ts');
      const result = await probeProvider({ name, config }, { keyOf, clock, signal: new AbortController().signal });
      const { ok, message, models } = result;
      return { ok, message, ...(models === undefined ? {} : { models }) };
    },
    async readTrust() {
      const isTrusted = await trust.isTrusted();
      const current = team();
      const isLocked = current !== undefined && (await teamTrust(current, workspace)) !== undefined;
      return { isTrusted, ...(isLocked ? { lockedBy: current.lockedBy } : {}) };
    },
    async setTrust(isTrusted) {
      const current = team();
      const isLocked = current !== undefined && (await teamTrust(current, workspace)) !== undefined;
      if (isLocked) throw teamLocked(current, 'Whether this workspace is trusted');
      await trust.set(isTrusted);
    },
  };
}

/** @throws EngineError `team.locked` */
function refuseLockedProvider(name: string, team: TeamSource): void {
  const current = team();
  const models = current?.rules.models;
  if (current === undefined || models === undefined) return;
  if (Object.hasOwn(models.providers ?? {}, name)) throw teamLocked(current, `The provider "${name}"`);
  if (models.others === 'denied') throw teamLocked(current, 'Which providers may be asked');
}

/**
 * Returns the host that would receive data for the first time; undefined if there is none or the provider cannot be
 * saved.
 */
function newHostOf(change: ProviderChange, baseFolder: string, settings: ModelSettings): NewHost | undefined {
  if ('use' in change) {
    const config = settings.provider(change.use);
    if (config === undefined || isKeyAllowed(baseFolder, config)) return undefined;
    return findNewHost(baseFolder, change.use, { next: config, former: undefined });
  }
  const name = 'save' in change ? change.save.name : change.remove;
  const next = 'save' in change ? configOf(change.save) : knownProviders.get(name);
  if (next === undefined) return undefined;
  const former = formerOf(name, baseFolder);
  return findNewHost(baseFolder, name, { next, former });
}

/**
 * Returns the current settings of a provider; undefined if they are invalid, because they do not show where data was
 * sent before.
 */
function formerOf(name: string, baseFolder: string): ProviderConfig | undefined {
  try {
    return readModelSettings({ baseFolder, isTrusted: false }).provider(name);
  } catch {
    return undefined;
  }
}

function configOf({ name, kind, baseUrl, keyVariable }: ProviderEntry): ProviderConfig | undefined {
  const entry = {
    kind,
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(keyVariable === undefined ? {} : { api_key_env: keyVariable }),
  };
  const config = completeEntry(entry, knownProviders.get(name), knownProviders);
  return typeof config === 'string' ? undefined : config;
}

type KeyUse = Pick<SettingsServiceOptions, 'keyOf' | 'mayUseKey' | 'team'>;

function viewOf(settings: ModelSettings, use: KeyUse): ModelSettingsView {
  const { model, model_aliases: aliases = {} } = settings.usableOptions;
  const problems: string[] = [];
  const noteProblem = (thrown: unknown): [] => {
    problems.push(toErrorRecord(thrown).message);
    return [];
  };
  attempt(() => settings.options, noteProblem);
  const providers = settings.providerNames.flatMap((name) =>
    attempt(() => providerView(name, settings, use), noteProblem),
  );
  return {
    file: settings.userFile,
    ...(problems.length === 0 ? {} : { problem: problems.join('\n') }),
    providers,
    defaultModel: model ?? null,
    ...(settings.team?.defaultModel === undefined ? {} : { defaultModelLockedBy: settings.team.lockedBy }),
    ...(settings.team?.isClosed === true ? { providersLockedBy: settings.team.lockedBy } : {}),
    // Default aliases are omitted, because there are many and users look for their own.
    aliases: Object.fromEntries(Object.entries(aliases).filter(([alias, target]) => modelAliases[alias] !== target)),
  };
}

function attempt<Value, Other>(read: () => Value, otherwise: (thrown: unknown) => Other): Value | Other {
  try {
    return read();
  } catch (thrown) {
    return otherwise(thrown);
  }
}

/** @throws EngineError `model.bad-config` */
function providerView(name: string, settings: ModelSettings, { keyOf, mayUseKey, team }: KeyUse): ProviderView[] {
  const config = settings.provider(name);
  if (config === undefined) return [];
  const { kind, baseUrl, apiKeyEnv } = config;
  const hasKey = apiKeyEnv !== undefined && Boolean(keyOf(apiKeyEnv));
  const isBuiltIn = knownProviders.has(name);
  const keyHelp = keyHelpOf(team(), name);
  return [
    {
      ...{ name, kind, baseUrl, keyVariable: apiKeyEnv ?? null, hasKey, isKeyAllowed: mayUseKey(config), isBuiltIn },
      ...(settings.team?.providers.has(name) === true ? { lockedBy: settings.team.lockedBy } : {}),
      ...(keyHelp === undefined ? {} : { keyHelp }),
    },
  ];
}

interface Trust {
  isTrusted(): Promise<boolean>;
  /** The last known state; false before the first check. */
  readonly lastKnown: boolean;
  set(isTrusted: boolean): Promise<void>;
}

interface TrustPlaces {
  readonly workspace: string;
  readonly baseFolder: string;
  /** Overrides the list for this engine. */
  readonly isTrusted?: true | undefined;
  readonly clock: Clock;
  readonly team: TeamSource;
}

/**
 * Cache duration in milliseconds. Scripts check trust before every effect, so changes by other programs may take effect
 * slightly later.
 */
const keptMs = 1000;

/** Creates the trust check, which reads the user's list on demand and again after a short time. */
export function createTrust({ workspace, baseFolder, isTrusted, clock, team }: TrustPlaces): Trust {
  const list = createTrustList(baseFolder);
  let lastKnown = isTrusted === true && team() === undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    async isTrusted() {
      if (clock.now() - lookedAt < keptMs) return lastKnown;
      lastKnown = (await teamTrust(team(), workspace)) ?? (isTrusted === true || (await list.isTrusted(workspace)));
      lookedAt = clock.now();
      return lastKnown;
    },
    get lastKnown() {
      return lastKnown;
    },
    async set(trusts) {
      await list.setTrusted(workspace, trusts);
      lastKnown = isTrusted === true || trusts;
    },
  };
}
