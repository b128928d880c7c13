/**
 * Stores the addresses on this machine and in private networks that a user has allowed for an untrusted workspace:
 * `millrace/private-hosts.json` in the base folder, `{ "version": 1, "workspaces": { "/real/path": ["192.168.1.20"] }
 * }`.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { isMissing } from '../../world/files/file-error.ts';
import { withFileLock } from '../../world/files/file-lock.ts';

const hostsFile = z.object({ version: z.literal(1), workspaces: z.record(z.string(), z.array(z.string())) });
type HostsFile = z.infer<typeof hostsFile>;

export interface PrivateHosts {
  /** Returns whether requests to a host are allowed. @param host in the format of `dialedHostAndPort` */
  includes(host: string): boolean;
  list(): readonly string[];
  /** @throws EngineError `web.private-hosts-unreadable`; the system's error */
  allow(host: string): Promise<void>;
  /** @throws the errors of `allow` */
  forget(host: string): Promise<void>;
}

interface PrivateHostsOptions {
  /** Absolute path. */
  readonly baseFolder: string;
  /** Absolute path, stored as its real path. */
  readonly workspace: string;
  readonly clock: Clock;
}

const nothing: HostsFile = { version: 1, workspaces: {} };

/** Reads the file on each query. An unreadable file allows nothing. */
export function createPrivateHosts({ baseFolder, workspace, clock }: PrivateHostsOptions): PrivateHosts {
  const file = join(baseFolder, 'millrace', 'private-hosts.json');
  const hostsIn = ({ workspaces }: HostsFile): readonly string[] => {
    const folder = realFolder(workspace);
    return Object.hasOwn(workspaces, folder) ? (workspaces[folder] ?? []) : [];
  };
  const list = (): readonly string[] => {
    try {
      return hostsIn(read(file));
    } catch {
      return [];
    }
  };
  const change = async (next: (hosts: readonly string[]) => readonly string[]): Promise<void> => {
    const signal = new AbortController().signal;
    await withFileLock(`${file}.lock`, { clock, signal, shown: 'private-hosts.json' }, async () => {
      const former = read(file);
      const workspaces = { ...former.workspaces, [realFolder(workspace)]: [...next(hostsIn(former))] };
      await writeFileAtomically(file, `${JSON.stringify({ version: 1, workspaces }, null, 2)}\n`);
    });
  };
  return {
    list,
    includes: (host) => list().includes(host),
    allow: (host) => change((hosts) => [...new Set([...hosts, host])]),
    forget: (host) => change((hosts) => hosts.filter((one) => one !== host)),
  };
}

function read(file: string): HostsFile {
  try {
    return hostsFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return nothing;
    throw new EngineError({
      code: 'web.private-hosts-unreadable',
      message: `The list of allowed private addresses cannot be read (${file}). Fix the file, or delete it to be asked again.`,
      cause: error,
    });
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
