/**
 * Where secrets come from: the environment, `.millrace/.env` of the workspace, and the vault of a host that has one. The first that
 * has a name wins.
 */
import { lstat, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';
import { isSecretName } from '../flowspec/secret-bindings.ts';
import { envProblems, readEnvText, setInEnvText } from './env-file.ts';

/** Relative to the workspace, with `/`. Nobody but this file reads it. */
export const secretFile = '.millrace/.env';
const variablePrefix = 'MILLRACE_SECRET_';

export type SecretSource = 'environment' | 'file' | 'vault';

/** A secret by its name; never its value. */
export interface KnownSecret {
  readonly name: string;
  readonly source: SecretSource;
}

export interface SecretStoreOptions {
  /** Absolute. */
  readonly workspace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What a vault keeps, by variable; a host without one leaves it out. */
  readonly vault?: (() => Readonly<Record<string, string>>) | undefined;
  /** Gets what is wrong with the file, once for each problem. */
  readonly onProblem?: (problem: EngineError) => void;
}

export interface SecretStore {
  /** The values of these names, as far as there are any. @throws EngineError `secret.file-unreadable` */
  read(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** All that there are, by name. @throws as `read` */
  list(): Promise<readonly KnownSecret[]>;
  /** Writes the file of the workspace, for nobody else to read. @throws EngineError `secret.bad-name` | `secret.not-writable` */
  set(name: string, value: string): Promise<void>;
  /** Takes a name out of the file of the workspace; false when it is not there. @throws as `set` */
  remove(name: string): Promise<boolean>;
}

/** Reads everything anew each time: what was just set counts. */
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
      // The file is looked at when it can tell something: most runs on servers have all from their environment.
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

/** Those among variables. */
function secretsIn(variables: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(variables).flatMap(([variable, value]): [string, string][] => {
    const name = variable.startsWith(variablePrefix) ? variable.slice(variablePrefix.length) : '';
    return value !== undefined && value !== '' && isSecretName(name) ? [[name, value]] : [];
  });
}

/** Empty when there is no file. */
async function readText(file: string): Promise<string> {
  try {
    const state = await lstat(file);
    // A link could lead to a file that is no business of this workspace.
    if (!state.isFile()) throw new Error('it is no regular file');
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
    message: `${JSON.stringify(name.slice(0, 80))} is no name of a secret. Write capital letters, digits and _, such as API_TOKEN; at most 64.`,
  });
}

function emptyValue(name: string): EngineError {
  return new EngineError({
    code: 'secret.empty',
    message: `The value of ${name} is empty. Give one, or take the secret away with "millrace secrets remove ${name}".`,
  });
}
