/**
 * Reads secrets from the environment, the workspace's `.millrace/.env`, and the host's vault if it has one. The first
 * source with the name wins.
 */
import { lstat, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { isSecretName } from '../../language/bindings/secret-bindings.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';
import { envProblems, readEnvText, setInEnvText } from './env-file.ts';

/** Path relative to the workspace, with forward slashes. Only this module reads the file. */
export const secretFile = '.millrace/.env';
const variablePrefix = 'MILLRACE_SECRET_';

export type SecretSource = 'environment' | 'file' | 'vault';

/** A secret's name, never its value. */
export interface KnownSecret {
  readonly name: string;
  readonly source: SecretSource;
}

export interface SecretStoreOptions {
  /** Absolute path of the workspace. */
  readonly workspace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the secrets in the vault by variable; absent if the host has no vault. */
  readonly vault?: (() => Readonly<Record<string, string>>) | undefined;
  /** Called once for each problem with the file. */
  readonly onProblem?: (problem: EngineError) => void;
}

export interface SecretStore {
  /** Returns the values of these names, insofar as they exist. @throws EngineError `secret.file-unreadable` */
  read(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Lists all secrets by name. @throws errors from `read` */
  list(): Promise<readonly KnownSecret[]>;
  /**
   * Writes a secret to the workspace's file, which only the user can read. @throws EngineError `secret.bad-name` |
   * `secret.not-writable`
   */
  set(name: string, value: string): Promise<void>;
  /** Removes a name from the workspace's file; false if it is not there. @throws errors from `set` */
  remove(name: string): Promise<boolean>;
}

/** Creates the store. Sources are read on each call, so changes take effect at once. */
export function createSecretStore({ workspace, env, vault, onProblem }: SecretStoreOptions): SecretStore {
  const file = join(workspace, secretFile);
  const told = new Set<string>();
  const tell = (text: string): void => {
    for (const { line, message } of envProblems(text)) {
      const place = `${secretFile}:${line}: ${message}`;
      if (!told.has(place)) onProblem?.(new EngineError({ code: 'secret.file-problem', message: place }));
      told.add(place);
    }
  };
  const inFile = async (): Promise<[string, string][]> => {
    const text = await readText(file);
    tell(text);
    return [...readEnvText(text)].filter(([name, value]) => isSecretName(name) && value !== '');
  };
  const all = async (): Promise<Map<string, KnownSecret & { readonly value: string }>> => {
    const found = new Map<string, KnownSecret & { readonly value: string }>();
    const add = (source: SecretSource, entries: Iterable<[string, string]>): void => {
      for (const [name, value] of entries) if (!found.has(name)) found.set(name, { name, source, value });
    };
    add('environment', secretsIn(env));
    add('file', await inFile());
    add('vault', secretsIn(vault?.() ?? {}));
    return found;
  };
  const write = async (name: string, value: string | undefined): Promise<void> => {
    await mkdir(join(workspace, '.millrace'), { recursive: true });
    await writeFileAtomically(file, setInEnvText(await readText(file), name, value), 0o600);
  };
  return {
    async read(names) {
      const first = names.flatMap((name) => secretsIn({ [variablePrefix + name]: env[variablePrefix + name] }));
      // The file is read only if necessary, because most runs on servers have all secrets in the environment.
      if (first.length === names.length) return new Map(first);
      const found = valuesOf(await all());
      return new Map(names.flatMap((name) => (found.has(name) ? [[name, found.get(name) ?? '']] : [])));
    },
    async list() {
      const found = [...(await all()).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      return found.map(({ name, source }) => ({ name, source }));
    },
    async set(name, value) {
      if (!isSecretName(name)) throw badName(name);
      if (value === '') throw emptyValue(name);
      await write(name, value);
    },
    async remove(name) {
      if (!isSecretName(name)) throw badName(name);
      if (!readEnvText(await readText(file)).has(name)) return false;
      await write(name, undefined);
      return true;
    },
  };
}

function valuesOf(secrets: ReadonlyMap<string, { readonly value: string }>): ReadonlyMap<string, string> {
  return new Map([...secrets].map(([name, { value }]) => [name, value]));
}

/** Returns the secrets among the variables. */
function secretsIn(variables: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(variables).flatMap(([variable, value]): [string, string][] => {
    const name = variable.startsWith(variablePrefix) ? variable.slice(variablePrefix.length) : '';
    return value !== undefined && value !== '' && isSecretName(name) ? [[name, value]] : [];
  });
}

/** Returns an empty string if the file does not exist. */
async function readText(file: string): Promise<string> {
  try {
    const state = await lstat(file);
    // A symbolic link could point to a file outside this workspace.
    if (!state.isFile()) throw new Error('it is not a regular file');
    if (state.size > longestFile) throw new Error('it is larger than 1 MiB');
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw new EngineError({
      code: 'secret.file-unreadable',
      message: `The secrets of this workspace (${secretFile}) cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      cause: error,
    });
  }
}

const longestFile = 1024 * 1024;

function badName(name: string): EngineError {
  return new EngineError({
    code: 'secret.bad-name',
    message: `${JSON.stringify(name.slice(0, 80))} is not a valid name of a secret. Use capital letters, digits and _, such as API_TOKEN, at most 64 characters.`,
  });
}

function emptyValue(name: string): EngineError {
  return new EngineError({
    code: 'secret.empty',
    message: `The value of ${name} is empty. Enter a value, or remove the secret with "millrace secrets remove ${name}".`,
  });
}
