/**
 * The models available in this workspace: those in its files, those in the settings, and those listed by local servers
 * and providers with a key.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { ModelSettingsState, PreferencesState, Provider } from '../window/preferences.ts';
import { text as words } from './text.ts';

export type ModelProblem = EngineResult<'checkModels'>[number];
type KnownModels = EngineResult<'listModels'>;

/** A model that can be selected. */
interface ModelChoice {
  readonly model: string;
  /** Display text in its group. */
  readonly text: string;
  /** A description, or the price. Empty if nothing is known. */
  readonly detail: string;
}

/** A group of models in a list. */
export interface ModelGroup {
  readonly title: string;
  /** What the models have in common, such as that they need no key. Empty if there is nothing to say. */
  readonly note: string;
  readonly choices: readonly ModelChoice[];
}

export interface Models {
  /** Null until they are loaded. */
  readonly known: KnownModels | null;
  /** The models listed by each provider. Null if it did not respond. */
  readonly listed: ReadonlyMap<string, readonly string[] | null>;
  /** By model, with `null` for the default: why it cannot be used. Null if it can. */
  readonly problems: ReadonlyMap<string | null, ModelProblem | null>;
  /** Reloads the models in files and settings, and clears known problems. */
  refresh(): Promise<void>;
  /** Requests the models of local servers and providers with a key, at most once per minute each. */
  lookAround(): Promise<void>;
  /** Checks models that have not been checked yet. */
  check(models: readonly (string | null)[]): Promise<void>;
}

/** Milliseconds for which a provider's response is valid. */
const keptMs = 60_000;

/** Matches the names of models that generate or process something other than text. */
const otherThings = /embed|whisper|transcri|tts|speech|audio|dall-e|image|moderation|realtime|rerank|sora|veo|imagen/i;

/** Returns whether a provider can be used: it has its key, or needs none. */
function isUsable({ keyVariable, hasKey, isKeyAllowed }: Provider): boolean {
  return keyVariable === null || (hasKey && isKeyAllowed);
}

export function createModels(engine: EngineClient, preferences: StoreApi<PreferencesState>): StoreApi<Models> {
  const askedAt = new Map<string, number>();
  const underWay = new Set<string | null>();
  return createStore<Models>()((set, get) => {
    const ask = async (models: readonly (string | null)[]): Promise<void> => {
      // Without an engine nothing is checked. A new engine checks everything again.
      const found = await engine.call('checkModels', [...models]).catch(() => null);
      if (found === null) return;
      const problemOf = new Map(found.map((problem) => [problem.model, problem]));
      const answers = models.map((model) => [model, problemOf.get(model) ?? null] as const);
      set({ problems: new Map([...get().problems, ...answers]) });
    };
    const list = async (provider: Provider): Promise<void> => {
      const { name, hasKey, baseUrl } = provider;
      const subject = `${name} ${baseUrl} ${hasKey}`;
      if (Date.now() - (askedAt.get(subject) ?? 0) < keptMs) return;
      askedAt.set(subject, Date.now());
      const { ok, models = [] } = await engine.call('testProvider', name).catch(() => ({ ok: false, models: [] }));
      const names = models.map((model) => `${name}::${model}`);
      set({ listed: new Map(get().listed).set(name, ok ? names : null) });
    };
    return {
      known: null,
      listed: new Map(),
      problems: new Map(),
      async refresh() {
        const known = await engine.call('listModels').catch(() => get().known);
        // Views that show problems request those they need again.
        set({ known, problems: new Map() });
      },
      async lookAround() {
        if (preferences.getState().models === null) await preferences.getState().refresh();
        await Promise.all((preferences.getState().models?.providers ?? []).filter(isUsable).map(list));
      },
      async check(models) {
        const { problems } = get();
        const unknown = models.filter((model) => !problems.has(model) && !underWay.has(model));
        if (unknown.length === 0) return;
        for (const model of unknown) underWay.add(model);
        await ask(unknown);
        for (const model of unknown) underWay.delete(model);
      },
    };
  });
}

/** Returns whether a provider runs on this computer. */
function isHere({ baseUrl }: Provider): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::|\/|$)/.test(baseUrl);
}

/** Returns whether a model generates text, as far as its name shows. */
export function isTextModel(model: string): boolean {
  return !otherThings.test(model);
}

type KnownLists = Pick<Models, 'known' | 'listed'>;

/**
 * Returns the available models: names used in this workspace, scripts, then those of each usable provider, and finally
 * those of servers on this computer. A model is in only one group.
 * @param used models used by the flow
 */
export function modelGroups(
  settings: ModelSettingsState | null,
  lists: KnownLists,
  used: readonly string[],
): readonly ModelGroup[] {
  const { aliases = {}, providers = [] } = settings ?? {};
  const { defaultModel, scripted = [], used: usedAround = [] } = lists.known ?? {};
  const usable = providers.filter(isUsable);
  const named = (detail: string) => (model: string) => ({ model, text: model, detail });
  const groups: readonly ModelGroup[] = [
    {
      title: words.models.ofWorkspace,
      note: '',
      choices: [
        ...(defaultModel ? [named(words.models.default)(defaultModel)] : []),
        ...Object.entries(aliases).map(([model, detail]) => ({ model, text: model, detail })),
        ...used.map(named(words.models.usedInFlow)),
        // Scripts have a separate group.
        ...usedAround.filter((model) => !scripted.includes(model)).map(named(words.models.usedInWorkspace)),
      ],
    },
    { title: words.models.scripts, note: words.models.scriptsOffline, choices: scripted.map(named('')) },
    ...usable.filter((provider) => !isHere(provider)).map((provider) => providerGroup(provider, lists)),
    hereGroup(usable.filter(isHere), lists),
  ];
  return withoutRepeats(groups);
}

function withoutRepeats(groups: readonly ModelGroup[]): readonly ModelGroup[] {
  const seen = new Set<string>();
  const isFirst = ({ model }: ModelChoice): boolean => !seen.has(model) && seen.add(model) !== undefined;
  return groups
    .map((group) => ({ ...group, choices: group.choices.filter(isFirst) }))
    .filter(({ choices, note }) => choices.length > 0 || note === words.models.silent);
}

/** Returns the models listed by a provider. Before it has responded, those with a known price. */
function namesOf({ name }: Provider, { known, listed }: KnownLists): readonly string[] {
  const own = listed.get(name);
  if (own?.length) return own.filter(isTextModel);
  return (known?.priced ?? []).map(({ model }) => model).filter((model) => model.startsWith(`${name}::`));
}

function providerGroup(provider: Provider, lists: KnownLists): ModelGroup {
  const { name, keyVariable } = provider;
  const choices = namesOf(provider, lists).map((model) => ({
    ...{ model, text: model.slice(name.length + 2) },
    detail: priceText(model, lists.known),
  }));
  const isSilent = lists.listed.get(name) === null;
  return {
    title: name,
    note: isSilent ? words.models.silent : keyVariable === null ? words.models.noKeyNeeded : words.models.keySet,
    choices,
  };
}

function hereGroup(providers: readonly Provider[], lists: KnownLists): ModelGroup {
  const choices = providers.flatMap((provider) =>
    namesOf(provider, lists).map((model) => ({ model, text: model, detail: '' })),
  );
  const isSilent = providers.length > 0 && providers.every(({ name }) => lists.listed.get(name) === null);
  return {
    title: words.models.onThisComputer,
    note: isSilent ? words.models.silent : words.models.noKeyNeeded,
    choices,
  };
}

/** A dated version has the price of its model. */
function priceText(model: string, known: KnownModels | null): string {
  const plain = model.replace(/-\d{4}-?\d{2}-?\d{2}$/, '');
  const price = known?.priced.find((one) => one.model === model || one.model === plain);
  return price === undefined ? '' : `$${price.input} / $${price.output}`;
}

/** Describes a selected model: the model of an alias, or what is known of its provider. */
export function modelHint(model: string, settings: ModelSettingsState | null): string {
  const target = settings?.aliases[model];
  if (target !== undefined) return target;
  if (model.startsWith('scripted::')) return words.models.scriptOffline;
  const provider = providerOfModel(model, settings);
  if (provider === undefined) return '';
  if (provider.keyVariable === null) return words.models.noKeyNeeded;
  return isUsable(provider)
    ? words.models.keySet
    : provider.hasKey
      ? words.models.keyNotAllowed
      : words.models.keyNeeded;
}

/** Returns whether a name is an alias. */
export function isShortName(model: string, settings: ModelSettingsState | null, known: KnownModels | null): boolean {
  return known?.aliases?.includes(model) === true || Object.hasOwn(settings?.aliases ?? {}, model);
}

/** Returns why no list contains a name. Undefined if it is in one, or if its provider has not listed its models. */
export function unlistedReason(
  model: string,
  settings: ModelSettingsState | null,
  lists: KnownLists,
): string | undefined {
  if (settings === null || model.startsWith('scripted::') || isShortName(model, settings, lists.known))
    return undefined;
  const all = [...lists.listed.values()].flatMap((names) => names ?? []);
  if (!model.includes('::')) return all.some((one) => one.endsWith(`::${model}`)) ? undefined : words.models.noProvider;
  const provider = providerOfModel(model, settings);
  if (provider === undefined) return words.models.noProvider;
  const listed = lists.listed.get(provider.name);
  return listed?.length && !listed.includes(model) ? words.models.notListed({ provider: provider.name }) : undefined;
}

/** Returns the provider named before the `::` of a model. */
export function providerOfModel(model: string, settings: ModelSettingsState | null): Provider | undefined {
  const at = model.indexOf('::');
  return at === -1 ? undefined : settings?.providers.find(({ name }) => name === model.slice(0, at));
}
