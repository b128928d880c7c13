/**
 * Model settings: options and providers from up to four files. Example of the user's own file:
 *
 * [providers.local]
 *
 * kind = "openai-compatible"
 *
 * base_url = "http://127.0.0.1:1234/v1"
 *
 * api_key_env = "LOCAL_API_KEY"
 *
 * [options]
 *
 * model = "local::small"
 *
 * [options.model_aliases]
 *
 * best = "anthropic::claude-opus-5"
 */
import { join } from 'node:path';
import type { AgentOptions } from '../../language/agent/agent-doc.ts';
import { checkAgentOptions, mergeOptions } from '../../language/agent/agent-options.ts';
import { badValue, type ConfigFile, readConfigFile } from './config-file.ts';
import { modelAliases } from './model-data.ts';
import { completeEntry, knownProviders, type ProviderConfig, providerEntry } from './provider-config.ts';

/** A team's settings for all its members. They override every file. */
export interface TeamModels {
  readonly providers: ReadonlyMap<string, ProviderConfig>;
  /** Default model; workspace settings may override it. */
  readonly defaultModel?: string;
  /** Whether providers outside the team's are blocked. */
  readonly isClosed: boolean;
  /** Who made this setting, for messages. */
  readonly lockedBy: string;
}

/** Locations of the settings. */
export interface SettingsPlaces {
  /** Absolute path of the base folder. */
  readonly baseFolder: string;
  /** Absolute path of the workspace; undefined if none is open. */
  readonly workspace?: string | undefined;
  /** Returns the team settings; called on each read. */
  readonly team?: (() => TeamModels | undefined) | undefined;
}

export interface ModelSettings {
  /** Absolute path of the user's own file, which may not exist. */
  readonly userFile: string;
  /**
   * All layers merged. If any of them has a mistake, the getter throws.
   * @throws EngineError `model.bad-config`
   */
  readonly options: AgentOptions;
  /** The same options without invalid options and aliases, for lists. */
  readonly usableOptions: AgentOptions;
  /** The files' providers, followed by the known providers. */
  readonly providerNames: readonly string[];
  /** Providers that exist only in the settings of an untrusted workspace and are therefore ignored. */
  readonly untrustedNames: readonly string[];
  /** Team settings; undefined if there are none. */
  readonly team: TeamModels | undefined;
  /**
   * Returns the provider with this name, or undefined. Other entries are not validated, because another program may
   * support kinds that we do not.
   * @throws EngineError `model.bad-config`
   */
  provider(name: string): ProviderConfig | undefined;
}

/** Default options. They contain no model, so that users do not pay for one by accident. */
export const builtinOptions: AgentOptions = { input_concurrency: 2, model_aliases: modelAliases };

/** Returns the path of the settings file that the user edits. */
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
 * Returns the option layers below an agent's own options: built-in, the three files of the base folder, and the
 * workspace. Reads the files on each call.
 * @returns weakest first
 * @throws EngineError `model.bad-config`
 */
export function readOptionLayers(places: SettingsPlaces): readonly AgentOptions[] {
  return layersOf(readFiles(places).map(optionsOf), places);
}

/** A team's default model overrides the user's own, and the workspace overrides both. */
function layersOf(ofFiles: readonly AgentOptions[], { workspace, team }: SettingsPlaces): readonly AgentOptions[] {
  const layers = [builtinOptions, ...ofFiles];
  const model = team?.()?.defaultModel;
  if (model === undefined) return layers;
  const ofWorkspace = workspace === undefined ? [] : layers.slice(-1);
  return [...layers.slice(0, layers.length - ofWorkspace.length), { model }, ...ofWorkspace];
}

/**
 * Reads all settings on each call.
 * @param places locations, and whether the workspace is trusted
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

/** Returns the name of the section: `[options]`, or `[default_options]` in older files. */
function optionsSection({ table }: ConfigFile): string {
  return Object.hasOwn(table, 'options') ? 'options' : 'default_options';
}

function optionsOf(file: ConfigFile): AgentOptions {
  if (Object.hasOwn(file.table, 'default-options')) {
    throw badValue(file, ['default-options'], 'has no effect; rename the section to [options]');
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

/** The strongest file's entry replaces all others entirely. */
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
