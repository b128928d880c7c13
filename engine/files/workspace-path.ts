/**
 * Paths that users, flows and models write, held inside the workspace folder.
 */
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { isMissing, toReadError } from './file-error.ts';

export interface WorkspacePath {
  /** Relative to the workspace, with `/`, without `.` and `..`. */
  readonly shown: string;
  /** Where it really lies, all links followed. The last parts may not exist yet. */
  readonly real: string;
  /** In git's own folder or the program's: no flow may write there. */
  readonly isProtected: boolean;
}

/**
 * Finds where a path leads and refuses what leads out of the workspace, by `..`, as an absolute path or over links.
 * @param root the workspace folder, absolute
 * @param path relative to it; an absolute one must lie in it
 * @throws EngineError `files.outside`; `files.not-found` | `files.not-readable` when the workspace itself is gone
 */
export async function resolveInWorkspace(root: string, path: string): Promise<WorkspacePath> {
  if (path === '' || path.includes('\0')) {
    throw outside(path, 'is no path');
  }
  const absolute = resolve(root, path);
  const shown = relative(root, absolute);
  if (!isInside(shown)) {
    throw outside(path, 'lies outside the workspace');
  }
  const realRoot = await realRootOf(root);
  const real = await realPathOf(absolute, path);
  const realShown = relative(realRoot, real);
  if (!isInside(realShown)) {
    throw outside(path, 'leads out of the workspace over a link');
  }
  await refuseHidden({ real, realRoot, path });
  if (isSecretPath(shown) || isSecretPath(realShown))
    throw outside(path, 'holds the secrets of a workspace, and stays closed');
  return { shown: withSlashes(shown), real, isProtected: isProtectedPath(shown) || isProtectedPath(realShown) };
}

/** As `resolveInWorkspace`; undefined for what lies, or leads, outside of it. */
export async function findInWorkspace(root: string, path: string): Promise<WorkspacePath | undefined> {
  try {
    return await resolveInWorkspace(root, path);
  } catch (error) {
    if (EngineError.is(error) && error.code === 'files.outside') return undefined;
    throw error;
  }
}

/** @throws EngineError `files.not-writable` for what git or the program keeps for itself */
export function refuseProtected({ shown, isProtected }: Pick<WorkspacePath, 'shown' | 'isProtected'>): void {
  if (!isProtected) return;
  throw new EngineError({
    code: 'files.not-writable',
    message: `${shown} lies in a folder that git or Millrace keeps for itself. Write to another folder.`,
  });
}

/** The path with `/` between its parts, as files and events show it on every system. */
export function withSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** What programs keep in a person's home: keys, settings, mail. Our own and what packs use are not meant. */
const openInHome = /^\.(?:aipack(?:-base)?|millrace|gitignore)$/;

/** @throws EngineError `files.outside` for what begins with a dot in the home folder, when the workspace is that or holds it */
async function refuseHidden({ real, realRoot, path }: { real: string; realRoot: string; path: string }): Promise<void> {
  const home = await realpath(homedir()).catch(() => homedir());
  // A workspace inside of a hidden folder was chosen by the person.
  if (!real.startsWith(home) || !isInside(relative(realRoot, home))) return;
  const [first = ''] = relative(home, real).split(sep);
  if (first === '..' || !isHiddenName(first)) return;
  throw outside(path, 'is hidden in your home folder, where programs keep keys and settings. It stays closed');
}

/** Of what lies in the home folder itself. */
function isHiddenName(name: string): boolean {
  return name.startsWith('.') && !openInHome.test(name);
}

/**
 * Tells which paths, relative to a workspace and with `/`, `resolveInWorkspace` refuses because they are hidden in the
 * person's home: none in a workspace that neither is the home nor holds it. For whoever walks folders without asking for
 * each path.
 * @throws EngineError `files.not-found` | `files.not-readable` when the workspace itself is gone
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

/** Whether a path leads into git's own folder or the program's; its parts stand apart as on this system. */
export function isProtectedPath(path: string): boolean {
  return path.split(sep).some((part) => isProtectedName(part.replace(ignoredCharacters, '')));
}

/** Whether a path leads to the file in which a workspace keeps its secrets; its parts stand apart as on this system. */
export function isSecretPath(path: string): boolean {
  const [folder = '', name = ''] = path.split(sep).slice(-2);
  return isProtectedPath(folder) && /^\.?env(?:~\d+)?[. ]*(?::.*)?$/i.test(name.replace(ignoredCharacters, ''));
}

/** Signs without width that older disks of macOS leave out when they compare names. */
const ignoredCharacters = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g;

function isProtectedName(name: string): boolean {
  // Some systems ignore case, trailing dots and blanks, and what follows a colon; Windows has short names beside the long ones.
  return /^(?:\.(?:git|millrace)|(?:git|millra)~\d+)[. ]*(?::.*)?$/i.test(name);
}

function isInside(fromRoot: string): boolean {
  return fromRoot !== '..' && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
}

/** The real path of the deepest part that exists, followed by the parts that do not. */
async function realPathOf(absolute: string, written: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) {
      throw outside(written, 'cannot be followed', error);
    }
  }
  if (await isThere(absolute)) {
    throw outside(written, 'is a link to something that does not exist');
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
    message: `"${path}" ${reason}. Name a file inside the workspace folder, relative to it.`,
    cause,
  });
}
