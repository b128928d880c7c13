/**
 * Routes model names to the scripted model or a provider.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { resolveAlias } from '../../language/agent/agent-options.ts';
import type { FilesCapability } from '../../runtime/kernel/capabilities/files-capability.ts';
import type { ModelCapability, ModelTarget } from '../../runtime/kernel/models/model-capability.ts';
import { keyNotAllowed } from './key-hosts.ts';
import { type ModelName, parseModelName, splitEffort } from './model-name.ts';
import type { KeySource } from './model-provider.ts';
import { type ModelSettings, readModelSettings, type SettingsPlaces } from './model-settings.ts';
import { type ProviderConfig, type ProviderKind, shownAddress } from './provider-config.ts';
import { RefusedFields } from './providers/optional-fields.ts';
import { createScriptedModel } from './scripted-model.ts';

interface ModelRouterOptions {
  /** Folder with the user's settings. They are read for each request, so that changes take effect immediately. */
  readonly baseFolder: string;
  /** Absolute path of the workspace, which may have its own settings; absent if none is open. */
  readonly workspace?: string;
  /** Whether the workspace's providers are used, checked for each request. If absent, they are not. */
  readonly isTrusted?: () => boolean;
  /** Team settings. */
  readonly team?: SettingsPlaces['team'];
  /** Returns the keys. */
  readonly keyOf: KeySource;
  /** Whether a provider's key may be sent to its host. If absent, every key may be sent. */
  readonly mayUseKey?: (config: ProviderConfig) => boolean;
  /** Reads the scripted model's files. */
  readonly files: Pick<FilesCapability, 'readText'>;
  readonly clock: Clock;
  /** Returns a number from 0 up to 1 for the time between two attempts; defaults to `Math.random`. */
  readonly random?: () => number;
}

const scripted = 'scripted';

const adapterKinds: Readonly<Record<ProviderKind, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  ollama: 'Ollama',
  'openai-compatible': 'OpenAICompatible',
};

/** Creates the model capability. It reads nothing before the first request. */
export function createModelRouter(world: ModelRouterOptions): ModelCapability {
  const scriptedModel = createScriptedModel(world);
  const refused = new RefusedFields();
  return {
    resolve: (model) => findTarget(model, world).target,
    settingsOf: (model) => describeSettings(model, world),
    async ask(request, options) {
      const { target, config } = findTarget(request.model, world);
      if (config === undefined) {
        return { ...(await scriptedModel.ask({ ...request, model: target.model }, options)), costUsd: 0 };
      }
      if (world.mayUseKey?.(config) === false) throw keyNotAllowed(target.provider, config);
      // Loaded here together with the price table, because most runs use no model.
      const { askProvider } = await import('./ask-provider.ts');
      const { keyOf, clock, random = Math.random } = world;
      const provider = { name: target.provider, config, keyOf, clock, random, refused };
      return await askProvider(provider, { ...request, ...splitEffort(target.model) }, options);
    },
  };
}

async function describeSettings(model: string | undefined, world: ModelRouterOptions): Promise<string> {
  try {
    const { target, config } = findTarget(model, world);
    // Omits the key, because it does not affect the response, and the parts of the URL that may contain one.
    const settings =
      config === undefined ? await scriptOf(target, world) : { kind: config.kind, address: shownAddress(config) };
    return JSON.stringify({ provider: target.provider, model: target.model, ...settings });
  } catch (error) {
    const { code } = toErrorRecord(error);
    return JSON.stringify({ model: model ?? null, problem: code });
  }
}

async function scriptOf(
  { model: path }: ModelTarget,
  { files }: ModelRouterOptions,
): Promise<{ readonly sha256: string }> {
  const { text } = await files.readText(path, new AbortController().signal);
  return { sha256: createHash('sha256').update(text).digest('hex') };
}

interface FoundTarget {
  readonly target: ModelTarget;
  /** Undefined for the scripted model, which has none. */
  readonly config: ProviderConfig | undefined;
}

/** A scripted model needs no settings, so mistakes in them cannot affect it. */
function findTarget(text: string | undefined, world: ModelRouterOptions): FoundTarget {
  if (text?.startsWith(`${scripted}::`)) return scriptedTarget(text.slice(scripted.length + 2));
  const { baseFolder, workspace, isTrusted, team } = world;
  const settings = readModelSettings({ baseFolder, workspace, team, isTrusted: isTrusted?.() ?? false });
  const wanted = text ?? settings.options.model;
  if (wanted === undefined) throw missingModel(settings);
  const name = parseModelName(resolveAlias(wanted, settings.options.model_aliases));
  if (name === undefined) throw notAModel(wanted);
  return name.provider === scripted ? scriptedTarget(name.model) : providerTarget(name, settings);
}

function scriptedTarget(model: string): FoundTarget {
  return { target: { provider: scripted, model, adapterKind: 'Scripted' }, config: undefined };
}

function providerTarget({ provider, model }: ModelName, settings: ModelSettings): FoundTarget {
  if (!settings.providerNames.includes(provider)) throw unknownProvider(provider, settings);
  const config = settings.provider(provider);
  if (config === undefined) throw unknownProvider(provider, settings);
  return { target: { provider, model, adapterKind: adapterKinds[config.kind] }, config };
}

function missingModel({ userFile }: ModelSettings): EngineError {
  return new EngineError({
    code: 'model.missing',
    message:
      `No model is set. Set a default in ${userFile} under [options]: model = "provider::model", ` +
      'or set one in a node: config: { model: "provider::model" }.',
  });
}

function notAModel(text: string): EngineError {
  return new EngineError({
    code: 'model.unknown-provider',
    message: `"${text}" is not a model name. Write it as "provider::model".`,
  });
}

function unknownProvider(name: string, { userFile, providerNames, untrustedNames, team }: ModelSettings): EngineError {
  if (team?.isClosed === true) return notAllowed(name, team);
  const known = [scripted, ...providerNames].join(', ');
  const help = untrustedNames.includes(name)
    ? 'The settings of this workspace contain it, but they apply only if you trust the workspace.'
    : `Add it to ${userFile} as [providers.${name}].`;
  return new EngineError({
    code: 'model.unknown-provider',
    message: `Provider "${name}" does not exist (known: ${known}). ${help}`,
  });
}

function notAllowed(name: string, { providers, lockedBy }: NonNullable<ModelSettings['team']>): EngineError {
  const allowed =
    providers.size === 0 ? 'no provider is allowed' : `allowed providers are ${[...providers.keys()].join(', ')}`;
  return new EngineError({
    code: 'model.not-allowed',
    message: `The provider "${name}" is not allowed by ${lockedBy}: ${allowed}.`,
    details: { provider: name },
  });
}
