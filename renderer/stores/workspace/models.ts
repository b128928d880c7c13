/**
 * The models that this workspace can name: those in its files, those of the settings, and those that local servers and
 * providers with a key list when they are asked.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { ModelSettings, Preferences, Provider } from '../window/preferences.ts';

export type ModelProblem = EngineResult<'checkModels'>[number];
type KnownModels = EngineResult<'listModels'>;

/** A model, or a provider with `::` behind its name, that can be chosen. */
export interface ModelChoice {
  readonly text: string;
  /** What it is, or why it cannot be asked yet. */
  readonly detail: string;
}

export interface Models {
  /** Null = nobody has looked yet. */
  readonly known: KnownModels | null;
  /** By provider: the models that it lists; null = it did not answer. */
  readonly listed: ReadonlyMap<string, readonly string[] | null>;
  /** By model, `null` for the default: what stands in the way of it, null = nothing does. */
  readonly problems: ReadonlyMap<string | null, ModelProblem | null>;
  /** Reads what stands in files and settings, and forgets what is known of problems. */
  refresh(): Promise<void>;
  /** Asks local servers and providers with a key which models they have, at most once in a minute each. */
  lookAround(): Promise<void>;
  /** Finds out about models that nobody has asked about yet. */
  check(models: readonly (string | null)[]): Promise<void>;
}

/** Milliseconds for which an answer of a provider holds. */
const keptMs = 60_000;

/** Models that are lists for other things than text, by how providers call them. */
const otherThings = /embed|whisper|transcri|tts|speech|audio|dall-e|image|moderation|realtime|rerank|sora|veo|imagen/i;

/** Whether a provider can be asked as things stand: it has its key, or needs none. */
function isUsable({ keyVariable, hasKey, isKeyAllowed }: Provider): boolean {
  return keyVariable === null || (hasKey && isKeyAllowed);
}

export function createModels(engine: EngineClient, preferences: StoreApi<Preferences>): StoreApi<Models> {
  const askedAt = new Map<string, number>();
  const underWay = new Set<string | null>();
  return createStore<Models>()((set, get) => {
    const ask = async (models: readonly (string | null)[]): Promise<void> => {
      // Without an engine there is nobody to ask; when another one is there, everything is asked again.
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
      const names = models.filter((model) => !otherThings.test(model)).map((model) => `${name}::${model}`);
      set({ listed: new Map(get().listed).set(name, ok ? names : null) });
    };
    return {
      known: null,
      listed: new Map(),
      problems: new Map(),
      async refresh() {
        const known = await engine.call('listModels').catch(() => get().known);
        // Whoever shows problems asks again for those that it needs.
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

/** Where a provider is, for people. */
function placeOf({ keyVariable, name }: Provider): string {
  return keyVariable === null ? 'local' : name;
}

/**
 * What there is to choose: the default, what this flow and the workspace use, scripts, short names, models of local
 * servers and of providers with a key; then the providers that need one.
 * @param used models that the flow names
 */
export function modelChoices(
  settings: ModelSettings | null,
  { known, listed }: Pick<Models, 'known' | 'listed'>,
  used: readonly string[],
): readonly ModelChoice[] {
  const { aliases = {}, providers = [] } = settings ?? {};
  const { defaultModel, scripted = [], used: usedAround = [], priced = [] } = known ?? {};
  const usable = providers.filter(isUsable);
  const choices: ModelChoice[] = [
    ...(defaultModel ? [{ text: defaultModel, detail: 'default' }] : []),
    ...used.map((text) => ({ text, detail: 'used in this flow' })),
    ...scripted.map((text) => ({ text, detail: 'scripted, works offline' })),
    ...usedAround.map((text) => ({ text, detail: 'used in this workspace' })),
    ...Object.entries(aliases).map(([text, detail]) => ({ text, detail })),
    ...usable.flatMap((provider) =>
      (listed.get(provider.name) ?? []).map((text) => ({ text, detail: placeOf(provider) })),
    ),
    // What a provider lists itself is newer than the prices that are known.
    ...priced
      .filter((text) => !listed.get(text.slice(0, text.indexOf('::')))?.length)
      .map((text) => ({ text, detail: text.slice(0, text.indexOf('::')) })),
    ...providers.map((provider) => ({ text: `${provider.name}::`, detail: stateOf(provider, listed) })),
  ];
  return choices.filter(({ text }, index) => choices.findIndex((one) => one.text === text) === index);
}

function stateOf(provider: Provider, listed: Models['listed']): string {
  if (!isUsable(provider)) return provider.hasKey ? 'key not allowed here' : 'needs a key';
  return listed.get(provider.name) === null ? 'does not answer' : placeOf(provider);
}

/** The provider that stands before the `::` of a model. */
export function providerOfModel(model: string, settings: ModelSettings | null): Provider | undefined {
  const at = model.indexOf('::');
  return at === -1 ? undefined : settings?.providers.find(({ name }) => name === model.slice(0, at));
}
