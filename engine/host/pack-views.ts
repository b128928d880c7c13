/**
 * Packs and agents as windows and command lines show them.
 */
import { join, relative } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { readTextFile } from '../files/read-text.ts';
import { walkFiles } from '../files/walk-files.ts';
import { withSlashes } from '../files/workspace-path.ts';
import { ownBuiltins } from '../pack/builtin-packs.ts';
import type { PackOrigin } from '../pack/pack-folders.ts';
import { listPacks, type PackEntry, type PackInfo } from '../pack/pack-locator.ts';

/** An agent that a pack or the workspace has. */
export interface AgentFile {
  /** What to run it by: `namespace@pack/agent`, or a path relative to the workspace with `/`. */
  readonly agent: string;
  /** Absolute. */
  readonly file: string;
}

/** A pack that is there. */
export interface PackListing {
  /** `namespace@name`. */
  readonly ref: string;
  readonly version: string;
  /** Which folder it lies in; packs of the workspace come before the person's own, and those before installed ones. */
  readonly origin: 'workspace' | 'custom' | 'installed';
  /** Came with the program. */
  readonly isBuiltIn: boolean;
  /** Another pack of the same reference comes before it. */
  readonly isShadowed: boolean;
  /** Absolute. */
  readonly folder: string;
  /** What it was installed from, and when (RFC 3339). */
  readonly source?: string;
  readonly installedAt?: string;
  /** Of a git repository. */
  readonly commit?: string;
  readonly hasReadme: boolean;
  readonly agents: readonly AgentFile[];
  /** Flow files, relative to the pack's folder with `/`. */
  readonly flows: readonly string[];
  /** Why it cannot be used; then version and agents may be empty. A folder of agents without a manifest has no version. */
  readonly problem?: string;
}

const origins: Readonly<Record<PackOrigin, PackListing['origin']>> = {
  'workspace-custom': 'workspace',
  'base-custom': 'custom',
  installed: 'installed',
};

type ListedFolders = Parameters<typeof listPacks>[0];

/** Returns the packs as people see them; see `listPacks`. */
export async function listPackViews(folders: ListedFolders, filter?: string): Promise<readonly PackListing[]> {
  const [packs, own] = await Promise.all([listPacks(folders, filter), ownBuiltins(folders.baseFolder)]);
  return packs.map((pack) => viewOf(pack, own));
}

function viewOf(pack: PackInfo, own: ReadonlySet<string>): PackListing {
  const { ref, version = '', origin, folder, installed, readme, agents, flows, isShadowed, problem } = pack;
  return {
    ...{ ref, version, folder, isShadowed, origin: origins[origin] },
    // An installer notes where a pack is from.
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

/** @throws EngineError `pack.not-found` when there is no such pack or it has no readme; `files.*` */
export async function readPackReadme(ref: string, folders: ListedFolders): Promise<string> {
  const [pack] = await listPacks(folders, ref);
  if (pack?.readme === undefined) {
    throw new EngineError({ code: 'pack.not-found', message: `There is no pack ${ref} with a readme.` });
  }
  const signal = new AbortController().signal;
  return await readTextFile(pack.readme, { maxBytes: 1024 * 1024, shownPath: `${ref}/README.md`, signal });
}

/** `*.aip` files of the workspace in path order; those of packs and other people's folders are left out. */
export async function listAgentFiles(workspace: string): Promise<readonly AgentFile[]> {
  const files = await walkFiles(workspace, { maxDepth: Number.POSITIVE_INFINITY });
  const agents = files.filter((path) => path.endsWith('.aip') && !path.startsWith('.aipack/'));
  return agents.sort().map((agent) => ({ agent, file: join(workspace, agent) }));
}
