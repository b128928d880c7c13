/**
 * What git says of files: which differ from the last commit.
 */
import { execFile } from 'node:child_process';
import { access, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type GitChange = 'modified' | 'untracked';

const timeoutMs = 5_000;
const maxOutputBytes = 32 * 1024 * 1024;

/** Set when the program was started from a git hook; they would make git look at that repository instead. */
const repositoryVariables = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_COMMON_DIR'];

/**
 * Files that differ from HEAD, by path relative to the folder, with `/`. A file that HEAD does not have is `untracked`,
 * also when it is staged already. Null when there is no git, no repository, or no answer within 5 seconds.
 * @param folder absolute; the repository's top folder or one below it
 * @param pathspecs which files, in git's notation, relative to the folder
 */
export async function readGitChanges(
  folder: string,
  pathspecs: readonly string[],
): Promise<ReadonlyMap<string, GitChange> | null> {
  const [prefix, status] = await Promise.all([
    runGit(folder, ['rev-parse', '--show-prefix']),
    runGit(folder, ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--', ...pathspecs]),
  ]);
  return prefix === null || status === null ? null : parseStatus(status, prefix.replace(/\n$/, ''));
}

/**
 * Files and folders that git ignores, relative to the folder and with `/`; what lies in an ignored folder is not named.
 * Null as in `readGitChanges`.
 * @param folder absolute; the repository's top folder or one below it
 */
export async function readGitIgnored(folder: string): Promise<ReadonlySet<string> | null> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const answer = await runGit(folder, args);
  return answer === null ? null : new Set(answer.split('\0').map((path) => path.replace(/\/$/, '')));
}

/** Whether git keeps a file; false as well when there is no git, no repository, or no answer. @param path relative to the folder */
export async function isGitTracked(folder: string, path: string): Promise<boolean> {
  return (await runGit(folder, ['ls-files', '--error-unmatch', '--', path])) !== null;
}

/** The repository's own folder (usually `.git`), absolute; null when there is no git or no repository. */
export async function findGitFolder(folder: string): Promise<string | null> {
  const answer = await runGit(folder, ['rev-parse', '--absolute-git-dir']);
  return answer === null ? null : answer.replace(/\n$/, '');
}

/** The branch in use, or the beginning of the commit's name where none is; null as in `readGitChanges`. */
export async function readGitBranch(folder: string): Promise<string | null> {
  const branch = await runGit(folder, ['symbolic-ref', '--short', 'HEAD']);
  const answer = branch ?? (await runGit(folder, ['rev-parse', '--short', 'HEAD']));
  return answer === null ? null : answer.trimEnd();
}

/** Entries are two letters, a blank and the path from the repository's top folder, each ended by NUL. */
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

/**
 * Git's answer, or null when it gave none. Git is told not to write to the repository, and not to start the program that
 * a repository's own settings may name as its file system monitor: opening a folder must not run what lies in it. Nor
 * does it take a folder for a repository because of files in it that a script could have written there.
 */
async function runGit(folder: string, args: readonly string[]): Promise<string | null> {
  if (!(await mayBeInRepository(folder))) return null;
  const env: NodeJS.ProcessEnv = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
  for (const name of repositoryVariables) {
    delete env[name];
  }
  // The folder goes by -C, not as the working folder: Windows would look there for a program called git.
  const gitArgs = ['-C', folder, '-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit', ...args];
  return new Promise((resolve) => {
    execFile(
      'git',
      gitArgs,
      { env, timeout: timeoutMs, maxBuffer: maxOutputBytes, windowsHide: true, encoding: 'utf8' },
      (error, stdout) => resolve(error === null ? stdout : null),
    );
  });
}

/**
 * Whether the folder or one around it has an entry `.git`, without which git finds no repository. To start git only to
 * hear this would take tens of milliseconds of the thread that starts it.
 */
async function mayBeInRepository(folder: string): Promise<boolean> {
  let place = await realpath(folder).catch(() => folder);
  for (;;) {
    const isThere = await access(join(place, '.git')).then(
      () => true,
      () => false,
    );
    const parent = dirname(place);
    if (isThere || parent === place) return isThere;
    place = parent;
  }
}
