/**
 * Settings of models: options and providers, out of up to four files. The user's own, for example:
 *
 *     [providers.local]
 *     kind = "openai-compatible"
 *     base_url = "http://127.0.0.1:1234/v1"
 *     api_key_env = "LOCAL_API_KEY"
 *
 *     [options]
 *     model = "local::small"
 *
 *     [options.model_aliases]
 *     best = "anthropic::claude-opus-5"
 */
import { join } from 'node:path';
import type { AgentOptions } from '../agent/agent-doc.ts';
import { checkAgentOptions, mergeOptions } from '../agent/agent-options.ts';
import { badValue, type ConfigFile, readConfigFile } from './config-file.ts';
import { defaultAliases } from './default-aliases.ts';
import { completeEntry, knownProviders, type ProviderConfig, providerEntry } from './provider-config.ts';

/** What a team sets for all who belong to it. It wins over every file. */
export interface TeamModels {
  readonly providers: ReadonlyMap<string, ProviderConfig>;
  /** Of whatever names no model; settings of a workspace may name another. */
  readonly defaultModel?: string;
  /** No other provider may be asked. */
  readonly isClosed: boolean;
  /** Who has set it, for messages. */
  readonly lockedBy: string;
}

/** Where settings stand. */
export interface SettingsPlaces {
  /** Absolute. */
  readonly baseFolder: string;
  /** Absolute; undefined = none is open. */
  readonly workspace?: string | undefined;
  /** What a team sets; asked for with each reading. */
  readonly team?: (() => TeamModels | undefined) | undefined;
}

export interface ModelSettings {
  /** The person's own file, absolute; it need not be there. */
  readonly userFile: string;
  /**
   * All layers merged; with a mistake in one of them, nothing can rely on any.
   * @throws EngineError `model.bad-config`
   */
  readonly options: AgentOptions;
  /** For lists: the same without the options and aliases that have a mistake. */
  readonly usableOptions: AgentOptions;
  /** Those of the files, then those that need no settings. */
  readonly providerNames: readonly string[];
  /** Providers that only the workspace's settings have, and that do not count because it is not trusted. */
  readonly untrustedNames: readonly string[];
  /** What a team sets; undefined = nothing. */
  readonly team: TeamModels | undefined;
  /**
   * The provider of that name, or undefined. Other entries are not looked at: another program may know kinds that we do
   * not.
   * @throws EngineError `model.bad-config`
   */
  provider(name: string): ProviderConfig | undefined;
}

/** What holds without any file. A model is not among it: nobody should pay for one by accident. */
export const builtinOptions: AgentOptions = { input_concurrency: 2, model_aliases: defaultAliases };

/** The file that is a person's to change. */
export function userFileOf(baseFolder: string): string {
  return join(baseFolder, 'config-user.toml');
}

function baseFiles(baseFolder: string): string[] {
  return [
    join(baseFolder, 'millrace', 'config-default.toml'),
    join(baseFolder, 'config-default.toml'),
    userFileOf(baseFolder),
  ];
}

function workspaceFile(workspace: string): string {
  return join(workspace, '.aipack', 'config.toml');
}

/**
 * The options that hold before an agent's own: built-in, of the base folder's three files, of the workspace. Read anew
 * with each call.
 * @returns weakest first
 * @throws EngineError `model.bad-config`
 */
export function readOptionLayers(places: SettingsPlaces): readonly AgentOptions[] {
  return layersOf(readFiles(places).map(optionsOf), places);
}

/** A team's default comes behind the person's own and before the workspace's. */
function layersOf(ofFiles: readonly AgentOptions[], { workspace, team }: SettingsPlaces): readonly AgentOptions[] {
  const layers = [builtinOptions, ...ofFiles];
  const model = team?.()?.defaultModel;
  if (model === undefined) return layers;
  const ofWorkspace = workspace === undefined ? [] : layers.slice(-1);
  return [...layers.slice(0, layers.length - ofWorkspace.length), { model }, ...ofWorkspace];
}

/**
 * All settings, read anew with each call.
 * @param places whether its providers count as well
 * @throws EngineError `model.bad-config`
 */
export function readModelSettings(places: SettingsPlaces & { readonly isTrusted: boolean }): ModelSettings {
  const files = readFiles(places);
  const ofWorkspace = places.workspace === undefined ? [] : files.slice(-1);
  const trusted = places.isTrusted ? files : files.filter((file) => !ofWorkspace.includes(file));
  const names = namesOf(trusted);
  const team = places.team?.();
  const ofTeam = [...(team?.providers.keys() ?? [])];
  return {
    userFile: userFileOf(places.baseFolder),
    get options() {
      return mergeOptions(layersOf(files.map(optionsOf), places));
    },
    get usableOptions() {
      return mergeOptions(layersOf(files.map(usableOptionsOf), places));
    },
    providerNames: team?.isClosed === true ? ofTeam : [...new Set([...ofTeam, ...names, ...knownProviders.keys()])],
    untrustedNames: namesOf(ofWorkspace).filter((name) => !names.includes(name)),
    team,
    provider: (name) =>
      team?.providers.get(name) ?? (team?.isClosed === true ? undefined : findProvider(name, trusted)),
  };
}

function readFiles({ baseFolder, workspace }: SettingsPlaces): readonly ConfigFile[] {
  const ofWorkspace = workspace === undefined ? [] : [workspaceFile(workspace)];
  return [...baseFiles(baseFolder), ...ofWorkspace].map(readConfigFile);
}

/** The section `[options]`, or `[default_options]` as in older files. */
function optionsSection({ table }: ConfigFile): string {
  return Object.hasOwn(table, 'options') ? 'options' : 'default_options';
}

function optionsOf(file: ConfigFile): AgentOptions {
  if (Object.hasOwn(file.table, 'default-options')) {
    throw badValue(file, ['default-options'], 'is not read; name the section [options]');
  }
  const section = optionsSection(file);
  const { options, problems } = checkAgentOptions(file.table[section] ?? {});
  const [problem] = problems;
  if (problem !== undefined) throw badValue(file, [section, ...problem.path], problem.reason);
  return options;
}

function usableOptionsOf(file: ConfigFile): AgentOptions {
  const table = file.table[optionsSection(file)] ?? {};
  const bad = checkAgentOptions(table).problems.map(({ path }) => path);
  if (!isTable(table)) return {};
  const { model_aliases: aliases, ...others } = table;
  const badAliases = bad.flatMap(([option, alias]) => (option === 'model_aliases' && alias ? [alias] : []));
  const usable = {
    ...without(
      others,
      bad.flatMap(([option]) => option ?? []),
    ),
    ...(isTable(aliases) ? { model_aliases: without(aliases, badAliases) } : {}),
  };
  return checkAgentOptions(usable).options;
}

function without(table: Readonly<Record<string, unknown>>, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(table).filter(([key]) => !keys.includes(key)));
}

function entriesOf(file: ConfigFile): Readonly<Record<string, unknown>> {
  const providers = file.table['providers'] ?? {};
  if (!isTable(providers)) throw badValue(file, ['providers'], 'must be a table');
  return providers;
}

function namesOf(files: readonly ConfigFile[]): readonly string[] {
  return [...new Set(files.flatMap((file) => Object.keys(entriesOf(file))))];
}

/** The strongest file that has an entry gives all of it. */
function findProvider(name: string, files: readonly ConfigFile[]): ProviderConfig | undefined {
  const known = knownProviders.get(name);
  const file = files.findLast((one) => Object.hasOwn(entriesOf(one), name));
  if (file === undefined) return known;
  const keys = ['providers', name];
  const entry = providerEntry().safeParse(entriesOf(file)[name]);
  if (!entry.success) {
    const [issue] = entry.error.issues;
    throw badValue(file, [...keys, ...(issue?.path ?? []).map(String)], issue?.message ?? '');
  }
  const config = completeEntry(entry.data, known, knownProviders);
  if (typeof config === 'string') throw badValue(file, keys, `cannot be used: ${config}`);
  return config;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
