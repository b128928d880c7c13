/**
 * Lists packs and agents for windows and command lines.
 */
import { join, relative } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { readTextFile } from '../world/files/read-text.ts';
import { walkFiles } from '../world/files/walk-files.ts';
import { withSlashes } from '../world/files/workspace-path.ts';
import { ownBuiltins } from './pack/builtin-packs.ts';
import type { PackOrigin } from './pack/pack-folders.ts';
import { listPacks, type PackEntry, type PackInfo } from './pack/pack-locator.ts';

/** An agent of a pack or the workspace. */
export interface AgentFile {
  /** Reference for running it: `namespace@pack/agent`, or a path relative to the workspace with `/`. */
  readonly agent: string;
  /** Absolute path. */
  readonly file: string;
}

/** An available pack. */
export interface PackListing {
  /** `namespace@name`. */
  readonly ref: string;
  readonly version: string;
  /**
   * The kind of folder that contains it. Workspace packs take precedence over the user's own packs, which take
   * precedence over installed ones.
   */
  readonly origin: 'workspace' | 'custom' | 'installed';
  /** Whether the pack is bundled. */
  readonly isBuiltIn: boolean;
  /** Whether another pack with the same reference takes precedence. */
  readonly isShadowed: boolean;
  /** Absolute path. */
  readonly folder: string;
  /** Source and time (RFC 3339) of the installation. */
  readonly source?: string;
  readonly installedAt?: string;
  /** Commit of the git repository. */
  readonly commit?: string;
  readonly hasReadme: boolean;
  readonly agents: readonly AgentFile[];
  /** Flow files, relative to the pack's folder with `/`. */
  readonly flows: readonly string[];
  /**
   * Why the pack cannot be used. Version and agents may then be empty. A folder of agents without a manifest has no
   * version.
   */
  readonly problem?: string;
}

const origins: Readonly<Record<PackOrigin, PackListing['origin']>> = {
  'workspace-custom': 'workspace',
  'base-custom': 'custom',
  installed: 'installed',
};

type ListedFolders = Parameters<typeof listPacks>[0];

/** Returns the packs for display; see `listPacks`. */
export async function listPackViews(folders: ListedFolders, filter?: string): Promise<readonly PackListing[]> {
  const [packs, own] = await Promise.all([listPacks(folders, filter), ownBuiltins(folders.baseFolder)]);
  return packs.map((pack) => viewOf(pack, own));
}

function viewOf(pack: PackInfo, own: ReadonlySet<string>): PackListing {
  const { ref, version = '', origin, folder, installed, readme, agents, flows, isShadowed, problem } = pack;
  return {
    ...{ ref, version, folder, isShadowed, origin: origins[origin] },
    // An installer always records where a pack comes from.
    isBuiltIn: origin === 'installed' && installed === undefined && own.has(ref),
    hasReadme: readme !== undefined,
    agents: agents.map(asAgent),
    flows: flows.map(({ file }) => withSlashes(relative(folder, file))),
    ...(installed === undefined ? {} : { source: installed.source, installedAt: installed.time }),
    ...(installed?.commit === undefined ? {} : { commit: installed.commit }),
    ...(problem === undefined ? {} : { problem }),
  };
}

function asAgent({ ref, file }: PackEntry): AgentFile {
  return { agent: ref, file };
}

/** @throws EngineError `pack.not-found` if there is no such pack or it has no readme; `files.*` */
export async function readPackReadme(ref: string, folders: ListedFolders): Promise<string> {
  const [pack] = await listPacks(folders, ref);
  if (pack?.readme === undefined) {
    throw new EngineError({ code: 'pack.not-found', message: `Pack ${ref} does not exist or has no readme.` });
  }
  const signal = new AbortController().signal;
  return await readTextFile(pack.readme, { maxBytes: 1024 * 1024, shownPath: `${ref}/README.md`, signal });
}

/** Returns the workspace's `*.aip` files in path order, except those in packs and third-party folders. */
export async function listAgentFiles(workspace: string): Promise<readonly AgentFile[]> {
  const files = await walkFiles(workspace, { maxDepth: Number.POSITIVE_INFINITY });
  const agents = files.filter((path) => path.endsWith('.aip') && !path.startsWith('.aipack/'));
  return agents.sort().map((agent) => ({ agent, file: join(workspace, agent) }));
}
