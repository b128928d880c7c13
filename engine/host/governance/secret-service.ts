/**
 * Manages an engine's secrets: determines which exist and who may use them, and opens them for runs.
 */
import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { dialedHostAndPort } from '../../base/web-address.ts';
import { secretMark } from '../../language/bindings/secret-bindings.ts';
import { type PackFolders, packShelves } from '../../packs/pack/pack-folders.ts';
import { readPackManifest } from '../../packs/pack/pack-manifest.ts';
import type { RunSecrets, ScriptSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { createRunSecrets, createScriptSecrets } from '../../world/secrets/run-secrets.ts';
import { shortestHidden } from '../../world/secrets/secret-forms.ts';
import { createMask } from '../../world/secrets/secret-mask.ts';
import {
  createSecretPermissions,
  matchesHost,
  type SecretPermissions,
} from '../../world/secrets/secret-permissions.ts';
import {
  createSecretStore,
  type KnownSecret,
  type SecretStoreOptions,
  secretFile,
} from '../../world/secrets/secret-store.ts';

export { secretFile } from '../../world/secrets/secret-store.ts';

/** A secret's name, and the hosts it may be sent to. */
export interface SecretView extends KnownSecret {
  /** Patterns such as `*.example.com`; empty if none have been set. */
  readonly hosts: readonly string[];
}

/** A flow, and the secrets that it requests. */
export interface SecretRequest {
  /** Path of the flow, relative to the workspace or absolute. */
  readonly path: string;
  /** SHA-256 of the flow's text, including the schemas in the files that it references. */
  readonly definitionHash: string;
  readonly names: readonly string[];
}

/** Secret operations of a host. No method returns a value. */
export interface SecretEngine {
  /** Returns all secrets that are known in this workspace, by name. @throws EngineError `secret.file-unreadable` */
  listSecrets(): Promise<readonly SecretView[]>;
  /**
   * Stores a value in `.millrace/.env` of the workspace. @throws EngineError `secret.bad-name` | `secret.empty` |
   * `secret.not-writable`
   */
  setSecret(request: { readonly name: string; readonly value: string }): Promise<void>;
  /** Removes a value from `.millrace/.env`; returns false if there is none. @throws EngineError `secret.bad-name` */
  removeSecret(request: { readonly name: string }): Promise<boolean>;
  /**
   * Allows a flow that is not the user's own to use secrets, until its text or the version of its pack changes.
   * @throws EngineError `secret.permissions-unreadable`
   */
  allowSecrets(request: SecretRequest): Promise<void>;
  /**
   * Allows a secret to be sent to another host from this workspace. @throws EngineError `secret.bad-host` |
   * `secret.permissions-unreadable`
   */
  allowSecretHost(request: { readonly name: string; readonly host: string }): Promise<void>;
  /**
   * Removes a host. Without any hosts, a secret cannot be sent anywhere. @throws EngineError
   * `secret.permissions-unreadable`
   */
  forgetSecretHost(request: { readonly name: string; readonly host: string }): Promise<void>;
}

export interface SecretServiceOptions extends SecretStoreOptions {
  readonly baseFolder: string;
  readonly isTrusted: () => Promise<boolean>;
  /**
   * Whether a secret may be sent only to hosts that the user has allowed. For host programs whose callers are web
   * pages.
   */
  readonly bindsHosts: boolean;
  /** Whether runs get marks instead of secrets, because recorded calls need none. */
  readonly hasMarksOnly?: () => boolean;
  /** Receives notes about a run's secrets. */
  readonly onNote: (note: EngineError) => void;
}

/** A flow that requests secrets. */
interface SecretUser {
  readonly path: string;
  readonly hash: () => string;
  /** Whether its text was written by a run and no person has seen it since. */
  readonly isUnseen?: boolean | undefined;
}

export interface SecretService {
  /**
   * Opens a run's secrets.
   * @param flow its `path`, relative to the workspace or absolute; `hash` returns the SHA-256 of its text, including
   * the schemas of the files that it references
   * @throws EngineError `secret.missing` | `secret.not-allowed` with `details: { names }`; `secret.file-unreadable`
   */
  open(names: readonly string[], flow: SecretUser): Promise<RunSecrets>;
  /** Returns the secrets that scripts of an agent may request. @param file absolute path */
  forScripts(file: string): ScriptSecrets;
  /** Returns the secrets that a trusted workspace's `.mcp.json` references for one of its servers. */
  forServers(): ScriptSecrets;
  /** Returns the values of all secrets that are known in this workspace. @throws EngineError `secret.file-unreadable` */
  values(): Promise<readonly string[]>;
  /** Returns a value with marks instead of all secrets that are known in this workspace. @throws as `values` */
  mask<Value>(value: Value): Promise<Value>;
  /** Checks whether secrets may be sent to an address. @throws EngineError `secret.host-not-allowed` */
  readonly admit: RunSecrets['admit'];
  readonly engine: SecretEngine;
}

/** What a recording contains in place of a secret. It matches any text. */
const recordedSecret = '[secret]';

/** Creates the service without reading anything. */
export function createSecretService(options: SecretServiceOptions): SecretService {
  const store = createSecretStore({ ...options, onProblem: options.onNote });
  const permissions = createSecretPermissions(options);
  const askedFor = (who: string, isOfPack: boolean): ScriptSecrets =>
    createScriptSecrets({
      isOfPack,
      async read(name) {
        if (options.hasMarksOnly?.() === true) return recordedSecret;
        const value = (await store.read([name])).get(name);
        if (value === undefined) throw missingSecrets([name], who);
        if (value.length < shortestHidden) options.onNote(tooShort(name));
        return value;
      },
      admit: admitter(permissions, options.bindsHosts),
    });
  const known = async (): Promise<ReadonlyMap<string, string>> =>
    await store.read((await store.list()).map(({ name }) => name));
  return {
    async open(names, { path, hash, isUnseen = false }) {
      if (options.hasMarksOnly?.() === true) {
        const marks = new Map(names.map((name) => [name, recordedSecret]));
        return createRunSecrets({ values: marks, admit: () => undefined });
      }
      // Permissions are checked first, so that the existence of a secret is not revealed.
      const pack = packOf(path, options);
      if (pack !== undefined || isUnseen || !(await options.isTrusted())) {
        const refused = permissions.missingFor(await keyOf(hash(), pack), names);
        const wish = { path, definitionHash: hash(), names: refused };
        if (refused.length > 0) throw notAllowed(wish, { isOfPack: pack !== undefined, isUnseen });
      }
      const values = await store.read(names);
      const missing = names.filter((name) => !values.has(name));
      if (missing.length > 0) throw missingSecrets(missing);
      for (const [name, { length }] of values) if (length < shortestHidden) options.onNote(tooShort(name));
      return createRunSecrets({ values, admit: admitter(permissions, options.bindsHosts) });
    },
    forScripts: (file) => askedFor('A script requests a secret', packOf(file, options) !== undefined),
    values: async () => [...(await known()).values()],
    async mask(given) {
      const hidden = Array.from(await known(), ([name, value]) => ({ value, mark: secretMark(name) }));
      return createMask(hidden).value(given);
    },
    admit: admitter(permissions, options.bindsHosts),
    forServers: () => askedFor('A server in .mcp.json requests a secret', false),
    engine: {
      async listSecrets() {
        return (await store.list()).map((known) => ({ ...known, hosts: permissions.hostsOf(known.name) ?? [] }));
      },
      setSecret: ({ name, value }) => store.set(name, value),
      removeSecret: ({ name }) => store.remove(name),
      allowSecrets: async ({ path, definitionHash, names }) =>
        permissions.allowFlow(await keyOf(definitionHash, packOf(path, options)), names),
      allowSecretHost: ({ name, host }) => permissions.allowHost(name, host),
      forgetSecretHost: ({ name, host }) => permissions.forgetHost(name, host),
    },
  };
}

function admitter({ hostsOf }: SecretPermissions, bindsHosts: boolean): RunSecrets['admit'] {
  return (names, url) => {
    for (const name of names) {
      const hosts = hostsOf(name);
      if (hosts === undefined ? bindsHosts : !hosts.some((pattern) => matchesHost(url, pattern)))
        throw wrongHost(name, dialedHostAndPort(url));
    }
  };
}

function listed(names: readonly string[]): string {
  return names.join(', ');
}

function missingSecrets(names: readonly string[], who?: string): EngineError {
  const [first = 'NAME'] = names;
  const lead = who ?? (names.length === 1 ? 'The flow names a secret' : 'The flow names secrets');
  const verb = names.length === 1 ? 'is' : 'are';
  return new EngineError({
    code: 'secret.missing',
    message: `${lead} that ${verb} not set: ${listed(names)}. Set ${names.length === 1 ? 'it' : 'each'} with "millrace secrets set ${first}", which stores it in ${secretFile}, or as the environment variable MILLRACE_SECRET_${first}.`,
    details: { names: [...names] },
  });
}

/** The location of a flow in a pack. */
interface PlaceInPack {
  /** `namespace@name`. */
  readonly ref: string;
  /** Absolute path. */
  readonly folder: string;
  /** Path of the flow, relative to the pack, with `/`. */
  readonly path: string;
}

/**
 * Returns a flow's location in a pack; undefined if the flow is not in a pack. A pack counts as third-party work, even
 * in a trusted workspace and if it is reached through a symbolic link.
 */
function packOf(path: string, folders: PackFolders): PlaceInPack | undefined {
  const asked = resolve(folders.workspace, path);
  const real = realOf(asked);
  const shelves = packShelves(folders).map(({ folder }) => folder);
  // A symbolic link to another pack belongs to that pack, so resolved paths are checked first.
  for (const [file, base] of [
    ...shelves.map((shelf) => [real, realOf(shelf)] as const),
    ...shelves.map((shelf) => [asked, shelf] as const),
  ]) {
    const [namespace = '', name = '', ...inner] = relative(base, file).split(sep);
    if (!file.startsWith(base + sep) || name === '') continue;
    return { ref: `${namespace}@${name}`, folder: resolve(base, namespace, name), path: inner.join('/') };
  }
  return undefined;
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Returns a flow's key in the permission list. It differs for each version of the pack. */
async function keyOf(definitionHash: string, pack: PlaceInPack | undefined): Promise<string> {
  if (pack === undefined) return definitionHash;
  const version = await readPackManifest(pack.folder).then(
    (manifest) => manifest.version,
    () => 'unknown',
  );
  return `${pack.ref} ${version} ${pack.path} ${definitionHash}`;
}

function notAllowed(
  wish: SecretRequest,
  { isOfPack, isUnseen }: { readonly isOfPack: boolean; readonly isUnseen: boolean },
): EngineError {
  const ofWorkspace = isUnseen ? 'a run has written its file' : 'this workspace is not trusted';
  const why = isOfPack ? 'it comes from a pack' : ofWorkspace;
  return new EngineError({
    code: 'secret.not-allowed',
    message: `The flow needs permission to use secrets because ${why}: ${listed(wish.names)}. Check where it sends them, then allow it when a run in a terminal asks, or beforehand with "millrace secrets allow FLOW".`,
    details: { ...wish, names: [...wish.names], isOfPack, ...(isUnseen ? { isUnseen } : {}) },
  });
}

function wrongHost(name: string, host: string): EngineError {
  return new EngineError({
    code: 'secret.host-not-allowed',
    message: `The secret ${name} was not sent to ${host}, which is not an allowed host for it. If the host is correct, allow it with "millrace secrets allow-host ${name} ${host}".`,
    details: { name, host },
  });
}

function tooShort(name: string): EngineError {
  return new EngineError({
    code: 'secret.short',
    message: `The secret ${name} has fewer than ${shortestHidden} characters. It is used, but not masked in what the run writes.`,
  });
}
