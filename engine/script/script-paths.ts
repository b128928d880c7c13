/**
 * What the paths of scripts mean, one reading for all functions, and where paths really lie.
 */

import { lstatSync, realpathSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { isMissing } from '../files/file-error.ts';

/** The folders that paths may begin with; all absolute. */
export interface PathRoots {
  readonly workspace: string;
  /** Stands behind `~`. */
  readonly home: string;
  /** Stands behind `$tmp`; it need not exist. */
  readonly tmp: string;
  /**
   * The absolute path that a pack reference means: `ns@name`, with `$base` or `$workspace`, and a path below.
   * @throws EngineError when there is no such pack, or the reference is wrong
   */
  readonly packPath: (reference: string) => Promise<string>;
}

const packName = '[a-zA-Z_][a-zA-Z0-9_-]*';
const packReference = new RegExp(`^${packName}@${packName}(?:\\$[^/\\\\]*)?(?:[/\\\\]|$)`);

/** True for `ns@name…`. A file name that merely has an `@` in it, such as `notes@2024.md`, is a path like any other. */
export function looksLikePackReference(path: string): boolean {
  return packReference.test(path);
}

/**
 * Where a path of a script leads: below home for `~/`, as it is when absolute, below the session's folder for `$tmp/`,
 * in a pack for a pack reference, else below `baseDir` (read in the same way) or the workspace.
 * @returns absolute, with the system's separators, `.` and `..` collapsed, links not followed
 * @throws EngineError `files.bad-path`, and what `packPath` throws
 */
export async function resolveScriptPath(
  roots: PathRoots,
  { path, baseDir }: { readonly path: string; readonly baseDir?: string | undefined },
): Promise<string> {
  if (path.includes('\0')) {
    throw new EngineError({ code: 'files.bad-path', message: `${JSON.stringify(path)} is no path: it holds a NUL.` });
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

/** An absolute path as scripts and people see it: with `/`, and `~` for the home folder. */
export function shownScriptPath(absolute: string, home: string): string {
  const below = relative(home, absolute);
  const isBelow = below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  return slashed(isBelow ? `~/${below}` : absolute);
}

/** With `/` between its parts, as scripts see paths on every system. */
export function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/**
 * The path with all links followed. The last parts need not exist yet.
 * @param absolute collapsed, with the system's separators
 * @throws EngineError `files.bad-link` for a link to nothing, a circle of links, or a part that cannot be followed
 */
export async function realPathOf(absolute: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) throw badLink(absolute, 'cannot be followed', error);
  }
  // Others may have made it since, and it is a link to nothing only when a second look does not reach it either.
  if (await isThere(absolute)) {
    return await realpath(absolute).catch((error: unknown) => {
      throw badLink(absolute, 'is a link to something that does not exist', error);
    });
  }
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(await realPathOf(parent), basename(absolute));
}

/**
 * As `realPathOf`, for folders of the program itself. A question through a thread of the system costs more than its answer, and a
 * script asks some twenty before its first effect. Paths that scripts name may lie on a drive that does not answer: those wait
 * in a thread.
 * @param known what was found in the same look at the disk; is added to
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
    throw badLink(absolute, isDangling ? 'is a link to something that does not exist' : 'cannot be followed', error);
  }
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(realFolderOf(parent, known), basename(absolute));
}

const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/**
 * True when `path` is the folder or lies in it; both absolute and real.
 * @param options.isGuard the folder is one to keep out of: in doubt, on systems that ignore case, the answer is yes
 */
export function isWithin(folder: string, path: string, { isGuard = false }: { isGuard?: boolean } = {}): boolean {
  const folded = isGuard && ignoresCase;
  const from = relative(folded ? folder.toLowerCase() : folder, folded ? path.toLowerCase() : path);
  return from !== '..' && !from.startsWith(`..${sep}`) && !isOtherRoot(from);
}

/** Windows: a path on another drive stays absolute. */
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
  return new EngineError({ code: 'files.bad-link', message: `${path} ${problem}. Name another path.`, cause });
}
