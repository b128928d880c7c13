/**
 * Edits the user's own settings file, for the settings window. Preserves the rest of the file.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { EngineError } from '../../base/engine-error.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { toWriteError } from '../files/file-error.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { userFileOf } from './model-settings.ts';
import { completeEntry, knownProviders, type ProviderKind, providerEntry } from './provider-config.ts';
import { removeToml, setTomlText } from './toml-edit.ts';

/** An entry `[providers.NAME]`. Absent fields are removed from the entry. */
interface ProviderSettings {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly baseUrl?: string;
  /** Name of the variable that contains the key, never the key itself. */
  readonly apiKeyEnv?: string;
}

/** A key and its new value; undefined removes it. */
interface SettingsChange {
  readonly path: readonly string[];
  readonly value: string | undefined;
}

/**
 * Adds or changes a provider.
 * @throws EngineError `model.bad-provider`, and the errors of `setDefaultModel`
 */
export async function writeProvider(baseFolder: string, provider: ProviderSettings): Promise<void> {
  checkProvider(provider);
  const { name, kind, baseUrl, apiKeyEnv } = provider;
  const entry = ['providers', name];
  await change(baseFolder, () => [
    { path: [...entry, 'kind'], value: kind },
    { path: [...entry, 'base_url'], value: baseUrl },
    { path: [...entry, 'api_key_env'], value: apiKeyEnv },
  ]);
}

/**
 * Removes a provider from the file. A known provider returns to its defaults.
 * @throws errors from `setDefaultModel`
 */
export async function removeProvider(baseFolder: string, name: string): Promise<void> {
  await change(baseFolder, () => [{ path: ['providers', name], value: undefined }]);
}

/**
 * Sets the model for requests without one; undefined removes it.
 * @throws EngineError `model.bad-config` for a file with mistakes, `model.settings-not-changed` for a file that cannot
 * be edited in place, `files.not-writable`; the file is then unchanged
 */
export async function setDefaultModel(baseFolder: string, model: string | undefined): Promise<void> {
  await change(baseFolder, (file) => [{ path: [optionsSection(file), 'model'], value: model }]);
}

/**
 * Sets the model of an alias; undefined removes it.
 * @throws errors from `setDefaultModel`
 */
export async function setAlias(baseFolder: string, alias: string, model: string | undefined): Promise<void> {
  await change(baseFolder, (file) => [{ path: [optionsSection(file), 'model_aliases', alias], value: model }]);
}

/** Older files use another name for the section. */
function optionsSection({ table }: ConfigFile): string {
  const isOlder = !Object.hasOwn(table, 'options') && Object.hasOwn(table, 'default_options');
  return isOlder ? 'default_options' : 'options';
}

function checkProvider({ name, kind, baseUrl, apiKeyEnv }: ProviderSettings): void {
  if (!/^[\w.-]+$/.test(name) || name === 'scripted') {
    throw badProvider(`"${name}" is not a valid name: use letters, digits, "_", "-" and "."`);
  }
  const entry = providerEntry().safeParse({
    kind,
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(apiKeyEnv === undefined ? {} : { api_key_env: apiKeyEnv }),
  });
  if (!entry.success) {
    const [issue] = entry.error.issues;
    throw badProvider(`${issue?.path.join('.')} ${issue?.message}`);
  }
  const config = completeEntry(entry.data, knownProviders.get(name), knownProviders);
  if (typeof config === 'string') throw badProvider(config);
}

/** The last change to each file. The next one waits for it, so that no change is lost. */
const lastChanges = new Map<string, Promise<unknown>>();

async function change(baseFolder: string, changesOf: (file: ConfigFile) => readonly SettingsChange[]): Promise<void> {
  const path = userFileOf(baseFolder);
  const last = lastChanges.get(path) ?? Promise.resolve();
  const next = last.catch(() => {}).then(() => changeFile(path, changesOf));
  lastChanges.set(path, next);
  await next;
}

async function changeFile(path: string, changesOf: (file: ConfigFile) => readonly SettingsChange[]): Promise<void> {
  const file = readConfigFile(path);
  const changes = changesOf(file);
  const text = changes.reduce(
    (rest, { path: keys, value }) => (value === undefined ? removeToml(rest, keys) : setTomlText(rest, keys, value)),
    file.text,
  );
  if (text === file.text && changes.every((one) => isDone(file.table, one))) return;
  if (!holds(text, file, changes)) throw notChanged(path, changes);
  try {
    await writeFileAtomically(path, text);
  } catch (error) {
    throw toWriteError(error, path);
  }
}

type Table = Readonly<Record<string, unknown>>;

/** Whether the new text differs from the old one only by the changes. */
function holds(text: string, { table }: ConfigFile, changes: readonly SettingsChange[]): boolean {
  try {
    const wanted = changes.reduce((rest: Table, one) => withChange(rest, one.path, one.value), table);
    return isDeepStrictEqual(withoutEmpty(parse(text.replace(/^\uFEFF/, ''))), withoutEmpty(wanted));
  } catch {
    return false;
  }
}

function isDone(table: Table, { path, value }: SettingsChange): boolean {
  return isDeepStrictEqual(withChange(table, path, value), table);
}

function withChange(table: Table, [key = '', ...rest]: readonly string[], value: string | undefined): Table {
  if (rest.length > 0) {
    const inner = Object.hasOwn(table, key) ? table[key] : undefined;
    if (!isTable(inner) && value === undefined) return table;
    return { ...table, [key]: withChange(isTable(inner) ? inner : {}, rest, value) };
  }
  if (value !== undefined) return { ...table, [key]: value };
  return Object.fromEntries(Object.entries(table).filter(([name]) => name !== key));
}

/** Empty tables may be present or absent. */
function withoutEmpty(table: Table): Table {
  const entries = Object.entries(table).map(
    ([key, value]) => [key, isTable(value) ? withoutEmpty(value) : value] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => !isTable(value) || Object.keys(value).length > 0));
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function badProvider(problem: string): EngineError {
  return new EngineError({ code: 'model.bad-provider', message: `The provider cannot be used: ${problem}.` });
}

function notChanged(path: string, changes: readonly SettingsChange[]): EngineError {
  const keys = changes.map((one) => one.path.join('.')).join(', ');
  return new EngineError({
    code: 'model.settings-not-changed',
    message: `${keys} cannot be changed in ${path} without changing other values, because of how the file is written. Edit the file manually.`,
  });
}
