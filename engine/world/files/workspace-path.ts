/**
 * Resolves paths written by users, flows and models, and keeps them inside the workspace folder.
 */
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { isMissing, toReadError } from './file-error.ts';

export interface WorkspacePath {
  /** Path relative to the workspace, with `/`, without `.` and `..`. */
  readonly shown: string;
  /** Real path with all symbolic links resolved. The last segments may not exist yet. */
  readonly real: string;
  /** Whether the path is in Git's or Millrace's own folder, where flows may not write. */
  readonly isProtected: boolean;
}

/**
 * Resolves a path, and rejects paths that lead outside the workspace through `..`, an absolute path or symbolic links.
 * @param root absolute path of the workspace folder
 * @param path relative to it; an absolute path must be inside it
 * @throws EngineError `files.outside`; `files.not-found` | `files.not-readable` if the workspace itself is missing
 */
export async function resolveInWorkspace(root: string, path: string): Promise<WorkspacePath> {
  if (path === '' || path.includes('\0')) {
    throw outside(path, 'is not a path');
  }
  const absolute = resolve(root, path);
  const shown = relative(root, absolute);
  if (!isInside(shown)) {
    throw outside(path, 'is outside the workspace');
  }
  const realRoot = await realRootOf(root);
  const real = await realPathOf(absolute, path);
  const realShown = relative(realRoot, real);
  if (!isInside(realShown)) {
    throw outside(path, 'leads out of the workspace through a link');
  }
  await refuseHidden({ real, realRoot, path });
  if (isSecretPath(shown) || isSecretPath(realShown))
    throw outside(path, 'contains the secrets of a workspace and cannot be opened');
  return { shown: withSlashes(shown), real, isProtected: isProtectedPath(shown) || isProtectedPath(realShown) };
}

/** Like `resolveInWorkspace`, but returns undefined for a path that is outside or leads outside. */
export async function findInWorkspace(root: string, path: string): Promise<WorkspacePath | undefined> {
  try {
    return await resolveInWorkspace(root, path);
  } catch (error) {
    if (EngineError.is(error) && error.code === 'files.outside') return undefined;
    throw error;
  }
}

/** @throws EngineError `files.not-writable` for internal files of Git or Millrace */
export function refuseProtected({ shown, isProtected }: Pick<WorkspacePath, 'shown' | 'isProtected'>): void {
  if (!isProtected) return;
  throw new EngineError({
    code: 'files.not-writable',
    message: `${shown} is in a folder reserved for git or Millrace. Write to another folder.`,
  });
}

/** Returns the path with `/` as the separator, as used in files and events on every system. */
export function withSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/**
 * Dotfiles in the home folder contain keys, settings and mail. These exceptions belong to Millrace or are used by
 * packs.
 */
const openInHome = /^\.(?:aipack(?:-base)?|millrace|gitignore)$/;

/**
 * @throws EngineError `files.outside` for dotfiles in the home folder, if the workspace is or contains the home folder
 */
async function refuseHidden({ real, realRoot, path }: { real: string; realRoot: string; path: string }): Promise<void> {
  const home = await realpath(homedir()).catch(() => homedir());
  // A workspace inside a hidden folder was chosen deliberately.
  if (!real.startsWith(home) || !isInside(relative(realRoot, home))) return;
  const [first = ''] = relative(home, real).split(sep);
  if (first === '..' || !isHiddenName(first)) return;
  throw outside(path, 'is hidden in your home folder, where programs keep keys and settings, and cannot be opened');
}

/** Applies to names in the home folder itself. */
function isHiddenName(name: string): boolean {
  return name.startsWith('.') && !openInHome.test(name);
}

/**
 * Creates a function that returns true for paths that `resolveInWorkspace` rejects because they are hidden in the home
 * folder. Paths are relative to the workspace, with `/`. Always returns false if the workspace neither is nor contains
 * the home folder. For code that walks folders without resolving each path.
 * @throws EngineError `files.not-found` | `files.not-readable` if the workspace itself is missing
 */
export async function createHiddenTest(root: string): Promise<(path: string) => boolean> {
  const fromRoot = relative(await realRootOf(root), await realpath(homedir()).catch(() => homedir()));
  if (!isInside(fromRoot)) return () => false;
  const prefix = fromRoot === '' ? '' : `${withSlashes(fromRoot)}/`;
  return (path) => {
    const [first = ''] = path.startsWith(prefix) ? path.slice(prefix.length).split('/') : [];
    return isHiddenName(first);
  };
}

async function realRootOf(root: string): Promise<string> {
  try {
    return await realpath(root);
  } catch (error) {
    throw toReadError(error, root);
  }
}

/** Whether a path leads into Git's or Millrace's own folder. Uses this system's separators. */
export function isProtectedPath(path: string): boolean {
  return path.split(sep).some((part) => isProtectedName(part.replace(ignoredCharacters, '')));
}

/** Whether a path is a workspace's secrets file. Uses this system's separators. */
export function isSecretPath(path: string): boolean {
  const [folder = '', name = ''] = path.split(sep).slice(-2);
  return isProtectedPath(folder) && /^\.?env(?:~\d+)?[. ]*(?::.*)?$/i.test(name.replace(ignoredCharacters, ''));
}

/** Zero-width characters that older macOS disks ignore when comparing names. */
const ignoredCharacters = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g;

function isProtectedName(name: string): boolean {
  // Some systems ignore case, trailing dots and spaces, and anything after a colon. Windows also has short names.
  return /^(?:\.(?:git|millrace)|(?:git|millra)~\d+)[. ]*(?::.*)?$/i.test(name);
}

function isInside(fromRoot: string): boolean {
  return fromRoot !== '..' && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
}

/** Returns the real path of the deepest existing folder, followed by the missing segments. */
async function realPathOf(absolute: string, written: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) {
      throw outside(written, 'cannot be followed', error);
    }
  }
  if (await isThere(absolute)) {
    throw outside(written, 'is a link, and its target does not exist');
  }
  return join(await realPathOf(dirname(absolute), written), basename(absolute));
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function outside(path: string, reason: string, cause?: unknown): EngineError {
  return new EngineError({
    code: 'files.outside',
    message: `"${path}" ${reason}. Use a path relative to the workspace folder, inside it.`,
    cause,
  });
}
