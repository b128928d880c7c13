/**
 * Finds workspace files that flows select by globs.
 */
import { stat } from 'node:fs/promises';
import { isAbsolute, posix, resolve } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { depthOfGlob, globMatcher, splitGlob } from '../../base/glob.ts';
import { isMissing, toReadError } from './file-error.ts';
import { type FolderHolder, listHeld } from './folders/folder-holder.ts';
import { filterPaths, walkFiles } from './walk-files.ts';
import { resolveInWorkspace, type WorkspacePath } from './workspace-path.ts';

/**
 * Returns the workspace files that match any of the globs, without duplicates, in path order. Names that begin with a
 * dot match only globs with the dot. `.git`, `.millrace`, `node_modules` and symbolic links to folders are not
 * searched. A symbolic link to a file counts if its target is in the workspace.
 * @param root absolute path of the workspace folder
 * @throws EngineError `files.outside` for a glob that leads outside, `files.bad-glob`; the signal's reason when it
 * aborts
 */
export async function findByGlobs(
  root: string,
  globs: readonly string[],
  looking: GlobSearch,
): Promise<readonly WorkspacePath[]> {
  const { signal } = looking;
  const found = new Map<string, WorkspacePath>();
  for (const glob of globs) {
    for (const path of await candidatesOf(root, glob, looking)) {
      signal.throwIfAborted();
      const file = await fileInside(root, path);
      if (file !== undefined) {
        found.set(file.shown, file);
      }
    }
  }
  return [...found.values()].sort((left, right) => (left.shown < right.shown ? -1 : 1));
}

interface GlobSearch {
  /** Holds the folders to search. */
  readonly holder: FolderHolder;
  readonly signal: AbortSignal;
}

async function candidatesOf(root: string, glob: string, { holder, signal }: GlobSearch): Promise<readonly string[]> {
  const normal = posix.normalize(glob);
  if (isAbsolute(glob) || normal.startsWith('../')) {
    throw leadsOut(glob);
  }
  const { base, pattern } = splitGlob(normal);
  const { real } = await resolveInWorkspace(root, base === '' ? '.' : base);
  if (pattern === '') {
    return [normal];
  }
  const matches = globMatcher(pattern, { hidesDotNames: true });
  const readFolder = (path: string): ReturnType<typeof listHeld> => listHeld(holder, resolve(real, path));
  const files = await walkFiles(real, { maxDepth: depthOfGlob(pattern), readFolder, signal });
  return (await filterPaths(files, matches, signal)).map((file) => posix.join(base, file));
}

function leadsOut(glob: string): EngineError {
  return new EngineError({
    code: 'files.outside',
    message: `"${glob}" leads out of the workspace. Use a pattern relative to the workspace folder, for files inside it.`,
  });
}

/** Returns the path if it is a file inside the workspace, otherwise undefined. */
async function fileInside(root: string, path: string): Promise<WorkspacePath | undefined> {
  try {
    const file = await resolveInWorkspace(root, path);
    return (await stat(file.real)).isFile() ? file : undefined;
  } catch (error) {
    if (EngineError.is(error) || isMissing(error)) {
      return undefined;
    }
    throw toReadError(error, path);
  }
}
