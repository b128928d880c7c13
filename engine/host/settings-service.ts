/**
 * Model settings and trust, as a host program reads and changes them.
 */
import type { Clock } from '../base/clock.ts';
import { toErrorRecord } from '../base/engine-error.ts';
import { dialedOrigin } from '../base/web-address.ts';
import { defaultAliases } from '../model/default-aliases.ts';
import { allowKeyHost, findNewHost, isKeyAllowed, keyNotAllowed, type NewHost } from '../model/key-hosts.ts';
import type { KeySource } from '../model/model-provider.ts';
import { type ModelSettings, readModelSettings, userFileOf } from '../model/model-settings.ts';
import { completeEntry, knownProviders, type ProviderConfig } from '../model/provider-config.ts';
import { createTrustList } from '../script/trust-list.ts';
import type { TeamSource } from '../team/find-team.ts';
import { keyHelpOf, teamLocked, teamModelsOf, teamTrust } from '../team/team-rules.ts';

/** A provider of models as settings show it. Keys themselves are never shown. */
export interface ProviderView {
  readonly name: string;
  readonly kind: 'openai' | 'anthropic' | 'gemini' | 'openai-compatible' | 'ollama';
  readonly baseUrl: string;
  /** The variable that holds its key; null = it needs none. */
  readonly keyVariable: string | null;
  readonly hasKey: boolean;
  /** Its key, if it has one, may be sent to where it is asked. */
  readonly isKeyAllowed: boolean;
  /** Known without being configured. */
  readonly isBuiltIn: boolean;
  /** A team has set it, which is named here with its file. */
  readonly lockedBy?: string;
  /** Where the key is to be had, as the team says. */
  readonly keyHelp?: string;
}

/** The person's model settings. */
export interface ModelSettingsView {
  /** Where they stand, absolute. */
  readonly file: string;
  /** What is wrong in the settings. Providers and aliases with a mistake are not listed; if a file can't be read, none are. */
  readonly problem?: string;
  readonly providers: readonly ProviderView[];
  readonly defaultModel: string | null;
  /** The team that has set the default. */
  readonly defaultModelLockedBy?: string;
  /** The team that allows no other providers. */
  readonly providersLockedBy?: string;
  readonly aliases: Readonly<Record<string, string>>;
}

/** A provider as a person configures it. */
export interface ProviderEntry {
  readonly name: string;
  readonly kind: ProviderView['kind'];
  /** Absent = the kind's own address. */
  readonly baseUrl?: string;
  /** Absent = the kind's own variable, or none. */
  readonly keyVariable?: string;
}

/** A provider that is to be saved, removed, or used as the settings have it. */
export type ProviderChange = { readonly save: ProviderEntry } | { readonly remove: string } | { readonly use: string };

/** Model settings and trust. */
export interface SettingsEngine {
  readModelSettings(): Promise<ModelSettingsView>;
  /** What a person should be asked before: that something goes to a host for the first time. Null = there is nothing. */
  findNewHost(change: ProviderChange): Promise<NewHost | null>;
  /** Binds the key of a provider to the host that the settings, the workspace's included, name for it. */
  allowKey(provider: string): Promise<void>;
  /** @throws EngineError `team.locked`; `config.*` when the file cannot be changed, which is left as it was */
  saveProvider(entry: ProviderEntry): Promise<void>;
  removeProvider(name: string): Promise<void>;
  /** Null removes it. */
  setDefaultModel(model: string | null): Promise<void>;
  /** Null removes the alias. */
  setAlias(alias: string, model: string | null): Promise<void>;
  /** Asks the provider something small. Never throws for what it answers. */
  testProvider(
    name: string,
  ): Promise<{ readonly ok: boolean; readonly message: string; readonly models?: readonly string[] }>;
  /** Whether the person trusts this workspace. */
  /** `lockedBy`: a team has decided that. */
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

/** What writes settings is loaded when somebody changes one. */
const writing = (): Promise<typeof import('../model/write-settings.ts')> => import('../model/write-settings.ts');

/** Makes the part of an engine that has to do with settings. */
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
      if (config === undefined) return { ok: false, message: `There is no provider "${name}".` };
      if (!mayUseKey(config)) return { ok: false, message: keyNotAllowed(name, config).message };
      const { probeProvider } = await import('../model/probe-provider.ts');
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

/** Undefined as well for what cannot be saved: then there is nothing to ask. */
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

/** Settings with a mistake say nothing of where a provider has sent things. */
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
    // Those that nobody has changed are many, and of no use to somebody who looks for their own.
    aliases: Object.fromEntries(Object.entries(aliases).filter(([alias, target]) => defaultAliases[alias] !== target)),
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
  /** As it was when it was last looked at; false before that. */
  readonly lastKnown: boolean;
  set(isTrusted: boolean): Promise<void>;
}

interface TrustPlaces {
  readonly workspace: string;
  readonly baseFolder: string;
  /** Trusted whatever the list says, for this one engine. */
  readonly isTrusted?: true | undefined;
  readonly clock: Clock;
  readonly team: TeamSource;
}

/** Scripts cause a look before everything they do; another program's change may count a moment later, in milliseconds. */
const keptMs = 1000;

/** Reads the person's list when it is asked, and again after a moment. */
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
