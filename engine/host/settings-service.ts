/**
 * Model settings and trust, as a host program reads and changes them.
 */
import type { Clock } from '../base/clock.ts';
import { toErrorRecord } from '../base/engine-error.ts';
import { defaultAliases } from '../model/default-aliases.ts';
import type { KeySource } from '../model/model-provider.ts';
import { type ModelSettings, readModelSettings, userFileOf } from '../model/model-settings.ts';
import { knownProviders } from '../model/provider-config.ts';
import { createTrustList } from '../script/trust-list.ts';

/** A provider of models as settings show it. Keys themselves are never shown. */
export interface ProviderView {
  readonly name: string;
  readonly kind: 'openai' | 'anthropic' | 'gemini' | 'openai-compatible' | 'ollama';
  readonly baseUrl: string;
  /** The variable that holds its key; null = it needs none. */
  readonly keyVariable: string | null;
  readonly hasKey: boolean;
  /** Known without being configured. */
  readonly isBuiltIn: boolean;
}

/** The person's model settings. */
export interface ModelSettingsView {
  /** Where they stand, absolute. */
  readonly file: string;
  /** Why the file cannot be used. */
  readonly problem?: string;
  readonly providers: readonly ProviderView[];
  readonly defaultModel: string | null;
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

/** Model settings and trust. */
export interface SettingsEngine {
  readModelSettings(): Promise<ModelSettingsView>;
  /** @throws EngineError `config.*` when the file cannot be changed; it is left as it was */
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
  readTrust(): Promise<{ readonly isTrusted: boolean }>;
  setTrust(isTrusted: boolean): Promise<void>;
}

export interface SettingsServiceOptions {
  readonly workspace: string;
  readonly baseFolder: string;
  readonly keyOf: KeySource;
  readonly clock: Clock;
  readonly trust: Trust;
}

/** What writes settings is loaded when somebody changes one. */
const writing = (): Promise<typeof import('../model/write-settings.ts')> => import('../model/write-settings.ts');

/** Makes the part of an engine that has to do with settings. */
export function createSettingsService({
  workspace,
  baseFolder,
  keyOf,
  clock,
  trust,
}: SettingsServiceOptions): SettingsEngine {
  const read = async (): Promise<ModelSettings> =>
    readModelSettings({ baseFolder, workspace, isTrusted: await trust.isTrusted() });
  return {
    async readModelSettings() {
      try {
        return viewOf(await read(), keyOf);
      } catch (thrown) {
        const { message } = toErrorRecord(thrown);
        return { file: userFileOf(baseFolder), problem: message, providers: [], defaultModel: null, aliases: {} };
      }
    },
    async saveProvider({ keyVariable, ...entry }) {
      const { writeProvider } = await writing();
      await writeProvider(baseFolder, { ...entry, ...(keyVariable === undefined ? {} : { apiKeyEnv: keyVariable }) });
    },
    removeProvider: async (name) => await (await writing()).removeProvider(baseFolder, name),
    setDefaultModel: async (model) => await (await writing()).setDefaultModel(baseFolder, model ?? undefined),
    setAlias: async (alias, model) => await (await writing()).setAlias(baseFolder, alias, model ?? undefined),
    async testProvider(name) {
      const config = (await read()).provider(name);
      if (config === undefined) return { ok: false, message: `There is no provider "${name}".` };
      const { probeProvider } = await import('../model/probe-provider.ts');
      const result = await probeProvider({ name, config }, { keyOf, clock, signal: new AbortController().signal });
      const { ok, message, models } = result;
      return { ok, message, ...(models === undefined ? {} : { models }) };
    },
    readTrust: async () => ({ isTrusted: await trust.isTrusted() }),
    setTrust: (isTrusted) => trust.set(isTrusted),
  };
}

function viewOf(settings: ModelSettings, keyOf: KeySource): ModelSettingsView {
  const aliases = settings.options.model_aliases ?? {};
  return {
    file: settings.userFile,
    providers: settings.providerNames.flatMap((name) => providerView(name, settings, keyOf)),
    defaultModel: settings.options.model ?? null,
    // Those that nobody has changed are many, and of no use to somebody who looks for their own.
    aliases: Object.fromEntries(Object.entries(aliases).filter(([alias, model]) => defaultAliases[alias] !== model)),
  };
}

/** Nothing for an entry that another program wrote and that is not one of ours. */
function providerView(name: string, settings: ModelSettings, keyOf: KeySource): ProviderView[] {
  try {
    const config = settings.provider(name);
    if (config === undefined) return [];
    const { kind, baseUrl, apiKeyEnv } = config;
    const hasKey = apiKeyEnv !== undefined && Boolean(keyOf(apiKeyEnv));
    return [{ name, kind, baseUrl, keyVariable: apiKeyEnv ?? null, hasKey, isBuiltIn: knownProviders.has(name) }];
  } catch {
    return [];
  }
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
}

/** Scripts cause a look before everything they do; another program's change may count a moment later, in milliseconds. */
const keptMs = 1000;

/** Reads the person's list when it is asked, and again after a moment. */
export function createTrust({ workspace, baseFolder, isTrusted, clock }: TrustPlaces): Trust {
  const list = createTrustList(baseFolder);
  let lastKnown = isTrusted === true;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    async isTrusted() {
      if (isTrusted === true || clock.now() - lookedAt < keptMs) return lastKnown;
      lastKnown = await list.isTrusted(workspace);
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
