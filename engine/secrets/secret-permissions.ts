/**
 * What the person has allowed of secrets: which flow that is not theirs may use which, and to which hosts one may go, for each workspace
 * apart. In `millrace/secrets.json` of the base folder, where no flow, script or workspace can write:
 * `{ "version": 2, "flows": { "<SHA-256 of the flow's text>": ["API_TOKEN"] }, "hosts": { "/real/path": { "API_TOKEN": ["*.example.com"] } } }`.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EngineError } from '../base/engine-error.ts';
import { late } from '../base/late.ts';
import { dialedHost, dialedPort, hostRule } from '../base/web-address.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';

const names = () => z.record(z.string(), z.array(z.string()));
const permissionsFile = () =>
  z.object({
    version: z.literal(2),
    flows: names().default({}),
    hosts: z.record(z.string(), names()).default({}),
    /** Of the first version of the file, which knew no workspaces. */
    formerHosts: names().default({}),
  });
type Permissions = z.infer<ReturnType<typeof permissionsFile>>;
const firstPermissionsFile = () =>
  z
    .object({ version: z.literal(1), flows: names().default({}), hosts: names().default({}) })
    .transform(({ flows, hosts }): Permissions => ({ version: 2, flows, hosts: {}, formerHosts: hosts }));
const anyPermissionsFile = late(() => z.union([permissionsFile(), firstPermissionsFile()]));

export interface SecretPermissions {
  /** Those of the names that a flow was not allowed. @param flow what names it: the hash of its text, for one of a pack with the pack */
  missingFor(flow: string, names: readonly string[]): readonly string[];
  /** Allows a flow more names. @throws EngineError `secret.permissions-unreadable`; the system's error */
  allowFlow(flow: string, names: readonly string[]): Promise<void>;
  /** Patterns of hosts that a secret may go to from this workspace; undefined = nobody has said any. */
  hostsOf(name: string): readonly string[] | undefined;
  /** Allows a secret to go to one more host from this workspace. @throws as `allowFlow`; EngineError `secret.bad-host` */
  allowHost(name: string, host: string): Promise<void>;
  /** Takes a host away again; when it was the last one, the secret goes nowhere. @throws as `allowFlow` */
  forgetHost(name: string, host: string): Promise<void>;
}

interface PermissionsOptions {
  /** Absolute. */
  readonly baseFolder: string;
  /** Absolute; remembered by its real path. */
  readonly workspace: string;
  /** Nobody may send a secret where it was not allowed to go: what was allowed for any workspace allows nothing then. */
  readonly bindsHosts: boolean;
}

/** Reads the file anew each time; what cannot be read allows nothing. */
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

/** Whichever way leads there. */
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

const nothing: Permissions = { version: 2, flows: {}, hosts: {}, formerHosts: {} };
/** A name or an address, with `*.` before it for all below it, and a port. */
const hostPattern = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

function ownOf<Value>(map: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/**
 * Whether a pattern means the host of an address: itself, or with `*.` before it, all names below it. A pattern without a port means the
 * usual one of the scheme.
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
