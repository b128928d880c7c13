/**
 * Which folder a window works in: the one that is asked for, the last one, or at the first start a copy of the examples.
 */

import { cp, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { EngineError, systemTrouble } from '../ipc/engine-base.ts';

/**
 * The real path of a folder, so that two ways to it are one workspace.
 * @throws EngineError `workspace.not-found` | `workspace.not-a-folder`
 */
export async function resolveWorkspace(folder: string): Promise<string> {
  const link = await lstat(folder).catch(() => undefined);
  const isLink = link?.isSymbolicLink() === true;
  const real = await realpath(folder).catch((cause: unknown) => {
    const reason = isLink
      ? 'it is a link, and what it leads to is not there, or you may not read it. Remove or mend the link, or choose another folder'
      : 'it is not there, or you may not read it. Choose another';
    throw new EngineError({
      code: 'workspace.not-found',
      message: `The folder ${folder} cannot be opened: ${reason} with File > Open Folder.`,
      cause,
    });
  });
  if (!(await stat(real)).isDirectory()) {
    throw new EngineError({
      code: 'workspace.not-a-folder',
      message: `${folder} is ${isLink ? 'a link to a file' : 'a file'}. A workspace is the folder that holds your flows: choose it with File > Open Folder.`,
    });
  }
  return real;
}

/** The workspace of a file: the nearest folder around it that has been one, else the folder that it lies in. Real paths. */
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

/** Whether a folder is the person's home, or holds it: keys and settings of all programs lie in there. Both are real paths. */
export function holdsHome(folder: string, home: string): boolean {
  const way = path.relative(folder, home);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** What a window is to show: a folder, or the reason why there is none. */
export interface WindowWorkspace {
  /** A real path; null = none. */
  readonly workspace: string | null;
  /** A sentence for the user. */
  readonly problem?: string;
}

interface Choices {
  /** What the command line asks for; null = nothing. */
  readonly requested: string | null;
  /** Existing folders, the last opened first. */
  readonly recent: readonly string[];
  /** Makes the example workspace and gives its folder. */
  prepareExamples(): Promise<string>;
}

/** The folder of the command line, else the last one, else (at the first start) the examples. */
export async function chooseStartWorkspace({ requested, recent, prepareExamples }: Choices): Promise<WindowWorkspace> {
  try {
    return { workspace: await resolveWorkspace(requested ?? recent[0] ?? (await prepareExamples())) };
  } catch (error) {
    if (EngineError.is(error)) return { workspace: null, problem: error.message };
    const reason = systemTrouble(error) ?? (error instanceof Error ? `${error.message}.` : String(error));
    return {
      workspace: null,
      problem: `The examples could not be copied to a folder of yours. ${reason} Choose a folder with File > Open Folder.`,
    };
  }
}

/** What examples leave that were run in place, in a clone. */
const leavings = ['.millrace', 'out'];

/**
 * Copies the examples to `target`. What lies there already is the user's and stays as it is. Resolves to whether the folder
 * is new, so that all that lies in it comes from `source`.
 * @throws EngineError `workspace.not-found` | `workspace.not-a-folder` when `target` is a file or a link that leads to no folder
 */
export async function copyExamples(source: string, target: string): Promise<boolean> {
  const isExample = (file: string): boolean => !leavings.includes(path.relative(source, file));
  await mkdir(path.dirname(target), { recursive: true });
  const isNew = await makeNew(target);
  await cp(source, await resolveWorkspace(target), { recursive: true, force: false, filter: isExample });
  return isNew;
}

const mostFolders = 100;

/** `wished`, or the first of `wished-2`, `wished-3` … that is a folder or not there yet. */
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

/** False when something is there: to look first and make it then would leave a moment for another program to be faster. */
async function makeNew(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
