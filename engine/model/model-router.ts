/**
 * From `provider::model` to whoever answers: the scripted model, or a provider of the person's settings.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { EngineError, toErrorRecord } from '../base/engine-error.ts';
import type { FilesCapability, ModelCapability, ModelTarget } from '../kernel/capabilities.ts';
import type { ModelProvider } from './model-provider.ts';
import { type ModelConfig, type ProviderConfig, readModelConfig } from './provider-config.ts';
import { createOpenAiCompatibleProvider } from './providers/openai-compatible.ts';
import { createScriptedModel } from './scripted-model.ts';

export interface ModelWorld {
  /** Folder with `config-user.toml`; it is read again for each request, so that a change counts at once. */
  readonly baseFolder: string;
  /** Where keys come from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads scripts of the scripted model. */
  readonly files: Pick<FilesCapability, 'readText'>;
  readonly clock: Clock;
}

const scripted = 'scripted';

/** Makes the model capability. It reads nothing before the first request. */
export function createModelRouter(world: ModelWorld): ModelCapability {
  const scriptedModel = createScriptedModel(world);

  function providerOf(name: string): ModelProvider {
    if (name === scripted) return scriptedModel;
    const config = readModelConfig(world.baseFolder);
    const entry = config.provider(name);
    if (entry === undefined) throw unknownProvider(name, config);
    return createProvider(name, entry, world);
  }

  return {
    resolve: (model) => resolveTarget(model, world.baseFolder),
    settingsOf: (model) => describeSettings(model, world),
    async ask(request, options) {
      const { provider, model } = resolveTarget(request.model, world.baseFolder);
      return await providerOf(provider).ask({ ...request, model }, options);
    },
  };
}

async function describeSettings(model: string | undefined, world: ModelWorld): Promise<string> {
  try {
    const target = resolveTarget(model, world.baseFolder);
    const settings = target.provider === scripted ? await scriptOf(target, world) : addressOf(target, world);
    return JSON.stringify({ provider: target.provider, model: target.model, ...settings });
  } catch (error) {
    const { code } = toErrorRecord(error);
    return JSON.stringify({ model: model ?? null, problem: code });
  }
}

async function scriptOf({ model: path }: ModelTarget, { files }: ModelWorld): Promise<{ readonly sha256: string }> {
  const { text } = await files.readText(path, new AbortController().signal);
  return { sha256: createHash('sha256').update(text).digest('hex') };
}

/** The key is left out: who pays does not decide the answer. So are the parts of an address that may hold one. */
function addressOf({ provider }: ModelTarget, { baseFolder }: ModelWorld): { kind: string; address: string } {
  const config = readModelConfig(baseFolder);
  const entry = config.provider(provider);
  if (entry === undefined) throw unknownProvider(provider, config);
  const { origin, pathname } = new URL(entry.baseUrl);
  return { kind: entry.kind, address: `${origin}${pathname}` };
}

function createProvider(name: string, config: ProviderConfig, world: ModelWorld): ModelProvider {
  switch (config.kind) {
    case 'openai-compatible':
      return createOpenAiCompatibleProvider({ name, config, env: world.env, clock: world.clock });
  }
}

function resolveTarget(text: string | undefined, baseFolder: string): ModelTarget {
  if (text?.startsWith(`${scripted}::`)) return targetOf(scripted, text.slice(scripted.length + 2));
  const config = readModelConfig(baseFolder);
  const full = text ?? config.defaultModel;
  if (full === undefined) throw missingModel(config);
  const [provider = '', ...rest] = full.split('::');
  const model = rest.join('::');
  if (model === '') throw notAModel(full);
  if (provider !== scripted && !config.providerNames.includes(provider)) throw unknownProvider(provider, config);
  return targetOf(provider, model);
}

function targetOf(provider: string, model: string): ModelTarget {
  return { provider, model, adapterKind: provider === scripted ? 'Scripted' : 'OpenAICompatible' };
}

function missingModel({ file }: ModelConfig): EngineError {
  return new EngineError({
    code: 'model.missing',
    message:
      'No model is set. Name one in the node (config: { model: "provider::model" }), ' +
      `or set a default in ${file} under [options]: model = "provider::model".`,
  });
}

function notAModel(text: string): EngineError {
  return new EngineError({
    code: 'model.unknown-provider',
    message: `"${text}" does not name a provider. Write it as "provider::model".`,
  });
}

function unknownProvider(name: string, { file, providerNames }: ModelConfig): EngineError {
  const known = [scripted, ...providerNames].join(', ');
  return new EngineError({
    code: 'model.unknown-provider',
    message: `There is no provider "${name}" (known: ${known}). Add it to ${file} as [providers.${name}].`,
  });
}
