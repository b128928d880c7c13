/**
 * Lists files by globs for scripts.
 */

import type { Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, posix, relative, resolve } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { depthOfGlob, globMatcher, isNegated, type PathMatcher, splitGlob } from '../../base/glob.ts';
import { type FolderHolder, listHeld } from '../files/folders/folder-holder.ts';
import { filterPaths, type WalkedFile, type WalkOptions, walkTree } from '../files/walk-files.ts';
import { pathInfo } from '../lua/api-file/file-arguments.ts';
import type { FileInfoValue, HostCalls } from '../lua/host-calls.ts';
import type { ScriptAccess } from './script-access.ts';
import { isWithin, looksLikePackReference, slashed } from './script-paths.ts';

/** Folders with generated or downloaded files; skipped unless a glob names them. */
const usuallyExcluded = ['.aipack', '.millrace', '.git', 'target', 'node_modules', '.build', '__pycache__'] as const;

const neverListed = /^(?:\.DS_Store|Thumbs\.db|.*\.swp)$/;

/** A resolved glob: its base folder, and the pattern below it. */
interface PlacedGlob {
  /** Absolute path, without following symbolic links. */
  readonly base: string;
  /** Undefined if the base is the only matching file. */
  readonly matches: PathMatcher | undefined;
  readonly maxDepth: number;
}

interface Listing {
  readonly access: ScriptAccess;
  readonly excluded: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/**
 * Lists the matching files, sorted by the last glob that matches each, then by path. `!glob` excludes files. Paths are
 * relative to `baseDir` (or the workspace); those outside it, and all with `absolute`, are absolute.
 * @throws EngineError `files.bad-glob` for a glob that begins with `../`; `effect.denied`; `files.too-many`; the
 * signal's reason if it aborts
 */
export async function listFiles(
  access: ScriptAccess,
  params: HostCalls['file.list']['params'],
  signal: AbortSignal,
): Promise<readonly FileInfoValue[]> {
  const base = await access.resolve({ path: params.baseDir ?? '' });
  const excluded = params.hasDefaultExcludes ? excludedFor(params.globs) : new Set<string>();
  const listing: Listing = { access, excluded, signal };
  const taken = await Promise.all(
    params.globs.filter(isNegated).map((glob) => placedGlob(access, glob.slice(1), base)),
  );
  // A file that matches several globs is sorted by the last one.
  const found = new Map<string, { readonly at: number; readonly real: string }>();
  for (const [at, glob] of params.globs.filter((one) => !isNegated(one) && one.trim() !== '').entries()) {
    for (const { file, real } of await filesOf(await placedGlob(access, glob, base), listing))
      found.set(file, { at, real });
  }
  const files = await filterPaths([...found.keys()], (file) => !taken.some((glob) => isMatch(glob, file)), signal);
  const shown = files.map((file) => {
    const { at = 0, real = file } = found.get(file) ?? {};
    return { at, real, path: shownPath(access, file, params.absolute ? '' : base) };
  });
  shown.sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : 1));
  return await infosOf(access, shown, signal);
}

function excludedFor(globs: readonly string[]): ReadonlySet<string> {
  return new Set(usuallyExcluded.filter((name) => !globs.some((glob) => glob.includes(`${name}/`))));
}

async function placedGlob(access: ScriptAccess, glob: string, base: string): Promise<PlacedGlob> {
  const trimmed = glob.trim();
  const isRooted = /^(?:~|\$tmp)(?:[/\\]|$)/.test(trimmed) || isAbsolute(trimmed) || looksLikePackReference(trimmed);
  const normal = isRooted ? slashed(trimmed) : posix.normalize(slashed(trimmed));
  if (normal === '..' || normal.startsWith('../')) throw badGlob(glob);
  const { base: fixed, pattern } = splitGlob(normal);
  const folder = isRooted ? await access.resolve({ path: fixed }) : resolve(base, fixed);
  if (pattern === '') return { base: folder, matches: undefined, maxDepth: 0 };
  return { base: folder, matches: globMatcher(pattern), maxDepth: depthOfGlob(pattern) };
}

function isMatch({ base, matches }: PlacedGlob, file: string): boolean {
  if (matches === undefined) return base === file;
  return isWithin(base, file) && matches(slashed(relative(base, file)));
}

interface ListedScriptFile {
  /** Absolute path, without following symbolic links. */
  readonly file: string;
  /** Real path at the time it was found. */
  readonly real: string;
}

async function filesOf(glob: PlacedGlob, listing: Listing): Promise<readonly ListedScriptFile[]> {
  const { access, excluded, signal } = listing;
  const { real } = await access.read({ path: glob.base }, signal);
  const { matches } = glob;
  if (matches === undefined) return [{ file: glob.base, real }];
  const isClosed = await access.closedFolders();
  const enters = (path: string): boolean => !excluded.has(posix.basename(path)) && !isClosed(join(real, path));
  const entries = await walkScriptFolder(access.holder, real, { maxDepth: glob.maxDepth, enters, signal });
  const links = new Set(entries.filter(({ isLink }) => isLink).map(({ path }) => path));
  const isWanted = (path: string): boolean => matches(path) && !neverListed.test(posix.basename(path));
  const paths = await filterPaths(
    entries.map(({ path }) => path),
    isWanted,
    signal,
  );
  const kept: ListedScriptFile[] = [];
  for (const path of paths) {
    const place = join(real, path);
    const target = links.has(path) ? await leadsBack(access, place, real) : place;
    if (target !== undefined) kept.push({ file: join(glob.base, path), real: target });
  }
  return kept;
}

/** Maximum number of files; more would exceed the script's memory. */
const maxFiles = 100_000;

/**
 * Lists the files and links below a folder in no particular order. Skips folders that are unreadable or have moved.
 * @param folder real and absolute
 * @throws EngineError `files.too-many`; the signal's reason if it aborts
 */
export async function walkScriptFolder(
  holder: FolderHolder,
  folder: string,
  options: Omit<WalkOptions, 'maxFiles' | 'readFolder'>,
): Promise<WalkedFile[]> {
  const readFolder: WalkOptions['readFolder'] = (path) => listHeld(holder, resolve(folder, path));
  const found = await walkTree(folder, { ...options, readFolder, maxFiles: maxFiles + 1 });
  if (found.length <= maxFiles) return found;
  throw new EngineError({
    code: 'files.too-many',
    message: `${folder} contains more than ${maxFiles} files. Start the glob with a deeper folder.`,
    details: { maxFiles },
  });
}

/** Returns a symbolic link's target if it is in the same kind of place as the link itself, otherwise undefined. */
async function leadsBack(access: ScriptAccess, link: string, root: string): Promise<string | undefined> {
  try {
    const real = await access.realPathOf(link);
    return (await access.placeOf(real)) === (await access.placeOf(root)) ? real : undefined;
  } catch {
    return undefined;
  }
}

function shownPath(access: ScriptAccess, file: string, base: string): string {
  return base !== '' && isWithin(base, file) ? slashed(relative(base, file)) : access.shown(file);
}

/** Number of files for which stats are read at the same time. */
const statsAtOnce = 64;

async function infosOf(
  access: ScriptAccess,
  files: readonly { readonly real: string; readonly path: string }[],
  signal: AbortSignal,
): Promise<readonly FileInfoValue[]> {
  const infos: FileInfoValue[] = [];
  for (let start = 0; start < files.length; start += statsAtOnce) {
    signal.throwIfAborted();
    const group = files.slice(start, start + statsAtOnce);
    const stats = await statTogether(access.holder, group);
    for (const { path, real } of group) {
      const found = stats.get(real);
      if (found?.isFile()) infos.push(fileInfoOf(path, found));
    }
  }
  return infos;
}

/** Holds each folder once for all its files. Skips files without accessible stats. */
async function statTogether(
  holder: FolderHolder,
  files: readonly { readonly real: string }[],
): Promise<ReadonlyMap<string, Stats>> {
  const stats = new Map<string, Stats>();
  const byFolder = new Map<string, { readonly real: string }[]>();
  for (const file of files) byFolder.set(dirname(file.real), [...(byFolder.get(dirname(file.real)) ?? []), file]);
  const lookIn = async ([path, inIt]: readonly [string, readonly { readonly real: string }[]]): Promise<void> => {
    const folder = await holder.hold(path);
    try {
      await Promise.all(
        inIt.map(async ({ real }) => {
          const state = await folder.stat(basename(real)).catch(() => undefined);
          if (state !== undefined) stats.set(real, state);
        }),
      );
    } finally {
      await folder.close();
    }
  };
  await Promise.allSettled([...byFolder].map(lookIn));
  return stats;
}

function badGlob(glob: string): EngineError {
  return new EngineError({
    code: 'files.bad-glob',
    message: `The glob "${glob}" leads out of its folder. Use another base_dir, or an absolute glob.`,
  });
}

/** @param path for the script, with forward slashes */
export function fileInfoOf(path: string, stats: Stats): FileInfoValue {
  // Some file systems do not record the creation time.
  const madeMs = stats.birthtimeMs > 0 ? stats.birthtimeMs : stats.ctimeMs;
  const info = pathInfo(path);
  return {
    ...info,
    ctime: Math.round(madeMs * 1000),
    mtime: Math.round(stats.mtimeMs * 1000),
    size: stats.size,
  };
}
