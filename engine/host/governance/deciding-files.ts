/**
 * Determines which paths on disk are deciding files, whatever name, symbolic link or folder leads to them.
 */
import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { namedByCatalogues } from '../../conversations/host/catalogue-files.ts';
import {
  conversationKind,
  type DecidingFiles,
  foldName,
  matchesSegment,
  matchPlace,
  type PathChange,
  type PlacePattern,
  patternsIn,
} from '../../runtime/governance/deciding-places.ts';
import type { DecidingFile } from '../../runtime/kernel/capabilities/effect.ts';
import { walkTree } from '../../world/files/walk-files.ts';
import { withSlashes } from '../../world/files/workspace-path.ts';
import { realPathOf } from '../../world/script/script-paths.ts';

interface DecidingFolders {
  /** Absolute path. */
  readonly workspace: string;
  /** Absolute path. */
  readonly baseFolder: string;
  /** Returns absolute paths of files that decide regardless of their location: the team's file, the cassette in use. */
  readonly others: () => readonly string[];
}

/** A folder, and the deciding files in it. */
interface Guard {
  /** Real, absolute and folded path. */
  readonly folder: string;
  readonly segments: readonly string[];
  readonly what: string;
  /** Whether a symbolic link leads from a deciding path to the folder. */
  readonly isLinked: boolean;
}

/** The current deciding files. */
interface Guards {
  /** Real, absolute path. */
  readonly workspace: string;
  /** Real, absolute paths of the workspace, the base folder, and folders to which symbolic links lead. */
  readonly roots: Set<string>;
  readonly folders: Guard[];
  /** Kinds of single files by their real, absolute and folded paths. */
  readonly files: Map<string, string>;
}

/** Default name of a base folder. */
const usualBase = '.aipack-base';

/** Creates the finder. It reads the disk on each call, because symbolic links may have changed since the last call. */
export function createDecidingFiles(folders: DecidingFolders): DecidingFiles {
  const named = namedByCatalogues(folders.workspace);
  return {
    async find(real, change) {
      const guards = await lookAround(folders);
      for (const file of await named()) guards.files.set(foldPath(file), conversationKind);
      const found = touched(real, change, guards) ?? (await withinOrLinked(real, change, guards));
      return found && { ...found, path: shownPath(found.path, guards.workspace) };
    },
  };
}

/** Finds the affected deciding file among real, absolute paths. */
function touched(real: string, change: PathChange, { files, folders }: Guards): DecidingFile | undefined {
  const folded = foldPath(real);
  const known = files.get(folded) ?? inOtherBase(folded);
  if (known !== undefined) return { path: real, what: known };
  for (const { folder, segments, what } of folders) {
    if (!isWithin(folder, folded)) continue;
    const match = matchPlace(segments, namesIn(folded.slice(folder.length)));
    if (match === 'file') return { path: real, what };
    if (match === 'above' && change === 'arrive') return { path: real, what, isByFolder: true };
  }
  return undefined;
}

/**
 * Returns the kind that a file would have for a program with a different base folder. @param folded folded absolute
 * path
 */
function inOtherBase(folded: string): string | undefined {
  const at = folded.lastIndexOf(`${sep}${usualBase}${sep}`);
  if (at === -1) return undefined;
  const names = namesIn(folded.slice(at)).slice(1);
  return patternsIn('base').find(({ segments }) => matchPlace(segments, names) === 'file')?.what;
}

/** Checks the content of a folder that is removed or moved in, and other names of the same file. */
async function withinOrLinked(real: string, change: PathChange, guards: Guards): Promise<DecidingFile | undefined> {
  const state = await lstat(real).catch(() => undefined);
  if (change === 'write')
    return state !== undefined && state.nlink > 1 && state.isFile() ? await sameFile(state, guards) : undefined;
  const folded = foldPath(real);
  const linked = guards.folders.find(({ folder, isLinked }) => isLinked && isWithin(folded, folder));
  if (linked !== undefined) return { path: real, what: linked.what, isByFolder: true };
  const [file, what] = [...guards.files].find(([path]) => isWithin(folded, path)) ?? [];
  if (file !== undefined && what !== undefined) return { path: file, what, isByFolder: true };
  if (change === 'arrive' || state?.isDirectory() !== true) return undefined;
  const below = await firstBelow(real, guards);
  return below && { ...below, isByFolder: true };
}

/** Finds the deciding file that is the same file on disk: appending to a hard link changes it under every name. */
async function sameFile({ ino, dev }: Stats, guards: Guards): Promise<DecidingFile | undefined> {
  const isSame = async (path: string): Promise<boolean> => {
    const state = await lstat(path).catch(() => undefined);
    return state?.ino === ino && state.dev === dev;
  };
  for (const root of guards.roots) {
    const same = await firstBelow(root, guards, isSame);
    if (same !== undefined) return same;
  }
  return undefined;
}

async function firstBelow(
  folder: string,
  guards: Guards,
  isMeant: (path: string) => Promise<boolean> = async () => true,
): Promise<DecidingFile | undefined> {
  for (const { path } of await walkTree(folder, { maxDepth: Number.POSITIVE_INFINITY })) {
    const found = touched(join(folder, path), 'write', guards);
    if (found !== undefined && (await isMeant(found.path))) return found;
  }
  return undefined;
}

/** Returns the deciding paths, with all symbolic links resolved. */
async function lookAround({ workspace, baseFolder, others }: DecidingFolders): Promise<Guards> {
  const [ofWorkspace, ofBase] = await Promise.all([realPathOf(workspace), realPathOf(baseFolder)]);
  const guards: Guards = { workspace: ofWorkspace, roots: new Set(), folders: [], files: new Map() };
  const read = readOnce();
  await addGuards(guards, read, { folder: ofWorkspace, patterns: patternsIn('workspace') });
  await addGuards(guards, read, { folder: ofBase, patterns: patternsIn('base') });
  for (const file of others()) await addFile(file, 'a file that this run was started with', guards);
  return guards;
}

type ReadFolder = (folder: string) => Promise<readonly Dirent[]>;

/** Caches folders, because several patterns lead through the same ones. */
function readOnce(): ReadFolder {
  const known = new Map<string, Promise<readonly Dirent[]>>();
  return (folder) => {
    const found = known.get(folder) ?? readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    known.set(folder, found);
    return found;
  };
}

interface GuardedFolder {
  /** Real, absolute path. */
  readonly folder: string;
  readonly patterns: readonly Pick<PlacePattern, 'segments' | 'what'>[];
  readonly isLinked?: boolean;
}

/** Maximum number of consecutive symbolic links. A longer sequence is a cycle. */
const mostLinks = 20;

async function addGuards(guards: Guards, read: ReadFolder, guarded: GuardedFolder, depth = 0): Promise<void> {
  const { folder, patterns, isLinked = false } = guarded;
  guards.roots.add(folder);
  const folded = foldPath(folder);
  for (const { segments, what } of patterns) {
    guards.folders.push({ folder: folded, segments, what, isLinked });
    for (const link of await linksIn(folder, segments, read)) {
      const target = await addFile(link.path, what, guards);
      // A pack that is a symbolic link to this workspace is the one that the user is developing here.
      const isWorkspace = link.segments[0] === '**' && isWithin(target, guards.workspace);
      if (link.segments.length === 0 || isWorkspace || depth > mostLinks) continue;
      const linked = { folder: target, patterns: [{ segments: link.segments, what }], isLinked: true };
      await addGuards(guards, read, linked, depth + 1);
    }
  }
}

interface FoundLink {
  readonly path: string;
  /** The rest of the pattern, starting at the link's target. */
  readonly segments: readonly string[];
}

/** Packs may be symbolic links, or contain some at their top level. No loader follows links at deeper levels. */
const deepestLink = 4;

/** Returns the symbolic links on a pattern's path. */
async function linksIn(
  folder: string,
  segments: readonly string[],
  read: ReadFolder,
  depth = 0,
): Promise<readonly FoundLink[]> {
  const [first = '', ...rest] = segments;
  const isAll = first === '**';
  if (segments.length === 0 || (isAll && (rest.length > 0 || depth > deepestLink))) return [];
  const below = isAll ? segments : rest;
  const entries = (await read(folder)).filter(({ name }) => isAll || matchesSegment(first, foldName(name)));
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly FoundLink[]> => {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) return [{ path, segments: below }];
      return entry.isDirectory() ? await linksIn(path, below, read, depth + 1) : [];
    }),
  );
  return found.flat();
}

/** Adds a file, and every symbolic link on the path to it. @returns its real path, which may not exist */
async function addFile(file: string, what: string, { files }: Guards): Promise<string> {
  let at = file;
  for (let links = 0; links < mostLinks; links += 1) {
    at = join(await realFolderOf(dirname(at)), basename(at));
    files.set(foldPath(at), what);
    const target = await readlink(at).catch(() => undefined);
    if (target === undefined) return at;
    at = resolve(dirname(at), target);
  }
  return at;
}

/** Returns the real path; for a broken link, the path of the link itself. */
async function realFolderOf(folder: string): Promise<string> {
  return await realPathOf(folder).catch(() => folder);
}

function namesIn(path: string): readonly string[] {
  return path.split(sep).filter((name) => name !== '');
}

function foldPath(path: string): string {
  return path.split(sep).map(foldName).join(sep);
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function shownPath(path: string, workspace: string): string {
  const below = relative(workspace, path);
  return below === '' || below.startsWith('..') ? path : withSlashes(below);
}
