/**
 * Lists the models that a workspace's flows can use, and the problems of the models that they do use, for forms and
 * warnings in a window. Never calls a model or a provider.
 */
import type { Clock } from '../../base/clock.ts';
import { type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import type { TeamSource } from '../../packs/team/find-team.ts';
import { teamModelsOf } from '../../packs/team/team-rules.ts';
import type { ModelCapability } from '../../runtime/kernel/models/model-capability.ts';
import { readFlowText } from '../../world/files/read-flow.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import { findFiles } from '../../world/files/walk-files.ts';
import { resolveInWorkspace } from '../../world/files/workspace-path.ts';
import { keyNotAllowed } from '../../world/model/key-hosts.ts';
import { splitEffort } from '../../world/model/model-name.ts';
import type { KeySource } from '../../world/model/model-provider.ts';
import { type ModelSettings, readModelSettings } from '../../world/model/model-settings.ts';
import { hasPrice, pricesAt } from '../../world/model/price-table.ts';
import type { ProviderConfig } from '../../world/model/provider-config.ts';
import { scriptProblem } from '../../world/model/scripted-model.ts';

/** Models that the workspace's flows can use. Determined without external requests. */
export interface KnownModels {
  /** The model that is used if none is named; null if there is none. */
  readonly defaultModel: string | null;
  /** `scripted::PATH` for each script in the workspace, in path order. */
  readonly scripted: readonly string[];
  /** Models that the flows' nodes use, most frequent first. */
  readonly used: readonly string[];
  /** Model aliases, both built-in and from the settings. */
  readonly aliases?: readonly string[];
  /** Models with a known price, from providers with a key. */
  readonly priced: readonly ListPrice[];
}

/** Price of a model, in US dollars per million tokens. */
interface ListPrice {
  /** `provider::model` */
  readonly model: string;
  readonly input: number;
  readonly output: number;
}

/** Why a model cannot be used. */
export interface ModelProblem {
  /** Name as given; null for the default. */
  readonly model: string | null;
  /** `model.missing` | `model.missing-key` | `model.key-not-allowed` | `model.unknown-provider` | `model.bad-config` | `model.bad-script` | `files.*` */
  readonly code: string;
  /** A sentence for people. */
  readonly message: string;
  /** The provider, for `model.missing-key` and `model.key-not-allowed`. */
  readonly provider?: string;
  readonly variable?: string;
}

/** The part of an engine that handles models. */
export interface ModelEngine {
  listModels(): Promise<KnownModels>;
  /** Returns the problems of these models (null for the default). Omits models that can be used. */
  checkModels(models: readonly (string | null)[]): Promise<readonly ModelProblem[]>;
}

export interface ModelServiceOptions {
  /** Absolute path. */
  readonly workspace: string;
  readonly baseFolder: string;
  readonly clock: Clock;
  readonly isTrusted: () => Promise<boolean>;
  readonly keyOf: KeySource;
  readonly mayUseKey: (config: ProviderConfig) => boolean;
  /** The team settings. */
  readonly team: TeamSource;
  readonly resolveModel: ModelCapability['resolve'];
}

/** Maximum number and size of files to search. They are limited because a list for a form must be available quickly. */
const mostFiles = 300;
const maxFileBytes = 512 * 1024;

/** Lists the models that flows can use; see `ModelEngine.listModels`. */
export async function listModels(world: ModelServiceOptions): Promise<KnownModels> {
  const { workspace, baseFolder } = world;
  const { paths } = await findFiles(workspace);
  const [scripted, used, isTrusted] = await Promise.all([
    scriptsIn(workspace, paths),
    usedModels(workspace, paths),
    world.isTrusted(),
  ]);
  const settings = settingsOrNone({ baseFolder, workspace, isTrusted, team: () => teamModelsOf(world.team()) });
  const { model = null, model_aliases: aliases } = settings?.usableOptions ?? {};
  return {
    ...{ defaultModel: model, scripted, used, priced: pricedModels(settings, world) },
    ...(aliases === undefined ? {} : { aliases: Object.keys(aliases) }),
  };
}

/** Returns the problems of models; see `ModelEngine.checkModels`. */
export async function checkModels(
  models: readonly (string | null)[],
  world: ModelServiceOptions,
): Promise<readonly ModelProblem[]> {
  // Refreshes the trust state, because the router uses the last known state.
  await world.isTrusted();
  const found = await Promise.all(models.map((model) => problemOf(model, world)));
  return found.filter((problem) => problem !== undefined);
}

/** Returns whether the cost of a model is known. @throws EngineError `model.unknown-provider` | `model.missing` */
export async function isPricedModel(model: string | undefined, world: ModelServiceOptions): Promise<boolean> {
  const { provider, model: name } = world.resolveModel(model);
  if (provider === 'scripted') return true;
  const { baseFolder, workspace } = world;
  const isTrusted = await world.isTrusted();
  const settings = settingsOrNone({ baseFolder, workspace, isTrusted, team: () => teamModelsOf(world.team()) });
  const config = settings === undefined ? undefined : providerOf(settings, provider);
  if (config === undefined) return false;
  return hasPrice({ address: config.baseUrl, model: splitEffort(name).model }, world.clock.now());
}

function settingsOrNone(places: Parameters<typeof readModelSettings>[0]): ModelSettings | undefined {
  try {
    return readModelSettings(places);
  } catch {
    return undefined;
  }
}

/** Skips files that cannot be read or are symbolic links to other locations. */
async function readInside(workspace: string, path: string, read: (real: string) => Promise<string>): Promise<string> {
  try {
    return await read((await resolveInWorkspace(workspace, path)).real);
  } catch {
    return '';
  }
}

async function scriptsIn(workspace: string, paths: readonly string[]): Promise<readonly string[]> {
  const candidates = paths.filter((path) => /\.ya?ml$/.test(path) && !/\.flow\.ya?ml$/.test(path)).slice(0, mostFiles);
  const scripts = await Promise.all(
    candidates.map(async (path) => {
      const text = await readInside(workspace, path, (real) =>
        readTextFile(real, { maxBytes: maxFileBytes, shownPath: path }),
      );
      return /(?:^|[{\s"'])replies["']?\s*:/.test(text) && scriptProblem(path, text) === undefined ? [path] : [];
    }),
  );
  return scripts.flat().map((path) => `scripted::${path}`);
}

async function usedModels(workspace: string, paths: readonly string[]): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for (const path of paths.filter((one) => /\.flow\.ya?ml$/.test(one)).slice(0, mostFiles)) {
    const text = await readInside(workspace, path, (real) =>
      readFlowText(real, { shownPath: path, maxLength: maxFileBytes }),
    );
    // Parsing a whole flow takes a millisecond or more, and many use no model at all.
    if (!text.includes('model')) continue;
    for (const { config } of parseFlow(text).doc?.nodes ?? []) {
      const model = config?.['model'];
      if (typeof model === 'string' && model !== '') counts.set(model, (counts.get(model) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, left], [, right]) => right - left).map(([model]) => model);
}

function pricedModels(
  settings: ModelSettings | undefined,
  { keyOf, mayUseKey, clock }: ModelServiceOptions,
): readonly ListPrice[] {
  return (settings?.providerNames ?? []).flatMap((name) => {
    const config = settings === undefined ? undefined : providerOf(settings, name);
    if (config?.apiKeyEnv === undefined || !keyOf(config.apiKeyEnv) || !mayUseKey(config)) return [];
    const prices = pricesAt(config.baseUrl, clock.now());
    return Object.entries(prices).map(([model, { input, output }]) => ({ model: `${name}::${model}`, input, output }));
  });
}

/** Returns the settings of a provider; undefined for an invalid entry. */
function providerOf(settings: ModelSettings, name: string): ProviderConfig | undefined {
  try {
    return settings.provider(name);
  } catch {
    return undefined;
  }
}

async function problemOf(model: string | null, world: ModelServiceOptions): Promise<ModelProblem | undefined> {
  const { workspace, baseFolder, keyOf, mayUseKey } = world;
  try {
    const { provider, model: name } = world.resolveModel(model ?? undefined);
    if (provider === 'scripted') return await scriptTrouble(model, name, workspace);
    const settings = readModelSettings({
      ...{ baseFolder, workspace, isTrusted: await world.isTrusted() },
      team: () => teamModelsOf(world.team()),
    });
    const config = settings.provider(provider);
    const variable = config?.apiKeyEnv;
    if (config === undefined || variable === undefined) return undefined;
    const at = { model, provider, variable };
    if (!keyOf(variable)?.trim()) {
      return { ...at, code: 'model.missing-key', message: `Provider "${provider}" needs a key (${variable}).` };
    }
    return mayUseKey(config) ? undefined : { ...at, ...shortOf(keyNotAllowed(provider, config)) };
  } catch (error) {
    return { model, ...shortOf(error) };
  }
}

async function scriptTrouble(model: string | null, path: string, workspace: string): Promise<ModelProblem | undefined> {
  const { real, shown } = await resolveInWorkspace(workspace, path);
  const problem = scriptProblem(shown, await readTextFile(real, { maxBytes: maxFileBytes, shownPath: shown }));
  return problem === undefined ? undefined : { model, code: 'model.bad-script', message: problem };
}

function shortOf(error: unknown): Pick<ErrorRecord, 'code' | 'message'> {
  const { code, message } = toErrorRecord(error);
  return { code, message };
}
