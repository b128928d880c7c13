/**
 * Converts the providers of a configuration to a model and its settings.
 */
import { isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { modelName } from '../models.ts';
import { type ConfigFiles, filePath, listOf, mapOf, parsedValue } from './config-values.ts';

/** A provider of the configuration. */
export interface FoundProvider {
  readonly id: string;
  /** As `provider::model`; undefined without an equivalent. */
  readonly model: string | undefined;
  /** Settings of the node. */
  readonly config: JsonMap;
  /** Keys without an equivalent. */
  readonly unused: readonly string[];
}

interface Setting {
  readonly name: 'temperature' | 'top_p' | 'maxTokens';
  readonly accepts: (value: number) => boolean;
}

const longestAnswer = 10_000_000;
const share: Setting = { name: 'top_p', accepts: (value) => value >= 0 && value <= 1 };
const length: Setting = {
  name: 'maxTokens',
  accepts: (value) => Number.isInteger(value) && value >= 1 && value <= longestAnswer,
};

const settings: ReadonlyMap<string, Setting> = new Map<string, Setting>([
  ['temperature', { name: 'temperature', accepts: (value) => value >= 0 && value <= 2 }],
  ['top_p', share],
  ['topP', share],
  ['max_tokens', length],
  ['maxTokens', length],
  ['max_completion_tokens', length],
  ['max_output_tokens', length],
  ['maxOutputTokens', length],
]);

/** Keys that change nothing about a response. */
const harmless: ReadonlySet<string> = new Set(['id', 'label', 'config']);

/** Reads the providers, also from the files that the configuration names. */
export async function readProviders(
  value: JsonValue | undefined,
  files: ConfigFiles,
): Promise<readonly FoundProvider[]> {
  const found: FoundProvider[] = [];
  for (const one of listOf(value)) {
    const path = filePath(one);
    const text = path === undefined || !/\.(?:ya?ml|json)$/i.test(path) ? undefined : await files.read(path);
    const read = text === undefined ? undefined : parsedValue(text);
    found.push(...(read === undefined ? [one] : listOf(read)).map(providerOf));
  }
  return found;
}

/** Reads a provider: `openai:gpt-5`, `{ id, config }` or `{ 'openai:gpt-5': { config } }`. */
export function providerOf(provider: JsonValue): FoundProvider {
  if (!isJsonMap(provider)) return { id: String(provider), model: modelOf(String(provider)), config: {}, unused: [] };
  const [name = ''] = Object.keys(provider);
  const whole = 'id' in provider ? provider : { ...mapOf(provider[name]), id: name };
  const id = String(whole['id']);
  const config: Record<string, JsonValue> = {};
  const unused = Object.keys(whole).filter((key) => !harmless.has(key));
  const { generationConfig, ...own } = mapOf(whole['config']);
  for (const [key, value] of Object.entries({ ...mapOf(generationConfig), ...own })) {
    const setting = settings.get(key);
    if (setting !== undefined && typeof value === 'number' && setting.accepts(value)) config[setting.name] = value;
    // Other values can be keys of the provider.
    else unused.push(typeof value === 'number' ? `${key} (${value})` : key);
  }
  return { id, model: modelOf(id), config, unused };
}

/** Returns the model of a provider such as `openai:chat:gpt-5`. */
function modelOf(id: string): string | undefined {
  const [type = '', ...rest] = id.split(':');
  const name = rest.filter((part) => !/^(?:chat|completion|messages|responses)$/.test(part)).join(':');
  return modelName(type, name);
}

/** Describes what of the providers is not imported. */
export function providerRemarks(providers: readonly FoundProvider[]): readonly string[] {
  const [first, ...others] = providers;
  if (first === undefined) return ['The file names no provider, so the flow uses the default model.'];
  return [
    ...(first.model === undefined ? [`The provider ${first.id} has no equivalent. Set the model of the node.`] : []),
    ...(first.unused.length > 0 ? [`Not used of the provider ${first.id}: ${first.unused.join(', ')}.`] : []),
    ...(others.length > 0
      ? [
          `The flow uses the first provider. To compare it with ${others.map(({ id }) => id).join(', ')}, run the tests with these models.`,
        ]
      : []),
    ...others
      .filter(({ config, unused }) => Object.keys(config).length + unused.length > 0)
      .map(({ id }) => `The settings of the provider ${id} are not imported.`),
  ];
}
