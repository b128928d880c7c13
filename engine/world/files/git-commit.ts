/**
 * Commits files with Git, and lists the files that can be committed.
 */
import type { EngineError } from '../../base/engine-error.ts';
import type { GitChange } from './git-changes.ts';
import { readGitChanges } from './git-changes.ts';
import { commitOf, done, gitIn, refused, textOf } from './git-versions.ts';
import { type GitResult, withoutFilters } from './run-git.ts';
import { refuseProtected, resolveInWorkspace } from './workspace-path.ts';

/** What can be committed. */
export interface CommittableFiles {
  /** The current branch. Null if HEAD is detached. */
  readonly branch: string | null;
  /** Flows, agents, conversations and tests that differ from the last commit, in path order. At most 1,000. */
  readonly files: readonly { readonly path: string; readonly change: GitChange }[];
  /** Whether the commit runs hooks, the filters of the repository and the signing program. */
  readonly runsPrograms: boolean;
}

interface CommitRequest {
  readonly paths: readonly string[];
  readonly message: string;
}

/** A commit of large files on a slow disk takes a while, and hooks may run tests. Ending it early would leave a lock behind. */
const commitTimeoutMs = 600_000;
const maxFiles = 1_000;

const pathspecs = [
  ':(glob)**/*.flow.yaml',
  ':(glob)**/*.flow.yml',
  ':(glob)**/*.dialogue.yaml',
  ':(glob)**/*.test.y*ml',
  ':(glob)**/*.aip',
  ...['yaml', 'yml', 'json'].map((ending) => `:(glob)products/*/flows/*.${ending}`),
];

/** Lists what can be committed. @throws EngineError `git.not-available` */
export async function listCommittable(workspace: string, isTrusted: boolean): Promise<CommittableFiles> {
  const head = await gitIn(workspace, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const changes = await readGitChanges(workspace, pathspecs);
  if (changes === null)
    throw refused('git.failed', 'Git could not list the changed files. Run "git status" to see why.');
  const files = [...changes].map(([path, change]) => ({ path, change }));
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { branch: head.isOk ? textOf(head).trim() : null, files: files.slice(0, maxFiles), runsPrograms: isTrusted };
}

type RunGit = (args: readonly string[], input?: string) => Promise<GitResult>;

/**
 * Commits files with their current content, and no others. What is staged of other files stays staged. If that fails,
 * nothing in the repository has changed.
 * @param isTrusted whether hooks, the filters of the repository and the signing program run
 * @returns the hash of the commit
 * @throws EngineError `git.not-available` | `git.no-identity` | `git.merging` | `git.detached` | `git.nothing-to-commit` |
 * `git.failed` with the message of Git or a hook | `files.outside` | `files.not-writable`
 */
export async function commitFiles(
  workspace: string,
  { paths, message }: CommitRequest,
  isTrusted: boolean,
): Promise<{ readonly commit: string }> {
  const files = await Promise.all(paths.map((path) => committable(workspace, path)));
  if (message.trim() === '') throw refused('git.failed', 'The message of a commit cannot be empty. Enter a message.');
  const settings = isTrusted ? [] : await filtersOff(workspace);
  const run: RunGit = (args, input = '') =>
    gitIn(workspace, ['--literal-pathspecs', ...args], { settings, input, timeoutMs: commitTimeoutMs, isTrusted });
  const added = await checkedChanges(run, files);
  if (added.length === 0 && (await isAsInHead(run, files))) throw nothingToCommit();
  if (added.length > 0) await done(run(['add', '--intent-to-add', '--', ...added]));
  const guard = isTrusted ? [] : ['--no-verify', '--no-gpg-sign'];
  const result = await run(
    ['commit', '--quiet', '--only', ...guard, '--cleanup=whitespace', '-F', '-', '--', ...files],
    message,
  );
  if (!result.isOk && added.length > 0) await run(['rm', '--cached', '--quiet', '--', ...added]);
  if (!result.isOk) throw refused('git.failed', `Nothing was committed. Git or a hook reports:\n${reasonOf(result)}`);
  return { commit: await commitOf(workspace, 'HEAD') };
}

function reasonOf({ stderr, stdout }: GitResult): string {
  return stderr || stdout.toString('utf8').trim() || 'no reason';
}

/** Checks what prevents a commit before anything in the repository changes. Returns the files that Git does not track. */
async function checkedChanges(run: RunGit, files: readonly string[]): Promise<readonly string[]> {
  if ((await run(['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'])).isOk)
    throw refused(
      'git.merging',
      'Git is in the middle of a merge. Resolve its conflicts, then finish it with "git add" and "git commit".',
    );
  if (!(await run(['symbolic-ref', '--quiet', 'HEAD'])).isOk)
    throw refused(
      'git.detached',
      'No branch is checked out, so no branch would contain the commit. Create one with "git switch -c NAME".',
    );
  for (const identity of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    if (!(await run(['var', identity])).isOk)
      throw refused(
        'git.no-identity',
        'Git does not know your name. Set it with "git config --global user.name NAME" and "git config --global user.email ADDRESS".',
      );
  }
  const flags = ['--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty'];
  const changed = textOf(await done(run(['status', ...flags, '--', ...files])));
  if (changed === '') throw nothingToCommit();
  const untracked = await done(run(['ls-files', '-z', '--others', '--', ...files]));
  return textOf(untracked).split('\0').filter(Boolean);
}

/**
 * Compares the content of files with the last commit. A file that only differs from the index has nothing to commit;
 * `git commit` would then describe all changes, and start the filters of submodules to find theirs.
 */
async function isAsInHead(run: RunGit, files: readonly string[]): Promise<boolean> {
  const flags = ['--quiet', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'];
  return (await run(['-c', 'diff.autoRefreshIndex=true', 'diff', ...flags, 'HEAD', '--', ...files])).isOk;
}

function nothingToCommit(): EngineError {
  return refused('git.nothing-to-commit', 'The files do not differ from the last commit.');
}

async function filtersOff(workspace: string): Promise<readonly string[]> {
  const settings = await withoutFilters(workspace);
  if (settings !== null) return settings;
  throw refused(
    'git.failed',
    'The settings of the Git repository can\'t be read, or a filter or hook in them has an invalid name. Run "git config --list" to see them.',
  );
}

async function committable(workspace: string, path: string): Promise<string> {
  const place = await resolveInWorkspace(workspace, path);
  refuseProtected(place);
  return place.shown;
}
