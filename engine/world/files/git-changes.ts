/**
 * Reads files' Git status: which files differ from the last commit.
 */
import { runGit, withoutFilters } from './run-git.ts';

export type GitChange = 'modified' | 'untracked';

/**
 * Returns the files that differ from HEAD, by path relative to the folder, with `/`. A file that is not in HEAD is
 * `untracked`, even if it is staged. Null without Git or a repository, or if Git does not respond within 5 seconds.
 * @param folder absolute; the repository's top folder or one below it
 * @param pathspecs the files, in Git's notation, relative to the folder
 */
export async function readGitChanges(
  folder: string,
  pathspecs: readonly string[],
): Promise<ReadonlyMap<string, GitChange> | null> {
  const [prefix, settings] = await Promise.all([
    runGit(folder, ['rev-parse', '--show-prefix']),
    withoutFilters(folder),
  ]);
  if (prefix === null || settings === null) return null;
  // Git would start another process in each submodule, with the settings and filters of that submodule.
  const flags = ['--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty'];
  const status = await runGit(folder, ['status', ...flags, '--', ...pathspecs], settings);
  return status === null ? null : parseStatus(status, prefix.replace(/\n$/, ''));
}

/**
 * Returns the files and folders that Git ignores, relative to the folder and with `/`. The content of an ignored
 * folder is not listed. Null as in `readGitChanges`.
 * @param folder absolute; the repository's top folder or one below it
 */
export async function readGitIgnored(folder: string): Promise<ReadonlySet<string> | null> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const answer = await runGit(folder, args);
  return answer === null ? null : new Set(answer.split('\0').map((path) => path.replace(/\/$/, '')));
}

/** Whether Git tracks a file; false without Git or a repository, or if Git does not respond. @param path relative to the folder */
export async function isGitTracked(folder: string, path: string): Promise<boolean> {
  return (await runGit(folder, ['ls-files', '--error-unmatch', '--', path])) !== null;
}

/**
 * Returns the absolute path of the repository's own folder (usually `.git`); null without Git or a repository.
 */
export async function findGitFolder(folder: string): Promise<string | null> {
  const answer = await runGit(folder, ['rev-parse', '--absolute-git-dir']);
  return answer === null ? null : answer.replace(/\n$/, '');
}

/** Returns the current branch, or the abbreviated commit hash if HEAD is detached; null as in `readGitChanges`. */
export async function readGitBranch(folder: string): Promise<string | null> {
  const branch = await runGit(folder, ['symbolic-ref', '--short', 'HEAD']);
  const answer = branch ?? (await runGit(folder, ['rev-parse', '--short', 'HEAD']));
  return answer === null ? null : answer.trimEnd();
}

/** Entries consist of two letters, a space and the path from the repository's top folder, each terminated by NUL. */
function parseStatus(status: string, prefix: string): Map<string, GitChange> {
  const changes = new Map<string, GitChange>();
  for (const entry of status.split('\0')) {
    const path = entry.slice(3);
    if (path.startsWith(prefix) && path !== '') {
      changes.set(path.slice(prefix.length), isNew(entry) ? 'untracked' : 'modified');
    }
  }
  return changes;
}

function isNew(entry: string): boolean {
  return entry.startsWith('??') || entry.startsWith('A');
}
