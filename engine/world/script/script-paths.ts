/**
 * Resolves paths in scripts by the same rules for all functions, and finds their real locations.
 */

import { lstatSync, realpathSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { isMissing } from '../files/file-error.ts';

/** Folders with which paths can begin; all absolute. */
export interface PathRoots {
  readonly workspace: string;
  /** Folder for `~`. */
  readonly home: string;
  /** Folder for `$tmp`, which may not exist. */
  readonly tmp: string;
  /**
   * Returns the absolute path of a pack reference: `ns@name`, optionally with `$base` or `$workspace` and a path below.
   * @throws EngineError if the pack does not exist or the reference is invalid
   */
  readonly packPath: (reference: string) => Promise<string>;
}

const packName = '[a-zA-Z_][a-zA-Z0-9_-]*';
const packReference = new RegExp(`^${packName}@${packName}(?:\\$[^/\\\\]*)?(?:[/\\\\]|$)`);

/**
 * Whether the path has the form `ns@name…`. A file name that contains `@`, such as `notes@2024.md`, is an ordinary
 * path.
 */
export function looksLikePackReference(path: string): boolean {
  return packReference.test(path);
}

/**
 * Resolves a script's path: `~/` to the home folder, an absolute path unchanged, `$tmp/` to the session's folder, a
 * pack reference to the pack, otherwise relative to `baseDir` (resolved in the same way) or the workspace.
 * @returns absolute, with the system's separators, normalized, without following symbolic links
 * @throws EngineError `files.bad-path`, and errors from `packPath`
 */
export async function resolveScriptPath(
  roots: PathRoots,
  { path, baseDir }: { readonly path: string; readonly baseDir?: string | undefined },
): Promise<string> {
  if (path.includes('\0')) {
    throw new EngineError({
      code: 'files.bad-path',
      message: `${JSON.stringify(path)} is not a valid path because it contains a NUL character.`,
    });
  }
  const below = (name: string, folder: string): string | undefined =>
    path === name || path.startsWith(`${name}/`) || path.startsWith(`${name}${sep}`)
      ? join(folder, path.slice(name.length))
      : undefined;
  const known = below('~', roots.home) ?? below('$tmp', roots.tmp);
  if (known !== undefined) return known;
  if (isAbsolute(path)) return resolve(path);
  if (looksLikePackReference(path)) return resolve(await roots.packPath(path));
  const base = baseDir === undefined ? roots.workspace : await resolveScriptPath(roots, { path: baseDir });
  return resolve(base, path);
}

/** Formats an absolute path for scripts and people: with forward slashes, and `~` for the home folder. */
export function shownScriptPath(absolute: string, home: string): string {
  const below = relative(home, absolute);
  const isBelow = below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  return slashed(isBelow ? `~/${below}` : absolute);
}

/** Converts a path to forward slashes, as scripts see it on every system. */
export function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/**
 * Returns the path with all symbolic links resolved. The last parts may not exist yet.
 * @param absolute normalized, with the system's separators
 * @throws EngineError `files.bad-link` for a broken or circular link, or a part that cannot be resolved
 */
export async function realPathOf(absolute: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) throw badLink(absolute, 'cannot be resolved', error);
  }
  // Another program may have created it since, so it counts as a broken link only if a second attempt also fails.
  if (await isThere(absolute)) {
    return await realpath(absolute).catch((error: unknown) => {
      throw badLink(absolute, 'is a link to something that does not exist', error);
    });
  }
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(await realPathOf(parent), basename(absolute));
}

/**
 * Like `realPathOf`, for folders of the program. Synchronous, because a round trip to the thread pool takes longer than
 * the call, and a script makes about twenty such calls before its first effect. Paths from scripts may be on a drive
 * that does not respond, so those are resolved asynchronously.
 * @param known results of the same scan of the disk; updated by the call
 * @throws EngineError `files.bad-link`
 */
export function realFolderOf(absolute: string, known: Map<string, string>): string {
  let real = known.get(absolute);
  if (real === undefined) {
    real = followFolder(absolute, known);
    known.set(absolute, real);
  }
  return real;
}

function followFolder(absolute: string, known: Map<string, string>): string {
  let isPresent = false;
  try {
    isPresent = lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
    if (isPresent) return realpathSync.native(absolute);
  } catch (error) {
    const isDangling = isPresent && isMissing(error);
    throw badLink(absolute, isDangling ? 'is a link to something that does not exist' : 'cannot be resolved', error);
  }
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(realFolderOf(parent, known), basename(absolute));
}

const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/**
 * Whether `path` is the folder or inside it; both are absolute and real.
 * @param options.isGuard whether the folder must be protected: on systems that ignore case, doubtful cases return true
 */
export function isWithin(folder: string, path: string, { isGuard = false }: { isGuard?: boolean } = {}): boolean {
  const folded = isGuard && ignoresCase;
  const from = relative(folded ? folder.toLowerCase() : folder, folded ? path.toLowerCase() : path);
  return from !== '..' && !from.startsWith(`..${sep}`) && !isOtherRoot(from);
}

/** On Windows, a path on another drive stays absolute. */
function isOtherRoot(path: string): boolean {
  return path.startsWith(sep) || /^[a-z]:/i.test(path);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function badLink(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError({ code: 'files.bad-link', message: `${path} ${problem}. Use another path.`, cause });
}
