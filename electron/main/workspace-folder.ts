/**
 * Chooses the folder of a window: the requested one, the most recent one, or at the first start a copy of the examples.
 */

import { cp, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { EngineError, explainSystemError } from '../ipc/engine-base.ts';
import { text } from './text.ts';

/**
 * Resolves symbolic links in a folder, so that two paths to it are one workspace.
 * @throws EngineError `workspace.not-found` | `workspace.not-a-folder`
 */
export async function resolveWorkspace(folder: string): Promise<string> {
  const link = await lstat(folder).catch(() => undefined);
  const isLink = link?.isSymbolicLink() === true;
  const real = await realpath(folder).catch((cause: unknown) => {
    const { brokenLink, missing } = text().workspace;
    const message = isLink ? brokenLink({ folder }) : missing({ folder });
    throw new EngineError({ code: 'workspace.not-found', message, cause });
  });
  if (!(await stat(real)).isDirectory()) {
    const { isLinkToFile, isFile } = text().workspace;
    const message = isLink ? isLinkToFile({ folder }) : isFile({ folder });
    throw new EngineError({ code: 'workspace.not-a-folder', message });
  }
  return real;
}

/**
 * Returns a file's workspace: the nearest parent folder that was opened as a workspace before, otherwise the file's folder.
 * Paths have symbolic links resolved.
 */
export async function workspaceAround(file: string): Promise<string> {
  const own = path.dirname(file);
  for (let folder = own; ; folder = path.dirname(folder)) {
    const marks = await Promise.all(['.millrace', '.aipack'].map((mark) => isFolder(path.join(folder, mark))));
    if (marks.includes(true)) return folder;
    if (folder === path.dirname(folder)) return own;
  }
}

async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * Returns whether a folder is or contains the user's home, which holds the keys and settings of all programs. Both
 * paths must have symbolic links resolved.
 */
export function holdsHome(folder: string, home: string): boolean {
  const way = path.relative(folder, home);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** Content of a window: a folder, or the reason it is missing. */
export interface WindowWorkspace {
  /** Path with symbolic links resolved; null without a workspace. */
  readonly workspace: string | null;
  /** A message for the user. */
  readonly problem?: string;
}

interface Choices {
  /** Folder requested on the command line; null if none. */
  readonly requested: string | null;
  /** Existing folders, most recently opened first. */
  readonly recent: readonly string[];
  /** Creates the example workspace and returns its folder. */
  prepareExamples(): Promise<string>;
}

/** Returns the folder named on the command line, otherwise the most recent one, or the examples if there is none. */
export async function chooseStartWorkspace({ requested, recent, prepareExamples }: Choices): Promise<WindowWorkspace> {
  try {
    return { workspace: await resolveWorkspace(requested ?? recent[0] ?? (await prepareExamples())) };
  } catch (error) {
    if (EngineError.is(error)) return { workspace: null, problem: error.message };
    const reason = explainSystemError(error) ?? (error instanceof Error ? `${error.message}.` : String(error));
    return { workspace: null, problem: text().workspace.noExamples({ reason }) };
  }
}

/** Files that the examples create when they run inside a clone of the repository. */
const leavings = ['.millrace', 'out'];

/**
 * Copies the examples to `target` without changing existing files. Resolves to whether the folder is new, so that
 * everything in it comes from `source`.
 * @throws EngineError `workspace.not-found` | `workspace.not-a-folder` if `target` is a file, or a symbolic link that
 * does not point to a folder
 */
export async function copyExamples(source: string, target: string): Promise<boolean> {
  const isExample = (file: string): boolean => !leavings.includes(path.relative(source, file));
  await mkdir(path.dirname(target), { recursive: true });
  const isNew = await makeNew(target);
  await cp(source, await resolveWorkspace(target), { recursive: true, force: false, filter: isExample });
  return isNew;
}

const mostFolders = 100;

/** Returns `wished`, or the first of `wished-2`, `wished-3` … that is a folder or does not exist. */
export async function usableFolder(wished: string): Promise<string> {
  for (let count = 1; count < mostFolders; count++) {
    const folder = count === 1 ? wished : `${wished}-${count}`;
    const isFree = await lstat(folder).then(
      () => false,
      () => true,
    );
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isFree || isFolder) return folder;
  }
  return wished;
}

/**
 * Creates a folder. Returns false if the path exists. Between a separate check and the creation, another program could
 * create it.
 */
async function makeNew(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
