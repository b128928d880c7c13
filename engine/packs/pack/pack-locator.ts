/**
 * Lists packs, finds a pack by name, and resolves pack references to file paths.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { explainSystemError } from '../../base/system-trouble.ts';
import { packLimits } from '../../world/archive/pack-limits.ts';
import { isMissing } from '../../world/files/file-error.ts';
import { findInWorkspace } from '../../world/files/workspace-path.ts';
import { followPackLinks, type PackFound } from './install/linked-pack.ts';
import { listPackFiles } from './pack-contents.ts';
import { type PackFolders, type PackShelf, packShelves, supportFolders } from './pack-folders.ts';
import {
  type InstalledRecord,
  isPackName,
  manifestName,
  type PackManifest,
  readPackManifest,
} from './pack-manifest.ts';
import { identityOf, type PackRef, parsePackRef } from './pack-ref.ts';

/** An agent or flow in a pack that can be run. */
export interface PackEntry {
  /** Reference, as `namespace@name/path`. */
  readonly ref: string;
  /** Absolute path of the file. */
  readonly file: string;
}

export interface PackInfo extends PackFound {
  /** Reference of the pack, as `namespace@name`. */
  readonly ref: string;
  /** Absent if the manifest is missing or unreadable; `problem` then contains the reason. */
  readonly version?: string;
  readonly problem?: string;
  readonly installed?: InstalledRecord;
  /** Absolute path of the readme. */
  readonly readme?: string;
  readonly agents: readonly PackEntry[];
  readonly flows: readonly PackEntry[];
  /** Whether another pack with this name is found first. */
  readonly isShadowed: boolean;
}

/**
 * Finds the pack of a reference: in the workspace, in the user's own packs, or in the installed packs, in this order.
 * @param ref `namespace@name`, with or without a path
 * @throws EngineError `pack.bad-ref` | `pack.not-found` (`details.ref`, to offer an installation)
 */
export async function findPack(ref: string, folders: PackFolders): Promise<PackFound> {
  const found = await lookUpPack(parsePackRef(ref), folders);
  if (found !== undefined) return found;
  throw new EngineError({
    code: 'pack.not-found',
    message: `No aipack matches for ${ref}.`,
    details: { ref: identityOf(parsePackRef(ref)) },
  });
}

/** Finds a pack as `findPack` does, but returns undefined if it does not exist. */
export async function lookUpPack(
  { namespace, name }: Pick<PackRef, 'namespace' | 'name'>,
  folders: PackFolders,
): Promise<PackFound | undefined> {
  for (const { origin, folder: shelf } of packShelves(folders)) {
    const folder = join(shelf, namespace, name);
    if (await isFolder(folder)) return await followPackLinks({ namespace, name, origin, folder }, folders);
  }
  return undefined;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

interface ListOptions extends PackFolders {
  /**
   * Returns whether to read workspace packs behind symbolic links that point outside the workspace; defaults to true.
   */
  readonly mayReadOutside?: (() => Promise<boolean>) | undefined;
}

/**
 * Lists all packs by namespace and name. Packs with the same name are in search order. A symbolic link in the workspace
 * to another pack is not listed, because its target is.
 * @param filter `namespace@`, `@name` or `namespace@name`; a word without `@` matches either part
 */
export async function listPacks(folders: ListOptions, filter = ''): Promise<readonly PackInfo[]> {
  const matches = readFilter(filter);
  const found: ShelfEntry[] = [];
  for (const shelf of packShelves(folders)) found.push(...(await entriesOn(shelf)).filter(matches));
  const seen = new Set<string>();
  const packs: PackInfo[] = [];
  for (const { problem, ...onShelf } of found) {
    const isShadowed = seen.has(identityOf(onShelf));
    seen.add(identityOf(onShelf));
    if (problem !== undefined) {
      packs.push(brokenPack(onShelf, isShadowed, problem));
      continue;
    }
    const pack = await followPackLinks(onShelf, folders);
    if (pack.folder !== onShelf.folder) continue;
    const isClosed = pack.leadsOut === true && (await folders.mayReadOutside?.()) === false;
    packs.push(isClosed ? brokenPack(pack, isShadowed, closedProblem) : await describePack(pack, isShadowed));
  }
  // `sort` is stable, so packs with the same name keep their order.
  return packs.sort((left, right) => (left.ref === right.ref ? 0 : left.ref < right.ref ? -1 : 1));
}

function readFilter(filter: string): (pack: PackFound) => boolean {
  const [namespace = '', name] = filter.trim().split('@');
  if (name === undefined) return (pack) => `${pack.namespace} ${pack.name}`.includes(namespace);
  return (pack) => (namespace === '' || pack.namespace === namespace) && (name === '' || pack.name === name);
}

interface ShelfEntry extends PackFound {
  /** Why the folder cannot be read. */
  readonly problem?: string;
}

/** Lists all entries with a valid pack name. An unreadable namespace is a single entry without a name. */
async function entriesOn({ origin, folder }: PackShelf): Promise<ShelfEntry[]> {
  const entries: ShelfEntry[] = [];
  for (const namespace of await namesIn(folder)) {
    const ofNamespace = { namespace, origin, folder: join(folder, namespace) };
    try {
      for (const name of await namesIn(ofNamespace.folder)) {
        const place = join(ofNamespace.folder, name);
        entries.push({ ...ofNamespace, name, folder: place, ...(await folderProblem(place)) });
      }
    } catch (error) {
      entries.push({ ...ofNamespace, name: '', problem: readProblem(error) });
    }
  }
  return entries;
}

async function folderProblem(path: string): Promise<{ readonly problem?: string }> {
  try {
    if (await isFolder(path)) return {};
  } catch (error) {
    return { problem: readProblem(error) };
  }
  return { problem: `${path} is not a folder, or is a link to a folder that does not exist. Replace it or delete it.` };
}

/** @throws the error if it is neither an engine error nor a system error */
function readProblem(error: unknown): string {
  const problem = EngineError.is(error) ? error.message : explainSystemError(error);
  if (problem === undefined) throw error;
  return problem;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isPackName).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const closedProblem =
  'This pack is a link to a folder outside the workspace. Copy the pack into the workspace, or trust the workspace in the settings.';

function brokenPack(pack: PackFound, isShadowed: boolean, problem: string): PackInfo {
  return { ...pack, ref: identityOf(pack), isShadowed, problem, agents: [], flows: [] };
}

async function describePack(pack: PackFound, isShadowed: boolean): Promise<PackInfo> {
  const ref = identityOf(pack);
  try {
    const paths = (await listPackFiles(pack.folder, packLimits, 'left out')).map(({ path }) => path);
    const { version, installed } = await manifestOf(pack, paths);
    const readme = paths.find((path) => /^readme\.(?:md|txt)$/i.test(path));
    return {
      ...pack,
      ref,
      isShadowed,
      ...(version === undefined ? {} : { version }),
      ...(installed === undefined ? {} : { installed }),
      ...(readme === undefined ? {} : { readme: join(pack.folder, readme) }),
      agents: agentsIn(pack, paths),
      flows: entriesIn(pack, paths, /\.flow\.ya?ml$/),
    };
  } catch (error) {
    return brokenPack(pack, isShadowed, readProblem(error));
  }
}

/** Agents and flows can be run by their folder's name, so an unpublished pack needs no manifest. */
async function manifestOf({ folder }: PackFound, paths: readonly string[]): Promise<Partial<PackManifest>> {
  const canRun = paths.some((path) => /\.aip$|\.flow\.ya?ml$/.test(path));
  return canRun && !paths.includes(manifestName) ? {} : await readPackManifest(folder);
}

/**
 * Returns the agents of a pack. `main.aip` has the name of its folder, unless an agent next to the folder has that
 * name.
 */
function agentsIn(pack: PackFound, paths: readonly string[]): PackEntry[] {
  const names = new Set(paths);
  return entriesIn(pack, paths, /\.aip$/).map(({ file, ref }) => {
    const path = ref.slice(identityOf(pack).length + 1).replace(/\.aip$/, '');
    const short = path === 'main' ? '' : path.replace(/\/main$/, '');
    const isHidden = short !== path && names.has(`${short}.aip`);
    const shown = isHidden ? path : short;
    return { file, ref: shown === '' ? identityOf(pack) : `${identityOf(pack)}/${shown}` };
  });
}

function entriesIn(pack: PackFound, paths: readonly string[], ending: RegExp): PackEntry[] {
  return paths
    .filter((path) => ending.test(path))
    .map((path) => ({ ref: `${identityOf(pack)}/${path}`, file: join(pack.folder, path) }));
}

/**
 * Returns the absolute path of a flow in a pack.
 * @throws EngineError `pack.bad-ref` | `pack.not-found` | `files.outside` for a symbolic link that points outside the
 * pack
 */
export async function findPackFlow(text: string, folders: PackFolders): Promise<string> {
  const { folder } = await findPack(text, folders);
  const file = join(folder, parsePackRef(text).subPath);
  if ((await findInWorkspace(folder, file)) !== undefined) return file;
  throw new EngineError({
    code: 'files.outside',
    message: `${text} is a link to a file outside its pack, so it was not run. Run the target of the link instead.`,
  });
}

/**
 * Resolves a reference for file functions to an absolute path: in the pack's folder, or with `$base` and `$workspace`
 * in its data folders, even if the pack does not exist. Does not access the path; the caller must check symbolic links
 * when it reads or writes.
 * @throws EngineError `pack.bad-ref` (also for `..`) | `pack.not-found`
 */
export async function resolvePackPath(text: string, folders: PackFolders): Promise<string> {
  const ref = parsePackRef(text);
  if (ref.scope === null) return join((await findPack(text, folders)).folder, ref.subPath);
  const { baseSupportFolder, workspaceSupportFolder } = supportFolders(folders, ref);
  return join(ref.scope === 'base' ? baseSupportFolder : workspaceSupportFolder, ref.subPath);
}
