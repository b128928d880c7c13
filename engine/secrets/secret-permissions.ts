/**
 * What the person has allowed of secrets: which flow that is not theirs may use which, and to which hosts one may go. In
 * `millrace/secrets.json` of the base folder, where no flow, script or workspace can write:
 * `{ "version": 1, "flows": { "<SHA-256 of the flow's text>": ["API_TOKEN"] }, "hosts": { "API_TOKEN": ["*.example.com"] } }`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EngineError } from '../base/engine-error.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';

const names = z.record(z.string(), z.array(z.string()));
const permissionsFile = z.object({ version: z.literal(1), flows: names.default({}), hosts: names.default({}) });
type Permissions = z.infer<typeof permissionsFile>;

export interface SecretPermissions {
  /** Those of the names that a flow was not allowed. */
  missingFor(definitionHash: string, names: readonly string[]): readonly string[];
  /** Allows a flow, by the hash of its text, more names. @throws EngineError `secret.permissions-unreadable`; the system's error */
  allowFlow(definitionHash: string, names: readonly string[]): Promise<void>;
  /** Patterns of hosts that a secret may go to; undefined = nobody has said any. */
  hostsOf(name: string): readonly string[] | undefined;
  /** Allows a secret to go to one more host. @throws as `allowFlow`; EngineError `secret.bad-host` */
  allowHost(name: string, host: string): Promise<void>;
  /** Takes a host away again; when it was the last one, the secret goes nowhere. @throws as `allowFlow` */
  forgetHost(name: string, host: string): Promise<void>;
}

/** Reads the file anew each time; what cannot be read allows nothing. */
export function createSecretPermissions(baseFolder: string): SecretPermissions {
  const file = join(baseFolder, 'millrace', 'secrets.json');
  const readOrNothing = (): Permissions => {
    try {
      return read(file);
    } catch {
      return nothing;
    }
  };
  const write = (next: Permissions): Promise<unknown> =>
    writeFileAtomically(file, `${JSON.stringify(next, null, 2)}\n`);
  const change = async (part: 'flows' | 'hosts', key: string, more: readonly string[]): Promise<void> => {
    const former = read(file);
    const all = [...new Set([...(former[part][key] ?? []), ...more])];
    await write({ ...former, [part]: { ...former[part], [key]: all } });
  };
  return {
    missingFor(definitionHash, wanted) {
      const allowed = ownOf(readOrNothing().flows, definitionHash) ?? [];
      return wanted.filter((name) => !allowed.includes(name));
    },
    allowFlow: (definitionHash, more) => change('flows', definitionHash, more),
    hostsOf: (name) => ownOf(readOrNothing().hosts, name),
    async allowHost(name, host) {
      if (!hostPattern.test(host)) throw badHost(host);
      await change('hosts', name, [host.toLowerCase()]);
    },
    async forgetHost(name, host) {
      const former = read(file);
      const hosts = ownOf(former.hosts, name);
      if (hosts === undefined) return;
      const others = hosts.filter((one) => one !== host.toLowerCase());
      await write({ ...former, hosts: { ...former.hosts, [name]: others } });
    },
  };
}

const nothing: Permissions = { version: 1, flows: {}, hosts: {} };
/** A name or an address, with `*.` before it for all below it, and a port. */
const hostPattern = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

function ownOf(map: Readonly<Record<string, readonly string[]>>, key: string): readonly string[] | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Whether a host is meant by a pattern: itself, or with `*.` before it, all names below it. Ports have to be the same. */
export function matchesHost(host: string, pattern: string): boolean {
  const wanted = host.toLowerCase();
  return pattern.startsWith('*.')
    ? wanted.endsWith(pattern.slice(1)) && wanted.length > pattern.length - 1
    : wanted === pattern;
}

function read(file: string): Permissions {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return nothing;
    throw unreadable(file, error);
  }
  try {
    return permissionsFile.parse(JSON.parse(text));
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): EngineError {
  return new EngineError({
    code: 'secret.permissions-unreadable',
    message: `What was allowed of secrets cannot be read (${file}). Mend the file, or delete it and allow anew.`,
    cause,
  });
}

function badHost(host: string): EngineError {
  return new EngineError({
    code: 'secret.bad-host',
    message: `${JSON.stringify(host.slice(0, 80))} is no host. Write a name such as api.example.com, with *. before it for all below it, and a port when it is not the usual one.`,
  });
}
