/**
 * Names in folders of the workspace: what is moved, copied or thrown away is the link, not what it leads to.
 */
import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { isMissing, toReadError } from './file-error.ts';
import { isProtectedPath, refuseProtected, resolveInWorkspace } from './workspace-path.ts';

export interface WorkspaceEntry {
  /** Relative to the workspace, with `/`. */
  readonly shown: string;
  /** Its name in its real folder; a link is not followed. */
  readonly real: string;
}

/**
 * Finds the place of a name that may be changed. Nothing needs to lie there.
 * @param root the workspace folder, absolute
 * @throws EngineError `files.outside`, also for the workspace itself; `files.not-writable` for what git or the program
 *   keeps for itself
 */
export async function resolveEntry(root: string, path: string): Promise<WorkspaceEntry> {
  const absolute = resolve(root, path);
  if (path === '' || absolute === resolve(root)) {
    throw new EngineError({
      code: 'files.outside',
      message: 'The workspace folder itself cannot be changed from inside. Name a file or a folder in it.',
    });
  }
  const folder = await resolveInWorkspace(root, path.includes('\0') ? path : dirname(absolute));
  const name = basename(absolute);
  const shown = folder.shown === '' ? name : `${folder.shown}/${name}`;
  refuseProtected({ shown, isProtected: folder.isProtected || isProtectedPath(name) });
  return { shown, real: join(folder.real, name) };
}

/**
 * Refuses a name that some systems cannot have: workspaces are shared.
 * @param path of which the last part is the name
 * @throws EngineError `files.bad-name`
 */
export function refuseBadName(path: string): void {
  const name = basename(path);
  const isBad = /[\p{Cc}<>:"|?*\\]|[. ]$|^ /u.test(name) || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name);
  if (!isBad && name !== '' && !path.endsWith('/')) return;
  throw new EngineError({
    code: 'files.bad-name',
    message: `${JSON.stringify(name)} is no name that a file can have on every system. Use letters, digits, "-", "_" and dots in between.`,
  });
}

/** Whether a name stands in its folder, in these very letters, also on systems that take `A` for `a`. */
export async function isExactlyThere({ real }: WorkspaceEntry): Promise<boolean> {
  try {
    return (await readdir(dirname(real))).includes(basename(real));
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** What lies at a place, a link itself. @throws EngineError `files.not-found` | `files.not-readable` */
export async function stateOf({ real, shown }: WorkspaceEntry): Promise<Stats> {
  try {
    return await lstat(real);
  } catch (error) {
    throw toReadError(error, shown);
  }
}

/** The error for a place that is taken. */
export function alreadyThere(shown: string): EngineError {
  return new EngineError({ code: 'files.exists', message: `${shown} exists already. Choose another name.` });
}
