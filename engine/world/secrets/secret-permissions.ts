/**
 * The user's permissions for secrets, per workspace: which foreign flows may use which secrets, and to which hosts a
 * secret may be sent. Stored in the base folder's `millrace/secrets.json`, where flows, scripts and workspaces cannot
 * write: `{ "version": 2, "flows": { "<SHA-256 of the flow's text>": ["API_TOKEN"] }, "hosts": { "/real/path": {
 * "API_TOKEN": ["*.example.com"] } } }`.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import { late } from '../../base/late.ts';
import { dialedHost, dialedPort, hostRule } from '../../base/web-address.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';

const names = () => z.record(z.string(), z.array(z.string()));
const permissionsFile = () =>
  z.object({
    version: z.literal(2),
    flows: names().default({}),
    hosts: z.record(z.string(), names()).default({}),
    /** From the first version of the file, which had no workspaces. */
    formerHosts: names().default({}),
  });
type Permissions = z.infer<ReturnType<typeof permissionsFile>>;
const firstPermissionsFile = () =>
  z
    .object({ version: z.literal(1), flows: names().default({}), hosts: names().default({}) })
    .transform(({ flows, hosts }): Permissions => ({ version: 2, flows, hosts: {}, formerHosts: hosts }));
const anyPermissionsFile = late(() => z.union([permissionsFile(), firstPermissionsFile()]));

export interface SecretPermissions {
  /**
   * Returns the names that a flow may not use yet. @param flow identifies the flow: the hash of its text and, for a
   * flow in a pack, the pack
   */
  missingFor(flow: string, names: readonly string[]): readonly string[];
  /** Allows a flow to use more names. @throws EngineError `secret.permissions-unreadable`; the system's error */
  allowFlow(flow: string, names: readonly string[]): Promise<void>;
  /** Returns the host patterns to which a secret may be sent from this workspace; undefined if none were set. */
  hostsOf(name: string): readonly string[] | undefined;
  /**
   * Allows a secret to be sent to another host from this workspace. @throws errors from `allowFlow`; EngineError
   * `secret.bad-host`
   */
  allowHost(name: string, host: string): Promise<void>;
  /** Removes a host. If it was the last one, the secret may not be sent anywhere. @throws errors from `allowFlow` */
  forgetHost(name: string, host: string): Promise<void>;
}

interface PermissionsOptions {
  /** Absolute path of the base folder. */
  readonly baseFolder: string;
  /** Absolute path of the workspace; stored as its real path. */
  readonly workspace: string;
  /** If true, a secret may be sent only to allowed hosts, and permissions without a workspace do not count. */
  readonly bindsHosts: boolean;
}

/** Creates the permissions. The file is read on each call; an unreadable file allows nothing. */
export function createSecretPermissions({ baseFolder, workspace, bindsHosts }: PermissionsOptions): SecretPermissions {
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
  const hostsIn = ({ hosts, formerHosts }: Permissions, name: string): readonly string[] | undefined =>
    ownOf(ownOf(hosts, realFolder(workspace)) ?? {}, name) ?? (bindsHosts ? undefined : ownOf(formerHosts, name));
  const setHosts = (former: Permissions, name: string, list: readonly string[]): Promise<unknown> => {
    const folder = realFolder(workspace);
    const own = { ...ownOf(former.hosts, folder), [name]: [...new Set(list)] };
    return write({ ...former, hosts: { ...former.hosts, [folder]: own } });
  };
  return {
    missingFor(flow, wanted) {
      const allowed = ownOf(readOrNothing().flows, flow) ?? [];
      return wanted.filter((name) => !allowed.includes(name));
    },
    async allowFlow(flow, more) {
      const former = read(file);
      const all = [...new Set([...(ownOf(former.flows, flow) ?? []), ...more])];
      await write({ ...former, flows: { ...former.flows, [flow]: all } });
    },
    hostsOf: (name) => hostsIn(readOrNothing(), name),
    async allowHost(name, host) {
      const rule = hostRule(host) ?? '';
      if (!hostPattern.test(rule)) throw badHost(host);
      const former = read(file);
      await setHosts(former, name, [...(hostsIn(former, name) ?? []), rule]);
    },
    async forgetHost(name, host) {
      const former = read(file);
      const hosts = hostsIn(former, name);
      if (hosts === undefined) return;
      await setHosts(
        former,
        name,
        hosts.filter((one) => one !== host.toLowerCase() && one !== hostRule(host)),
      );
    },
  };
}

/** Resolves symbolic links, so that every path to the folder is the same. */
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

const nothing: Permissions = { version: 2, flows: {}, hosts: {}, formerHosts: {} };
/** A host name or IP address with an optional port; a leading `*.` stands for all subdomains. */
const hostPattern = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

function ownOf<Value>(map: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/**
 * Whether a pattern matches a URL's host: exactly or, with a leading `*.`, as a subdomain. A pattern without a port
 * matches the scheme's default port.
 */
export function matchesHost(url: URL, pattern: string): boolean {
  const rule = hostRule(pattern) ?? pattern;
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(rule) ?? [];
  if (port === undefined ? url.port !== '' : port !== dialedPort(url)) return false;
  const host = dialedHost(url);
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length > name.length - 1 : host === name;
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
    return anyPermissionsFile().parse(JSON.parse(text));
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): EngineError {
  return new EngineError({
    code: 'secret.permissions-unreadable',
    message: `The permissions for secrets cannot be read (${file}). Fix the file, or delete it and allow them again.`,
    cause,
  });
}

function badHost(host: string): EngineError {
  return new EngineError({
    code: 'secret.bad-host',
    message: `${JSON.stringify(host.slice(0, 80))} is not a host. Write a name such as api.example.com. Add *. before it to include all its subdomains, and add a port if it is not the default one.`,
  });
}
