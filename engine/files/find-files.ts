/**
 * All files of a workspace, for finding one by its name.
 */
import { readGitIgnored } from './git-changes.ts';
import { isUnlisted } from './unlisted-paths.ts';
import { walkFiles } from './walk-files.ts';

const maxFiles = 20_000;

/**
 * The files that git does not ignore, in path order: see `FileEngine.findFiles`. (Natural order would take ten times as
 * long, in which the engine does nothing else.)
 * @param workspace absolute
 */
export async function findFiles(
  workspace: string,
): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean }> {
  const ignored = await readGitIgnored(workspace);
  const files = await walkFiles(workspace, {
    maxDepth: Number.POSITIVE_INFINITY,
    maxFiles: maxFiles + 1,
    isLeftOut: (path) => isUnlisted(path) || ignored?.has(path) === true,
  });
  return { paths: files.slice(0, maxFiles).sort(), isCut: files.length > maxFiles };
}
