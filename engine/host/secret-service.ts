/**
 * The secrets of an engine: which there are, who may use them, and those of a run.
 */
import { resolve, sep } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import type { RunSecrets } from '../kernel/run-secrets.ts';
import { type PackFolders, packShelves } from '../pack/pack-folders.ts';
import { createRunSecrets } from '../secrets/run-secrets.ts';
import { shortestHidden } from '../secrets/secret-mask.ts';
import { createSecretPermissions, matchesHost, type SecretPermissions } from '../secrets/secret-permissions.ts';
import { createSecretStore, type KnownSecret, type SecretStoreOptions, secretFile } from '../secrets/secret-store.ts';

export { secretFile } from '../secrets/secret-store.ts';

/** A secret by its name, and where it may go. */
export interface SecretView extends KnownSecret {
  /** Patterns such as `*.example.com`; empty = nobody has said. */
  readonly hosts: readonly string[];
}

/** What hosts may do with secrets. No method gives a value. */
export interface SecretEngine {
  /** All that this workspace knows, by name. @throws EngineError `secret.file-unreadable` */
  listSecrets(): Promise<readonly SecretView[]>;
  /** Keeps a value in `.millrace/.env` of the workspace. @throws EngineError `secret.bad-name` | `secret.empty` | `secret.not-writable` */
  setSecret(request: { readonly name: string; readonly value: string }): Promise<void>;
  /** Takes a value out of that file; false when it has none. @throws EngineError `secret.bad-name` */
  removeSecret(request: { readonly name: string }): Promise<boolean>;
  /** Lets a flow that is not the person's own use secrets, until its text changes. @throws EngineError `secret.permissions-unreadable` */
  allowSecrets(request: { readonly definitionHash: string; readonly names: readonly string[] }): Promise<void>;
  /** Lets a secret go to one more host. @throws EngineError `secret.bad-host` | `secret.permissions-unreadable` */
  allowSecretHost(request: { readonly name: string; readonly host: string }): Promise<void>;
  /** Takes a host away again; without any, a secret goes nowhere. @throws EngineError `secret.permissions-unreadable` */
  forgetSecretHost(request: { readonly name: string; readonly host: string }): Promise<void>;
}

export interface SecretServiceOptions extends SecretStoreOptions {
  readonly baseFolder: string;
  readonly isTrusted: () => Promise<boolean>;
  /** A secret goes only to hosts that the person has allowed it: for a host program whose callers are pages. */
  readonly bindsHosts: boolean;
  /** Gets what is worth knowing of a run's secrets. */
  readonly onNote: (note: EngineError) => void;
}

/** A flow that wants to use secrets. */
interface SecretUser {
  readonly path: string;
  readonly hash: () => string;
}

export interface SecretService {
  /**
   * The secrets of a run.
   * @param flow its `path`, relative to the workspace or absolute; `hash` gives the SHA-256 of its text, with the schemas of the
   *   files that it names
   * @throws EngineError `secret.missing` | `secret.not-allowed` with `details: { names }`; `secret.file-unreadable`
   */
  open(names: readonly string[], flow: SecretUser): Promise<RunSecrets>;
  readonly engine: SecretEngine;
}

/** Makes the service; nothing is read yet. */
export function createSecretService(options: SecretServiceOptions): SecretService {
  const store = createSecretStore(options);
  const permissions = createSecretPermissions(options.baseFolder);
  return {
    async open(names, { path, hash }) {
      // First what may be: whether there is such a secret is nobody's business before.
      const isOfPack = isInPack(path, options);
      if (isOfPack || !(await options.isTrusted())) {
        const refused = permissions.missingFor(hash(), names);
        if (refused.length > 0) throw notAllowed(refused, { definitionHash: hash(), isOfPack });
      }
      const values = await store.read(names);
      const missing = names.filter((name) => !values.has(name));
      if (missing.length > 0) throw missingSecrets(missing);
      for (const [name, { length }] of values) if (length < shortestHidden) options.onNote(tooShort(name));
      return createRunSecrets({ values, admit: admitter(permissions, options.bindsHosts) });
    },
    engine: {
      async listSecrets() {
        return (await store.list()).map((known) => ({ ...known, hosts: permissions.hostsOf(known.name) ?? [] }));
      },
      setSecret: ({ name, value }) => store.set(name, value),
      removeSecret: ({ name }) => store.remove(name),
      allowSecrets: ({ definitionHash, names }) => permissions.allowFlow(definitionHash, names),
      allowSecretHost: ({ name, host }) => permissions.allowHost(name, host),
      forgetSecretHost: ({ name, host }) => permissions.forgetHost(name, host),
    },
  };
}

function admitter({ hostsOf }: SecretPermissions, bindsHosts: boolean): RunSecrets['admit'] {
  return (names, host) => {
    for (const name of names) {
      const hosts = hostsOf(name);
      if (hosts === undefined ? bindsHosts : !hosts.some((pattern) => matchesHost(host, pattern)))
        throw wrongHost(name, host);
    }
  };
}

function listed(names: readonly string[]): string {
  return names.join(', ');
}

function missingSecrets(names: readonly string[]): EngineError {
  const [first = 'NAME'] = names;
  return new EngineError({
    code: 'secret.missing',
    message: `The flow names secrets that nobody has: ${listed(names)}. Set each with "millrace secrets set ${first}", which keeps it in ${secretFile}, or as the environment variable MILLRACE_SECRET_${first}.`,
    details: { names: [...names] },
  });
}

/** A pack is somebody else's work, also where the workspace is trusted. */
function isInPack(path: string, folders: PackFolders): boolean {
  const file = resolve(folders.workspace, path);
  return packShelves(folders).some(({ folder }) => file.startsWith(folder + sep));
}

function notAllowed(
  names: readonly string[],
  { definitionHash, isOfPack }: { readonly definitionHash: string; readonly isOfPack: boolean },
): EngineError {
  const why = isOfPack ? 'it comes from a pack' : 'this workspace is not trusted';
  return new EngineError({
    code: 'secret.not-allowed',
    message: `The flow wants to use secrets, and ${why}: ${listed(names)}. Look at where it sends them, and then allow it: at a terminal it asks; "millrace secrets allow FLOW" says it beforehand.`,
    details: { names: [...names], definitionHash, isOfPack },
  });
}

function wrongHost(name: string, host: string): EngineError {
  return new EngineError({
    code: 'secret.host-not-allowed',
    message: `The secret ${name} is not sent to ${host}, which it was not allowed to go to. Allow it with "millrace secrets allow-host ${name} ${host}" when the host is the right one.`,
    details: { name, host },
  });
}

function tooShort(name: string): EngineError {
  return new EngineError({
    code: 'secret.short',
    message: `The secret ${name} has fewer than ${shortestHidden} characters: it is used, but not searched for in what the run writes.`,
  });
}
